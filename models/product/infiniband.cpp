// Registers InfiniBand switches: blocks of 64 bytes, forwarding tables, service levels on virtual lanes, VL
// arbitration.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/arbiter/vl_arbitration.hpp"
#include "models/product/switch_kind.hpp"
#include "models/routing/service_levels.hpp"

namespace weft::models {
namespace {

constexpr i64 most_lanes = 15;
/// An MTU of 4096 bytes, and a block of headers.
constexpr u32 most_blocks = 65;

/// Where the values come from: docs/infiniband.md.
std::vector<DefaultValue> infiniband_values(const std::string& /*topology*/) {
  return {{"packet.phits", i64{33}},
          {"packet.phit_bytes", i64{64}},
          {"packet.header_phits", i64{1}},
          {"link.latency_cycles", i64{1}},
          {"router.routing_cycles", i64{4}},
          {"router.switch_latency_cycles", i64{2}},
          {"router.virtual_channels", i64{8}},
          {"router.buffer_cells", i64{128}},
          {"router.queues", std::string("fifo")},
          {"router.scheduling", std::string("vl-arbitration")},
          {"router.routing", std::string("forwarding-table")}};
}

std::optional<Complaint> check_infiniband(const RouterChoice& choice) {
  const auto only = [](const std::string& key, const std::string& why, const std::string& value) {
    return Complaint{"router." + key, fmt::format("does not fit InfiniBand switches ({})", why),
                     fmt::format("remove it, or use {} = {}", key, value)};
  };
  const Parameters& keys = choice.keys;
  if (keys.text("routing") != "forwarding-table")
    return only("routing", "they have forwarding tables", "\"forwarding-table\"");
  if (keys.text("scheduling") != "vl-arbitration")
    return only("scheduling", "virtual lanes share outputs by weights", "\"vl-arbitration\"");
  if (keys.integer("virtual_channels") > most_lanes)
    return only("virtual_channels", "a link has 15 lanes for data", std::to_string(most_lanes));
  if (keys.integer("traffic_classes") != 1)
    return only("traffic_classes", "service levels and virtual lanes take their place", "1");
  if (keys.has("iterations") && keys.integer("iterations") != 1)
    return only("iterations", "outputs are served one after the other", "1");
  if (keys.text("adaptive_choice") != "space")
    return only("adaptive_choice", "forwarding tables leave no choice", "\"space\"");
  if (keys.flag("one_layer")) return only("one_layer", "router.sl_by = \"shares\" leaves layers out", "false");
  if (auto complaint = check_service_levels(choice)) return complaint;
  if (auto complaint = arbiter::check_vl_tables(keys)) return complaint;
  return cells::check_cells(choice);
}

RouterKind infiniband_kind() {
  RouterKind kind = cells::switch_kind();
  kind.help =
      "InfiniBand switches: a switch of cells (see switch), where a cell is a block of 64 bytes, with forwarding "
      "tables, a queue for each virtual lane of each input, service levels that become virtual lanes at each hop, and "
      "VL arbitration by two tables of weights. docs/infiniband.md says what is modelled.";
  kind.defaults = infiniband_values;
  kind.check = check_infiniband;
  kind.ignores.push_back({"router.ipr_fraction", "virtual lanes share outputs by weights"});
  for (Setting& row : service_level_rows()) kind.settings.push_back(std::move(row));
  for (Setting& row : arbiter::vl_rows()) kind.settings.push_back(std::move(row));
  kind.routing = [](const Topology& topology, const RouterSettings& settings) {
    return service_level_routing(topology, settings, LevelDraws::by_shares);
  };
  kind.searched_routes = [](const Topology& topology, const RouterSettings& settings) {
    return SearchedRoutes{service_level_routing(topology, settings, LevelDraws::evenly), TakesCandidate::any,
                          "router.routing"};
  };
  kind.bytes = [bytes = kind.bytes](const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
    if (settings.packet_phits > most_blocks) {
      throw ConfigError(fmt::format(
          "packet.phits = {} is too long for InfiniBand (an MTU of 4096 bytes is 64 blocks, and one of headers); use "
          "packet.phits = {} or less",
          settings.packet_phits, most_blocks));
    }
    return bytes(topology, settings, packet_bytes);
  };
  return kind;
}

[[maybe_unused]] const bool infiniband_registered = RouterRegistry::instance().add("infiniband", infiniband_kind());

}  // namespace
}  // namespace weft::models
