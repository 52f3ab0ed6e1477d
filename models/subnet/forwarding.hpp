// Linear forwarding tables of a whole fabric: through which port each switch sends what is addressed to a target.
#pragma once

#include <vector>

#include "engine/base/types.hpp"
#include "models/subnet/subnet.hpp"

namespace weft::models {

/// Targets are addresses of hosts: host h with mask control lmc has 2^lmc of them, which follow each other in the order
/// of hosts (without LMC: target = host). Traffic for switches is not kept here. Rows lie target by target: the hops of
/// a route read one row.
class ForwardingTables {
 public:
  static constexpr u8 none = 0xff;  ///< no entry: what is addressed there is dropped

  /// Empty tables for all hosts of `subnet`, with the LMC that they have there.
  explicit ForwardingTables(const Subnet& subnet);

  [[nodiscard]] u32 targets() const { return static_cast<u32>(host_of_.size()); }
  [[nodiscard]] u32 host_of(u32 target) const { return host_of_[target]; }
  [[nodiscard]] u32 first_target(u32 host) const { return first_target_[host]; }
  [[nodiscard]] u32 targets_of(u32 host) const { return first_target_[host + 1] - first_target_[host]; }
  /// LID of a target, if its host has one.
  [[nodiscard]] u32 lid_of(const Subnet& subnet, u32 target) const {
    return subnet.host_at(host_of(target)).lid + target - first_target(host_of(target));
  }

  /// Port from 1 up, 0 for the switch itself (an error in a table for a host), or `none`.
  [[nodiscard]] u8 port(u32 at_switch, u32 target) const { return ports_[u64{target} * switches_ + at_switch]; }
  void set_port(u32 at_switch, u32 target, u8 port) { ports_[u64{target} * switches_ + at_switch] = port; }
  /// All switches' ports for a target, [switch].
  [[nodiscard]] const u8* row(u32 target) const { return ports_.data() + u64{target} * switches_; }
  [[nodiscard]] u8* row(u32 target) { return ports_.data() + u64{target} * switches_; }

 private:
  u64 switches_ = 0;
  std::vector<u32> first_target_;  ///< [host], and one behind the last
  std::vector<u32> host_of_;       ///< [target]
  std::vector<u8> ports_;          ///< [target][switch]
};

/// What becomes of a route.
enum class RouteEnd : u8 { arrives, no_entry, not_cabled, loops, wrong_host };

/// Calls use(channel) for every channel of the route from a switch to a target, the last one included, and says how it
/// ends. A route that visits more switches than there are, loops.
template <class F>
RouteEnd for_channels_from_switch(const Subnet& subnet, const ForwardingTables& tables, u32 at, u32 target, F&& use) {
  const u8* const row = tables.row(target);
  for (u32 hops = 0; hops <= subnet.switches(); ++hops) {
    const u8 port = row[at];
    if (port == ForwardingTables::none || port == 0 || port > subnet.switch_at(at).ports) return RouteEnd::no_entry;
    const u32 channel = subnet.channel(at, port);
    const Peer next = subnet.next(at, port);
    if (next.kind == Peer::Kind::none) return RouteEnd::not_cabled;
    use(channel);
    if (next.kind == Peer::Kind::node)
      return next.id == tables.host_of(target) ? RouteEnd::arrives : RouteEnd::wrong_host;
    at = next.id;
  }
  return RouteEnd::loops;
}

/// Calls use(channel) for every channel of the route from a host to a target, its own and the last one included, and
/// says how it ends.
template <class F>
RouteEnd for_channels(const Subnet& subnet, const ForwardingTables& tables, u32 from_host, u32 target, F&& use) {
  const Peer first = subnet.peer_of_host(from_host);
  if (first.kind != Peer::Kind::router) return RouteEnd::not_cabled;
  use(subnet.host_channel(from_host));
  return for_channels_from_switch(subnet, tables, first.id, target, use);
}

}  // namespace weft::models
