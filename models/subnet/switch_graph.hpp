// The switches of a fabric and the links between them in flat arrays: what routing engines and checks search.
#pragma once

#include <span>
#include <vector>

#include "models/subnet/subnet.hpp"

namespace weft::models {

/// A link as seen from one of its switches.
struct SwitchHop {
  u32 to = 0;  ///< switch
  u8 port = 0;
};

class SwitchGraph {
 public:
  explicit SwitchGraph(const Subnet& subnet);

  [[nodiscard]] u32 switches() const { return static_cast<u32>(first_.size()) - 1; }
  /// Links by which a switch sends, in order of its ports, without those to itself.
  [[nodiscard]] std::span<const SwitchHop> hops(u32 s) const {
    return {hops_.data() + first_[s], hops_.data() + first_[s + 1]};
  }
  /// Links by which it is sent to: `to` is the sender. In order of its ports, of which `port` is one, too.
  [[nodiscard]] std::span<const SwitchHop> hops_into(u32 s) const {
    if (!one_way()) return hops(s);
    return {hops_into_.data() + first_into_[s], hops_into_.data() + first_into_[s + 1]};
  }
  /// Whether there are one-way links.
  [[nodiscard]] bool one_way() const { return !first_into_.empty(); }
  /// Number of a switch's first hop among those of all.
  [[nodiscard]] u32 first_hop(u32 s) const { return first_[s]; }
  [[nodiscard]] u32 all_hops() const { return static_cast<u32>(hops_.size()); }
  /// Hosts cabled to a switch, in their order.
  [[nodiscard]] std::span<const u32> hosts(u32 s) const {
    return {hosts_.data() + first_host_[s], hosts_.data() + first_host_[s + 1]};
  }
  /// Switches by the first of their hosts; those without hosts last.
  [[nodiscard]] std::vector<u32> by_first_host() const;
  /// Orders the links of each switch so that a second one to the same neighbour comes after the first ones to all.
  void spread_parallel_links();

  /// Links from the nearest of the switches in `from` to each switch; `unreachable` if there is no path.
  static constexpr u32 unreachable = ~u32{0};
  [[nodiscard]] std::vector<u32> distances(std::span<const u32> from) const;
  /// Links from each switch to the nearest of those in `to`.
  [[nodiscard]] std::vector<u32> distances_to(std::span<const u32> to) const;

 private:
  void find_hops_into(const Subnet& subnet);

  std::vector<u32> first_;  ///< [switch], and one behind the last
  std::vector<SwitchHop> hops_;
  std::vector<u32> first_into_;  ///< the same of hops_into_; empty: all links go both ways
  std::vector<SwitchHop> hops_into_;
  std::vector<u32> first_host_;  ///< [switch], and one behind the last
  std::vector<u32> hosts_;
};

}  // namespace weft::models
