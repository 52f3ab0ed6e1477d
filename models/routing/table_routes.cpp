// Takes a fabric's tables or has them made.
#include "models/routing/table_routes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "models/subnet/engine/best_engine.hpp"
#include "models/subnet/subnet_topology.hpp"

namespace weft::models {
namespace {

/// Bytes of tables at most, on each process.
constexpr u64 most_entries = u64{1} << 31;

/// The fabric's own tables, if it has some and no engine is asked for.
const ForwardingTables* tables_of_fabric(const Topology& topology, const RouterSettings& settings) {
  const auto* const fabric = dynamic_cast<const SubnetTopology*>(&topology.whole());
  return fabric != nullptr && settings.own.text("engine") == "auto" ? fabric->tables() : nullptr;
}

/// Tables by the numbers of nodes; of several addresses of a host the first.
ForwardingTables by_nodes(const ForwardingTables& given, const SubnetTopology& fabric, const Subnet& subnet) {
  ForwardingTables tables(subnet);
  for (u32 n = 0; n < fabric.nodes(); ++n) {
    const u32 target = given.first_target(fabric.host_of(NodeId(n)));
    std::copy_n(given.row(target), fabric.routers(), tables.row(n));
  }
  return tables;
}

}  // namespace

Setting engine_row() {
  return row::text(
             "router.engine", "auto",
             "which routing engine fills the tables: minhop, updn, dmodk, dor, sssp (weft fabric route --help). auto: "
             "the fabric's own tables if topology.tables gives some, else the engine whose routes are free of credit "
             "loops in "
             "the layers that there are channels for, and carry most uniform traffic on their most loaded link.")
      .not_beside("router.routes_path");
}

std::optional<std::pair<std::string, std::string>> engine_problem(const std::string& engine) {
  const std::vector<std::string> engines = RoutingEngineRegistry::instance().names();
  if (engine == "auto" || RoutingEngineRegistry::instance().find(engine) != nullptr) return {};
  return std::pair{fmt::format("is no routing engine (auto, {})", fmt::join(engines, ", ")),
                   fmt::format("did you mean \"{}\"?", nearest(engine, engines))};
}

TableRoutes table_routes(const Topology& topology, const RouterSettings& settings, bool one_layer) {
  const u64 entries = u64{topology.nodes()} * topology.routers();
  if (entries > most_entries) {
    throw ConfigError(
        fmt::format("tables of {} routers for {} nodes take {} MB on each process, more than the {} that are "
                    "allowed; use a router that computes its routes, or a smaller network",
                    topology.routers(), topology.nodes(), entries >> 20, most_entries >> 20));
  }
  Subnet subnet = subnet_of(topology);
  if (const ForwardingTables* const given = tables_of_fabric(topology, settings)) {
    ForwardingTables tables = by_nodes(*given, static_cast<const SubnetTopology&>(topology.whole()), subnet);
    RouteLayers layers = one_layer ? RouteLayers{} : break_cycles(subnet, tables, settings.virtual_channels);
    return {std::move(subnet), std::move(tables), std::move(layers), "tables"};
  }
  const std::string engine = settings.own.text("engine");
  if (engine == "auto") {
    // Where layers are left out, the routes have to do with one.
    BestRouting best = best_routing(subnet, settings.virtual_channels, one_layer);
    return {std::move(subnet), std::move(best.routing.tables), std::move(best.routing.layers), best.engine};
  }
  FabricRouting made = route_subnet(subnet, engine, {.most_layers = settings.virtual_channels});
  if (one_layer) {
    made.layers = {};
  } else if (made.layers.used == 1) {  // else the engine has shared its routes out itself
    made.layers = break_cycles(subnet, made.tables, settings.virtual_channels);
  }
  return {std::move(subnet), std::move(made.tables), std::move(made.layers), engine};
}

}  // namespace weft::models
