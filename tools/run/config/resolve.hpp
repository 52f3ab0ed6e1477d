// What a config means where it says `auto` or leaves a choice open, and the parameter structs that the libraries want.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/base/types.hpp"
#include "models/topology/topology.hpp"
#include "tools/run/config/config.hpp"
#include "workloads/traffic/packet_lengths.hpp"

namespace weft::tools {

/// router.kind, auto decided by topology.kind.
[[nodiscard]] std::string resolved_router_kind(const Config& config);
/// The kinds of router whose keys matter to a run: its own, and the one whose routes that takes.
[[nodiscard]] std::vector<std::string> router_kinds_in_use(const Config& config);
/// Defaults that the kinds of workload and router (it wins) have in place of the settings' own, by key; none for an
/// unknown kind.
[[nodiscard]] std::map<std::string, SettingValue> default_values(const Config& config);
/// The routing algorithm: router.routing, auto decided by the router kind; of kinds that take the routes of another,
/// the name of how they choose among these.
[[nodiscard]] std::string resolved_routing(const Config& config);
/// "cycles", "steady-state" or "workload-complete": simulation.stop, auto decided by simulation.cycles and
/// workload.kind.
[[nodiscard]] std::string resolved_stop(const Config& config);
/// "sequential", "windowed" or "null-message": parallel.protocol, auto decided by the number of ranks (docs/engine.md
/// says why). One rank is always sequential. Throws ConfigError for sequential on several.
[[nodiscard]] std::string resolved_protocol(const Config& config, u32 ranks);
/// What `auto` is on so many ranks, two or more.
[[nodiscard]] std::string automatic_protocol(u32 ranks);

/// How simulated time counts.
struct TimeScale {
  u64 ticks_per_cycle = 1;  ///< >= 1
  u64 latency_ticks = 1;    ///< of a link, >= 1
  double cycle_ns = 0.0;    ///< length of a cycle; 0 = it has no stated length
};
/// From simulation.tick_ps, link.rate_gbps, packet.phit_bytes and the link latency. A cycle is the time of one phit on
/// a link, phit_bytes * 8 / rate. Throws ConfigError where that is not a positive whole number of ticks, and the
/// latency likewise, naming the nearest valid values. Kinds of router with a time of their own (RouterKind::time) say
/// it instead.
[[nodiscard]] TimeScale time_scale(const Config& config);

/// Ticks that a phit takes on a link of a class ("link", "node", "global"...): a cycle over `phits_per_cycle` of the
/// class, or of all links. Throws ConfigError where that is not a whole number of ticks.
[[nodiscard]] u64 cell_ticks(const Config& config, const std::string& link_class, const TimeScale& time);

/// Throws ConfigError where a crossbar that is router.speedup times as fast as links with these ticks for a phit takes
/// no whole number of ticks for one.
void check_speedup(const Config& config, const TimeScale& time, const std::vector<u64>& cell_ticks);

/// The law of packet lengths: workload.packet_length, auto decided.
[[nodiscard]] std::string resolved_length_law(const Config& config);
/// Lengths of packets by that law. Not checked.
[[nodiscard]] workloads::PacketLengths packet_lengths(const Config& config);

/// [topology] as the topologies want it; not checked.
[[nodiscard]] models::TopologySpec topology_spec(const Config& config);

/// The network of [topology] without what [faults] says has failed.
[[nodiscard]] std::unique_ptr<models::Topology> make_network(const Config& config);

/// Whether parts of the network fail or come back during the run.
[[nodiscard]] bool has_live_faults(const Config& config);

/// The values of all settings of a table; names of files as they can be opened.
[[nodiscard]] Parameters table_parameters(const Config& config, const std::string& table);
/// What models::RouterSettings::own has: the settings of [router], [nic], [deadlock] and [ideal], by their names in
/// these.
[[nodiscard]] Parameters router_parameters(const Config& config);

}  // namespace weft::tools
