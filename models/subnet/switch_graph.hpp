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
  /// Links of a switch in order of its ports, without those to itself.
  [[nodiscard]] std::span<const SwitchHop> hops(u32 s) const {
    return {hops_.data() + first_[s], hops_.data() + first_[s + 1]};
  }
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

  /// Links from the nearest of the switches in `from` to each switch; `unreachable` if there is no way.
  static constexpr u32 unreachable = ~u32{0};
  [[nodiscard]] std::vector<u32> distances(std::span<const u32> from) const;

 private:
  std::vector<u32> first_;  ///< [switch], and one behind the last
  std::vector<SwitchHop> hops_;
  std::vector<u32> first_host_;  ///< [switch], and one behind the last
  std::vector<u32> hosts_;
};

}  // namespace weft::models
