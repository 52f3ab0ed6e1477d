// Small networks of InfiniBand switches with random settings and traffic, for the model and its judge.
#pragma once

#include "tests/models/cells/case_as_judged.hpp"

namespace weft::models::testing {

struct InfinibandCase : SwitchCase {
  std::vector<i64> sl_shares, sl2vl;
  reference::VlTables tables;

  [[nodiscard]] static std::string text_of(const reference::VlTables::Table& table) {
    std::vector<std::string> entries;
    for (const auto& [lane, weight] : table) entries.push_back(fmt::format("{}:{}", lane, weight));
    return fmt::format("{}", fmt::join(entries, ","));
  }
  [[nodiscard]] std::string describe() const {
    return SwitchCase::describe() + fmt::format(", shares {}, sl2vl {}, high {} limit {}, low {}",
                                                fmt::join(sl_shares, ":"), fmt::join(sl2vl, ","), text_of(tables.high),
                                                tables.limit, text_of(tables.low));
  }
};

/// A table of all lanes in `lanes`, some of them several times, and entries that are skipped.
inline reference::VlTables::Table random_table(Lottery& draw, const std::vector<u32>& lanes, u32 most_cells) {
  reference::VlTables::Table table;
  for (const u32 lane : lanes) {
    for (u32 times = draw.chance(70) ? 1 : 3; times > 0; --times) {
      table.emplace_back(lane, draw.between(1, std::min(255U, 4 * most_cells)));
      if (draw.chance(20)) table.emplace_back(lane, 0);
    }
  }
  for (std::size_t k = table.size(); k > 1; --k) std::swap(table[k - 1], table[draw.below(static_cast<u32>(k))]);
  return table;
}

/// Shortest routes are shared out among the service levels, a lane each, so that no packets wait in a cycle.
inline void use_layers(Lottery& draw, InfinibandCase& made) {
  made.channels = 4;
  made.sl_shares.clear();
  made.sl2vl = {0, 1, 2, 3};
  made.routing_keys = {{"engine", draw.one_of<std::string>({"minhop", "sssp"})},
                       {"sl_by", std::string("layers")},
                       {"sl2vl", made.sl2vl}};
}

/// Networks in which up-down routes take one layer, safe on any lanes, or shortest ones several.
inline InfinibandCase random_infiniband_case(u64 seed) {
  Lottery draw(seed * 3 + 2);
  SwitchPairing pairing = draw.one_of(switch_pairings());
  pairing.channels = 1;
  InfinibandCase made;
  static_cast<SwitchCase&>(made) = random_switch_case(draw, seed, pairing);
  made.fifo = draw.chance(70);
  made.iterations = 0;
  made.transit_first = false;
  made.choice_in_turn = false;
  made.channels = draw.between(1, 4);
  if (draw.chance(25)) {
    made.speedup = 1;
    made.output_cells = made.most_cells + draw.below(2 * made.most_cells);
  }
  const u32 levels = draw.between(1, 5);
  for (u32 level = 0; level < levels; ++level) {
    made.sl_shares.push_back(draw.between(1, 4));
    made.sl2vl.push_back(draw.below(made.channels));
  }
  made.routing_keys = {{"engine", std::string("updn")},
                       {"sl_by", std::string("shares")},
                       {"sl_shares", made.sl_shares},
                       {"sl2vl", made.sl2vl}};
  if (draw.chance(30)) use_layers(draw, made);
  std::vector<u32> high, low;
  for (u32 lane = 0; lane < made.channels; ++lane) {
    const u32 where = draw.below(3);
    if (where != 1) low.push_back(lane);
    if (where != 0) high.push_back(lane);
  }
  made.tables.high = random_table(draw, high, made.most_cells);
  made.tables.low = random_table(draw, low, made.most_cells);
  made.tables.limit = draw.one_of<u32>({0, 0, 1, 2, 255});
  if (draw.chance(40)) static_cast<SwitchCase&>(made) = controlled(made, seed);
  made.routing = "infiniband";
  made.modes = {""};
  return made;
}

inline Case setup_of_infiniband(const InfinibandCase& given) {
  Case setup = setup_of_switches(given);
  setup.router.kind = "infiniband";
  Parameters& own = setup.router.own;
  for (const Setting& row : router_kind("infiniband").settings) {
    if (!own.has(row.name())) own.set(row.name(), row.fallback);
  }
  own.set("routing", std::string("forwarding-table"));
  own.set("routing_mode", std::string("auto"));
  own.set("scheduling", std::string("vl-arbitration"));
  own.set("class_modes", std::string());
  own.set("vl_high", InfinibandCase::text_of(given.tables.high));
  own.set("vl_low", InfinibandCase::text_of(given.tables.low));
  own.set("vl_high_limit", i64{given.tables.limit});
  return setup;
}

inline reference::CellOutcome judge_infiniband(const InfinibandCase& given) {
  RoutesOfCase routes(given);
  reference::CellNetwork network = cell_network(given, routes.topology());
  network.lanes = given.tables;
  return reference::CellSwitches(network, cell_packets(given), rules_of(given, routes)).run(50'000);
}

}  // namespace weft::models::testing
