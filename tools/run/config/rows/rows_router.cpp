// Rows of [router] and [packet]: the microarchitecture of the routers, and packet sizes.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "models/arbiter/scheduler.hpp"
#include "models/nic/congestion.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/lattice.hpp"
#include "tools/run/config/check/effect_rules.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/config/rows/registered_rows.hpp"
#include "tools/run/config/settings.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::tools::rows {
namespace {

/// Whether two ways round some ring of a lattice can be equally long; true where that is not known.
bool has_ring_ties(const Config& config) {
  const auto network = models::make_topology(topology_spec(config));
  const auto* const lattice = dynamic_cast<const models::Lattice*>(&network->whole());
  const std::vector<u32> dims = network->grid();
  if (lattice == nullptr || dims.size() != lattice->dimensions()) return true;
  for (u32 d = 0; d < dims.size(); ++d) {
    const bool ring = lattice->crosses_border(RouterId(0), 2 * d + 1);  // down from coordinate 0
    if (ring && dims[d] % 2 == 0 && !network->one_way()) return true;
  }
  return false;
}

std::string on_routers(const KindsInUse& in_use, const char* why) {
  return fmt::format("on {} routers ({})", in_use.routers.front(), why);
}

}  // namespace

EffectRules effects_of_router() {
  using Why = std::optional<NoEffect>;
  return {{"router.lbr_packets",
           [](const Config&, const KindsInUse& in_use) -> Why {
             if (std::ranges::any_of(in_use.router().modes, &models::RouterMode::keeps_bubbles)) return {};
             return NoEffect{on_routers(in_use, "there are no bubbles to guard")};
           }},
          {"router.injection",
           [](const Config& config, const KindsInUse&) -> Why {
             if (config.integer("router.injection_queues") != 1) return {};
             return NoEffect{"with router.injection_queues = 1", "remove it, or use more router.injection_queues"};
           }},
          {"router.consumption",
           [](const Config& config, const KindsInUse& in_use) -> Why {
             if (nodes_sit_inside(config)) return {};
             return NoEffect{on_routers(in_use, "a node consumes through a link of its own")};
           }},
          {"router.ipr_fraction",
           [](const Config& config, const KindsInUse& in_use) -> Why {
             if (in_use.router().any_rate || nodes_sit_inside(config)) return {};
             return NoEffect{on_routers(in_use, "a node injects through a link of its own")};
           }},
          {"router.ties", [](const Config& config, const KindsInUse&) -> Why {
             if (has_ring_ties(config)) return {};
             return NoEffect{"in this network (no two ways round a ring of it are equally long)"};
           }}};
}

std::vector<Setting> router_and_packet() {
  const auto& registry = models::RouterRegistry::instance();
  std::vector<std::string> kinds{"auto"};
  for (const std::string& kind : registry.names()) kinds.push_back(kind);
  std::vector<Setting> rows{
      row::choice("router.kind", "auto", kinds,
                  "Router model; `weft describe routers` explains them. auto: what the topology is usually made of."),
      row::text(
          "router.routing", "auto",
          "Routing algorithm: which outputs a packet asks for; `weft describe routers` explains those of each kind. "
          "auto: the first of the router model. Routers that take the routes of other kinds (" +
              fmt::format("{}", fmt::join(kinds_that(&models::RouterKind::takes_routes), ", ")) +
              "): an algorithm of one that fits the topology, or that kind, with its keys, or KIND:ALGORITHM; auto: "
              "what the topology is made for."),
      row::integer("router.virtual_channels", "", 3, {1, 16},
                   "Virtual channels of each link; `weft describe routers` says what each is for."),
      row::integer("router.queue_packets", "packets", 4, {1, 255},
                   "Capacity of the transit queue of each virtual channel."),
      row::choice(
          "router.arbitration", "random",
          {"round-robin", "random", "fifo", "longest", "age", "age-in-network", "highest"},
          "Which of the packets that ask for an output gets it: the next in turn, any, the earliest request, the "
          "longest queue, the packet that its NIC accepted earliest (age), the one that left its injection queue "
          "earliest, those still in one last (age-in-network), or the next in turn of those in the highest virtual "
          "channel, those from nodes last."),
      row::integer("router.switch_latency_cycles", "cycles", 0, {0, 1'000'000},
                   "Cycles a header spends in a router beyond the one that a hop takes."),
      row::boolean("deadlock.unsafe", false, "Allow settings that can deadlock, on purpose."),
      row::choice(
          "deadlock.check", "auto", {"auto", "off", "full"},
          "Search for cycles of waiting channels at set-up, where routes can be asked beforehand. auto: in "
          "networks so small that it costs less than a blink, unless deadlock.unsafe; full: in any, whatever it "
          "costs."),
      row::integer("router.injection_queues", "queues", 1, {1, 64}, "Injection queues of each node."),
      row::integer("router.injection_queue_packets", "packets", 8, {1, 255},
                   "Capacity of the NIC behind each injection port; the port itself has a queue of queue_packets like "
                   "any input."),
      row::choice(
          "router.injection", "shortest", {"shortest", "dor", "dor-shortest", "shortest-profitable", "longest-path"},
          "Which injection queue takes a new packet: the shortest; that of its first direction in dimension order; "
          "the same or the shortest if that one is full; the shortest of its profitable directions; that of the "
          "direction with most hops to go."),
      row::integer("router.injection_timeout_cycles", "cycles", 0, {0, 10'000'000},
                   "A packet that has been the first of its injection queue for so long, and got no output, is dropped "
                   "(packets.dropped_at_head); 0 = it waits as long as it takes. Of plain routers."),
      row::choice("router.consumption", "single", {"single", "multiple"},
                  "Nodes that sit inside routers: a node takes one packet at a time, or one from every input queue."),
      row::real(
          "router.ipr_fraction", "", 0.0, {0.0, 1.0},
          "In-transit priority restriction: probability per cycle and output that packets from the nodes of a router "
          "are left out of arbitration while one in transit wants the output."),
      row::integer(
          "router.lbr_packets", "packets", 0, {0, 255},
          "Local buffer restriction: free space that a new packet must find in this router's queue of the adaptive "
          "channel that it enters; 0 = none.")};
  for (Setting& own : registered_rows<models::RouterKind>()) rows.push_back(std::move(own));
  for (Setting& own : registered_rows<models::arbiter::SchedulerKind>()) rows.push_back(std::move(own));
  for (Setting& row : models::endpoint::congestion_rows()) rows.push_back(std::move(row));
  for (Setting& own : registered_rows<models::endpoint::CongestionKind>()) rows.push_back(std::move(own));
  rows.push_back(
      row::integer("packet.phits", "phits", 16, {1, 4096}, "Length of a packet; a link moves a phit per cycle."));
  rows.push_back(row::integer(
      "packet.phit_bytes", "bytes", 4, {1, 65'536},
      "Bytes of a phit: says how many packets a message takes, and the length of a cycle at a link rate."));
  rows.push_back(row::integer("packet.header_phits", "phits", 0, {0, 4095},
                              "Of packet.phits, those that carry nothing of a message: every packet of a kernel, "
                              "collective or trace has them, short last ones too.")
                     .only_with("workload.kind", workloads::workload_kinds(true)));
  return rows;
}

}  // namespace weft::tools::rows
