// What forwarding tables do with everything that is sent to a target: a tree with the target as its root, walked once
// for all sources together, so that a fabric with millions of routes is checked in seconds.
#pragma once

#include <array>
#include <vector>

#include "engine/base/types.hpp"
#include "models/subnet/forwarding.hpp"
#include "models/subnet/subnet.hpp"

namespace weft::models {

/// Hosts cabled to each switch, [switch].
[[nodiscard]] std::vector<u32> hosts_of_switches(const Subnet& subnet);

/// The routes of all hosts to one target at a time.
class TargetTree {
 public:
  TargetTree(const Subnet& subnet, const ForwardingTables& tables);

  /// Follows the routes of all hosts, but the target's own, to `target`.
  void walk(u32 target);

  /// Switches on these routes, those nearer to the target first: a switch stands behind the one that it sends to,
  /// unless the routes through it loop.
  [[nodiscard]] const std::vector<u32>& switches() const { return order_; }
  /// How the routes through a switch of switches() end.
  [[nodiscard]] RouteEnd end(u32 s) const { return at_[s].end; }
  /// Links from there to the target, if they arrive.
  [[nodiscard]] u32 links(u32 s) const { return at_[s].links; }
  /// Where a switch of switches() sends to: a switch, a host, or nothing.
  [[nodiscard]] Peer next(u32 s) const;
  /// Whether a switch is on a route of this walk.
  [[nodiscard]] bool sends(u32 s) const { return at_[s].walk == walks_; }
  /// Its entry.
  [[nodiscard]] u8 port(u32 s) const { return row_[s]; }
  /// Hosts at a switch that send to the target.
  [[nodiscard]] u32 sources(u32 s) const { return hosts_[s] - (s == target_switch_ ? 1 : 0); }

 private:
  struct State {
    u32 walk = 0;  ///< in which it was seen last
    u32 links = 0;
    RouteEnd end = RouteEnd::arrives;
    bool on_path = false;
  };
  void follow(u32 from);
  /// What a switch that is new does: true if it sends to another one.
  bool sends_on(u32 s);

  const Subnet& subnet_;
  const ForwardingTables& tables_;
  std::vector<u32> hosts_;       ///< [switch]
  std::vector<u32> with_hosts_;  ///< switches
  std::vector<State> at_;        ///< [switch]
  std::vector<u32> order_, path_;
  const u8* row_ = nullptr;
  u32 walks_ = 0, target_host_ = 0;
  u32 target_switch_ = UINT32_MAX;  ///< where the target's host is cabled
};

/// A route that does not arrive, as an example of those to the same target that end alike.
struct RouteFault {
  RouteEnd end = RouteEnd::arrives;
  u32 host = 0;
  u32 target = 0;
  u32 at = 0;      ///< switch where it ends; of a loop: a switch on it
  u64 routes = 0;  ///< to that target that end so
};

/// All routes of a fabric, from every host to every target of the others.
struct RouteSurvey {
  static constexpr std::size_t most_faults = 1000;

  u64 routes = 0;
  std::array<u64, 5> ends{};         ///< [RouteEnd]: routes
  u64 not_cabled_sources = 0;        ///< hosts without a cable, whose routes are not counted
  std::vector<u64> links;            ///< [links]: routes that arrive over so many, those to and from hosts included
  std::vector<RouteFault> faults;    ///< one for each target and end; most_faults at most
  std::vector<u32> targets_through;  ///< [channel of a switch]: targets whose routes use it
  std::vector<u64> routes_through;   ///< [channel of a switch]: routes that arrive over it
  std::vector<u8> visited;           ///< [switch]: whether it is on a route
};
[[nodiscard]] RouteSurvey survey_routes(const Subnet& subnet, const ForwardingTables& tables);

/// The switches of the loop that a route to `target` runs into at `at`.
[[nodiscard]] std::vector<u32> loop_from(const Subnet& subnet, const ForwardingTables& tables, u32 at, u32 target);

}  // namespace weft::models
