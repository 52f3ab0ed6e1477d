// Registers the ideal network's "router", a machine of its own: models/machine/ideal.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/core/packet.hpp"
#include "models/machine/ideal/nic_state.hpp"
#include "models/machine/ideal/settings.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {
namespace {

u64 ideal_bytes(const Topology& topology, const RouterSettings& /*settings*/, u32 packet_bytes) {
  if (topology.nodes() > u32{1} << Packet::address_bits) {
    throw ConfigError(fmt::format("a network of {} nodes is too large: packets can address {}; use fewer nodes",
                                  topology.nodes(), u32{1} << Packet::address_bits));
  }
  constexpr u64 beside_a_nic = 64, beside_a_packet = 24, packets_of_a_node = 2;
  return topology.nodes() *
         (sizeof(ideal::NicState) + beside_a_nic + packets_of_a_node * (packet_bytes + beside_a_packet));
}

OwnTime ideal_time(const Parameters& own) {
  const ideal::Costs costs = ideal::costs_of(own);
  return {.ticks_per_cycle = costs.ticks_per_ns(), .link_ticks = costs.lookahead(), .cycle_ns = 1};
}

std::vector<IgnoredKey> keys_without_links() {
  std::vector<IgnoredKey> keys;
  for (const char* const key : {"link.latency_cycles", "link.latency_ns", "link.rate_gbps", "link.phits_per_cycle",
                                "link.node.latency_cycles", "link.node.phits_per_cycle", "link.node.rate_gbps"})
    keys.push_back({key, "there are no links; [ideal] has latency and gaps"});
  for (const char* const key :
       {"router.virtual_channels", "router.queue_packets", "router.arbitration", "router.switch_latency_cycles",
        "router.injection_queues", "router.injection", "router.injection_timeout_cycles", "router.consumption",
        "router.ipr_fraction", "router.lbr_packets"})
    keys.push_back({key, "there are no routers"});
  for (const char* const key : {"deadlock.unsafe", "deadlock.check", "simulation.watchdog_cycles"})
    keys.push_back({key, "nothing waits for another, so there is no deadlock"});
  for (const char* const key : {"faults.links", "faults.routers", "faults.random_links"})
    keys.push_back({key, "there are no links and routers that could fail"});
  for (const char* const key : {"faults.nodes", "faults.random_nodes"})
    keys.push_back({key, "nodes fail by events: faults.event = \"0ns node 3 down\""});
  keys.push_back({"faults.sweep_ns", "there are no routers that hear of it later than others"});
  for (const char* const key : {"faults.lost", "faults.resend_ns"})
    keys.push_back({key, "messages are not sent in packets, and a lost one never arrives"});
  for (const char* const key : {"overhead_ns", "byte_overhead_ns", "gap_ns", "rendezvous_bytes"})
    keys.push_back({fmt::format("workload.{}", key), fmt::format("ideal.{} says it", key)});
  keys.push_back({"simulation.tick_ps", "a cycle is 1 ns, and ticks follow from [ideal]"});
  return keys;
}

[[maybe_unused]] const bool ideal_router_registered = RouterRegistry::instance().add(
    "ideal", {.help = "no router at all: a message takes what the LogGOPS model says (table [ideal]), whatever else is "
                      "in the network. A cycle is 1 ns. docs/ideal.md says what is modelled.",
              .families = {linkless_family},
              .modes = {{"direct", "to the destination. The default."}},
              .settings = ideal::setting_rows(),
              .check = {},
              .routing = {},
              .has_loop = {},
              .bytes = ideal_bytes,
              .ignores = keys_without_links(),
              .any_length = true,
              .live_faults = true,
              .defaults = [](const std::string&) -> std::vector<DefaultValue> {
                return {{"router.virtual_channels", i64{1}}, {"workload.cpu_scale", 1.0}};
              },
              .time = ideal_time});

}  // namespace
}  // namespace weft::models
