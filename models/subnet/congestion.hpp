// How many routes of a set share links: the congestion of a route is the largest number of routes on any of its
// channels. (Hoefler, Schneider, Lumsdaine: Multistage switches are not crossbars, Cluster 2008.) Where cables differ
// in speed, the number on a channel counts by how much slower it is than the usual link.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "models/subnet/forwarding.hpp"

namespace weft::models {

/// A route of the tables: from a host to an address of another.
struct FlowRoute {
  u32 from_host = 0;
  u32 target = 0;
};

/// Bin of a congestion in counts of routes: itself, rounded up where cables differ in speed; the last has all above.
[[nodiscard]] u32 congestion_bin(double congestion);

/// Counts sets of routes, one after the other. Links are full duplex: their two channels are counted apart. A host's
/// own cable counts.
class CongestionCounter {
 public:
  /// Keeps `tables`; copies of `subnet` what it needs.
  CongestionCounter(const Subnet& subnet, const ForwardingTables& tables);

  /// A route that does not arrive.
  struct Broken {
    u32 route = 0;  ///< index into the routes given
    RouteEnd end = RouteEnd::no_entry;
  };
  /// Fills congestion[route]. If a route does not arrive, says which, the first of them, and `congestion` is
  /// meaningless.
  [[nodiscard]] std::optional<Broken> count(std::span<const FlowRoute> routes, std::span<double> congestion);
  /// Whether cables differ in speed: else all congestions are whole numbers.
  [[nodiscard]] bool weighted() const { return !weight_.empty(); }

 private:
  template <class Count>
  std::optional<Broken> count_with(std::vector<Count>& on_channel, std::span<const FlowRoute> routes,
                                   std::span<double> congestion);
  /// The largest value of each route's channels.
  template <class Value, class Congestion>
  void largest_on_routes(const std::vector<Value>& on_channel, std::span<Congestion> congestion) const;
  template <class Count>
  bool walk_block(std::vector<Count>& on_channel, std::span<const FlowRoute> block, std::size_t first);
  [[nodiscard]] Broken first_broken(std::span<const FlowRoute> routes) const;

  // Channel of port p of switch s: s * stride_ + p; of host h: hosts_from_ + h. Channel 0 is none.
  const Subnet& subnet_;
  const ForwardingTables& tables_;
  u32 stride_ = 0, hosts_from_ = 0;
  std::vector<u32> next_;        ///< [channel of a switch]: switch that it leads to; host | a_host; or nowhere
  std::vector<u32> leaf_;        ///< [host]: switch, or nowhere
  std::vector<u16> narrow_;      ///< [channel]: routes, as long as they are few
  std::vector<u32> wide_;        ///< the same for more than 65,535 routes
  std::vector<double> weight_;   ///< [channel]: usual rate / its own; empty: all 1
  std::vector<double> weighed_;  ///< [channel]: routes times weight
  std::vector<u32> whole_;       ///< [route]
  std::vector<u32> hops_;        ///< [hop][route], channels; 0 behind the end of a route
  std::vector<u32> block_hops_;  ///< [block]: hops of its longest route
  std::size_t routes_ = 0;       ///< columns of hops_
};

}  // namespace weft::models
