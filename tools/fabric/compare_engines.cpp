// Every rank routes alike; the patterns of each engine are shared out.
#include "tools/fabric/compare_engines.hpp"

#include <chrono>

#include "engine/base/error.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "models/subnet/engine/virtual_layers.hpp"

namespace weft::tools {
namespace {

using models::Subnet;

u32 lanes_for(const Subnet& subnet, const models::ForwardingTables& tables) {
  try {
    return models::break_cycles(subnet, tables, most_lanes).used;
  } catch (const ConfigError&) {
    return 0;
  }
}

/// Fills what is known of a fabric under tables.
void judge(const Subnet& subnet, const models::ForwardingTables& tables, const StateChoice& choice,
           engine::Transport& transport, Progress& progress, EngineRow& row) {
  row.state = state_of(subnet, tables, choice, transport, progress);
  row.lanes = row.state.tangles == 0 ? 1 : choice.layers > 1 ? choice.layers : lanes_for(subnet, tables);
  if (row.state.judged && choice.hosts.size() <= most_shift_hosts) row.shift = shift_bandwidth(subnet, tables, choice);
}

}  // namespace

EngineComparison compare_engines(const Fabric& fabric, const models::ForwardingTables* tables,
                                 const CompareChoice& choice, engine::Transport& transport, Progress& progress) {
  const Subnet& subnet = fabric.subnet;
  StateChoice state{.hosts = largest_part(subnet), .patterns = choice.patterns, .seed = choice.seed};
  EngineComparison comparison{&fabric, state.hosts.size(), {}};
  if (tables != nullptr) {
    comparison.rows.emplace_back().engine = "recorded tables";
    judge(subnet, *tables, state, transport, progress, comparison.rows.back());
  }
  for (const std::string& engine : choice.engines) {
    EngineRow& row = comparison.rows.emplace_back();
    row.engine = engine;
    const auto begin = std::chrono::steady_clock::now();
    std::optional<models::FabricRouting> routing;
    try {
      routing = models::route_subnet(subnet, engine, {.most_layers = most_lanes});
    } catch (const ConfigError& error) {
      row.refusal = error.what();
      continue;
    }
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    state.layers = routing->layers.used;
    judge(subnet, routing->tables, state, transport, progress, row);
  }
  return comparison;
}

}  // namespace weft::tools
