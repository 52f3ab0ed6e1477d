// Checks of the keys, memory, routes.
#include "models/product/switch_kind.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/words.hpp"
#include "models/arbiter/matching.hpp"
#include "models/core/packet.hpp"
#include "models/machine/cells/port_table.hpp"
#include "models/machine/cells/route_choice.hpp"
#include "models/machine/cells/settings.hpp"
#include "models/nic/congestion.hpp"
#include "models/routing/routes.hpp"

namespace weft::models::cells {
namespace {

/// What [router] says of traffic classes.
std::optional<Complaint> check_classes(const Parameters& keys) {
  const i64 classes = keys.integer("traffic_classes"), channels = keys.integer("virtual_channels");
  const std::vector<i64> shares = keys.integers("class_shares");
  const std::vector<std::string> modes = listed_words(keys.text("class_modes"));
  constexpr i64 most_channels = 255;
  if (channels * classes > most_channels) {
    if (classes == 1) {
      return Complaint{"router.virtual_channels", "is too many for switches of cells", "use virtual_channels = 255"};
    }
    return Complaint{
        "router.traffic_classes",
        fmt::format("is too many with {} virtual channels each (a link has at most {} channels)", channels,
                    most_channels),
        most_channels / classes > 0 ? fmt::format("use virtual_channels = {}", most_channels / classes) : "use fewer"};
  }
  const auto not_as_many = [&](const std::string& key, const std::string& things, std::size_t count,
                               const std::string& example) {
    return Complaint{"router." + key,
                     fmt::format("has {} {} for {} traffic class{}", count, things, classes, classes == 1 ? "" : "es"),
                     classes == 1 ? "remove it, or give router.traffic_classes"
                                  : fmt::format("write one for each, for example {} = {}", key, example)};
  };
  if (!shares.empty() && shares.size() != static_cast<std::size_t>(classes)) {
    return not_as_many("class_shares", "weights", shares.size(),
                       list_text(std::vector<i64>(static_cast<std::size_t>(classes), 1)));
  }
  if (!shares.empty() && std::ranges::all_of(shares, [](i64 share) { return share == 0; })) {
    return Complaint{"router.class_shares", "leaves no class any packets", "give one of them a weight above 0"};
  }
  if (!modes.empty() && modes.size() != static_cast<std::size_t>(classes)) {
    const std::vector<std::string> example(static_cast<std::size_t>(classes), modes.front());
    return not_as_many("class_modes", "modes", modes.size(), fmt::format("\"{}\"", fmt::join(example, ", ")));
  }
  const std::vector<i64> sizes = keys.integers("class_bytes");
  if (!sizes.empty() && (sizes.size() + 1 != static_cast<std::size_t>(classes) || !std::ranges::is_sorted(sizes))) {
    return Complaint{
        "router.class_bytes",
        fmt::format("has {} sizes for {} traffic classes, or they are not ascending", sizes.size(), classes),
        "write one less than there are classes, for example class_bytes = [64, 4096] for three"};
  }
  if (classes == 1 && keys.text("class_priority") != "none") {
    return Complaint{"router.class_priority", "has no effect on one traffic class",
                     "give router.traffic_classes, or remove it"};
  }
  return {};
}

std::optional<Complaint> check_switch(const RouterChoice& choice) {
  if (auto complaint = arbiter::check_scheduling(choice, "switch", "switch")) return complaint;
  return check_cells(choice);
}

/// Whether the longest packets fit in all buffers; throws ConfigError.
void check_buffers(const CellSettings& own, u32 channels, u32 phits) {
  const auto too_few = [](const std::string& key, u32 cells, const std::string& why, u64 enough,
                          const std::string& or_else = "") {
    throw ConfigError(
        fmt::format("router.{0} = {1} is too few {2}; use {0} = {3}{4}", key, cells, why, enough, or_else));
  };
  const std::string fits = fmt::format("for packets of {} phits (a whole one must fit in)", phits);
  if (own.buffer_cells < phits) too_few("buffer_cells", own.buffer_cells, fits, u64{2} * phits);
  if (own.output_cells != 0 && own.output_cells < phits) {
    too_few("output_buffer_cells", own.output_cells, fits, u64{2} * phits, ", or 0");
  }
  if (!own.shared) return;
  if (own.reserved_cells < phits) too_few("reserved_cells", own.reserved_cells, fits, phits);
  if (const u64 all = u64{channels} * own.reserved_cells; all > own.buffer_cells) {
    too_few("buffer_cells", own.buffer_cells,
            fmt::format("for {} channels with {} cells reserved for each", channels, own.reserved_cells), 2 * all);
  }
}

/// Bytes of what is there all the time, and of the packets that wait at nodes when all are full.
u64 switch_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
  if (topology.nodes() > u32{1} << Packet::address_bits) {
    throw ConfigError(fmt::format("a network of {} nodes is too large: packets can address {}; use fewer nodes",
                                  topology.nodes(), u32{1} << Packet::address_bits));
  }
  const CellSettings own = cell_settings(settings);
  const u64 channels = u64{settings.virtual_channels} * own.classes;
  check_buffers(own, static_cast<u32>(channels), settings.packet_phits);
  if (&topology.whole() != &topology && !router_kind(settings.kind).routing) {
    throw ConfigError(
        "switches of cells do not know how to go round what has failed before the run; use faults.event with at_cycle "
        "= 0, or remove it from [faults]");
  }
  const bool by_lanes = own.scheduling == arbiter::Scheduling::vl_arbitration;
  const u64 port = PortTable::bytes_of_port(channels, true) + sizeof(Tick) +
                   (own.output_cells != 0 ? sizeof(Tick) : 0) + (own.shared ? sizeof(i32) : 0) +
                   (own.scheduling == arbiter::Scheduling::islip ? channels * sizeof(arbiter::Matching::Turn) : 0) +
                   (by_lanes ? arbiter::VlArbitration::bytes_of_port(channels) : 0);
  constexpr u64 entity = 96, list = 4, beside_a_packet = 40;
  u64 bytes = topology.nodes() * (entity + 2 * port + (by_lanes ? channels : own.classes) * list +
                                  own.node_packets * (packet_bytes + beside_a_packet));
  for (u32 kind = 0; kind < topology.kinds(); ++kind) {
    const u64 ports = topology.kind_ports(kind) + (topology.direct() ? 1 : 0);
    bytes += topology.kind_routers(kind) * (entity + ports * (port + channels / 8 + 1));
  }
  return bytes;
}

void resolve_switch(RouterSettings& settings, const std::string& topology) {
  settings.traffic_classes = static_cast<u32>(settings.own.integer("traffic_classes"));
  resolve_routes(settings, topology);
}

SearchedRoutes searched_routes_of(const Topology& topology, const RouterSettings& settings) {
  const std::vector<std::string> modes = cell_settings(settings).class_modes;
  SearchedRoutes routes{make_routing(topology, settings, modes.front()), TakesCandidate::any, "router.routing"};
  const std::set<std::string> others(modes.begin() + 1, modes.end());
  for (const std::string& mode : others) {
    if (mode != modes.front()) routes.of_other_classes.push_back(make_routing(topology, settings, mode));
  }
  return routes;
}

}  // namespace

std::vector<IgnoredKey> keys_of_packet_queues() {
  return {{"router.queue_packets", "their buffers are in cells: router.buffer_cells"},
          {"router.arbitration", "router.scheduling says who gets an output"},
          {"router.injection_queues", "nodes have one queue"},
          {"router.injection", "nodes have one queue"},
          {"router.injection_timeout_cycles", "nodes send when their link takes it"},
          {"router.consumption", "a node takes what its link brings"},
          {"router.lbr_packets", "there are no bubbles to guard"}};
}

std::optional<Complaint> check_injection(const RouterChoice& choice, const std::string& switches) {
  const auto no_effect = [&](const std::string& key, const std::string& why) {
    return Complaint{"router." + key, fmt::format("has no effect on {} ({})", switches, why), "remove it"};
  };
  if (choice.keys.integer("injection_queues") != 1) return no_effect("injection_queues", "nodes have one queue");
  if (choice.keys.integer("lbr_packets") != 0) return no_effect("lbr_packets", "there are no bubbles to guard");
  return {};
}

std::optional<Complaint> check_cells(const RouterChoice& choice) {
  if (auto complaint = check_injection(choice, "switches of cells")) return complaint;
  if (choice.keys.integer("speedup") > 1 && choice.keys.integer("output_buffer_cells") == 0) {
    return Complaint{"router.speedup", "needs buffers at the outputs (router.output_buffer_cells is 0)",
                     "add for example output_buffer_cells = 64, or use speedup = 1"};
  }
  if (choice.keys.has("reserved_cells") && choice.keys.text("buffers") != "shared") {
    return Complaint{"router.reserved_cells", "has no effect (each channel has a buffer of its own)",
                     "use buffers = \"shared\", or remove it"};
  }
  if (auto complaint = check_classes(choice.keys)) return complaint;
  const std::vector<std::string> modes = listed_words(choice.keys.text("class_modes"));
  return modes.empty() ? check_routes(choice, true) : check_routes(choice, true, "router.class_modes", modes);
}

IdleAllowance idle_allowance_of(const Topology& /*topology*/, const RouterSettings& settings) {
  const endpoint::Congestion congestion(settings);
  return {.at_router = cell_settings(settings).routing_ticks,
          .at_source = congestion.longest_gap(settings.longest_packet_ticks()),
          .on_link = 0,
          .journeys = congestion.acknowledges() ? 2U : 1U};
}

RouterKind switch_kind() {
  return {.help =
              "input-queued switches for packets of any length: buffers and credits in cells (phits), virtual output "
              "queues or FIFOs, a crossbar scheduled by iSLIP, age or at random, as fast as the links or faster, "
              "cut-through or store-and-forward, traffic classes with priorities, the routes of another kind of "
              "router. docs/switch.md says what is modelled.",
          .families = {any_family},
          .modes = {{"credits", "of the outputs that router.routing gives as candidates, the one with most credits.",
                     false}},
          .settings = setting_rows(),
          .check = check_switch,
          .routing = {},
          .has_loop = {},
          .bytes = switch_bytes,
          .resolve = resolve_switch,
          .ignores = keys_of_packet_queues(),
          .machine = "switch",
          .takes_routes = true,
          .controls_congestion = true,
          .any_length = true,
          .any_rate = true,
          .live_faults = true,
          .live_rates = true,
          .searched_routes = searched_routes_of,
          .idle = idle_allowance_of};
}

}  // namespace weft::models::cells
