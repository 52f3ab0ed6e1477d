// Asks the routing of a run for its routes before it starts; see the header.
#include "tools/run/setup/static_routes.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/check.hpp"
#include "tools/run/setup/deadlock_check.hpp"

namespace weft::tools {
namespace {

/// Steps of following routes, some 30 ns each: before a run, and where the network is all that is asked for.
constexpr u64 most_steps_of_runs = 6'000'000, most_steps_of_topologies = 40'000'000;
/// Below this fraction of the topology's bound routes are uneven.
constexpr double even_share = 0.8;

/// The kinds of routers whose routes cannot be asked include those that look for other paths where links have failed.
std::string with_faults(const models::RouterSettings& router) {
  return router.faults ? " (it looks for another path where a link has failed)" : "";
}

models::StaticLoad worst_link(const models::Topology& topology, const models::RouterSettings& router, u64 most_steps) {
  const auto routes = routes_in_use(topology, router);
  if (!routes) return {{}, "the router's routes cannot be asked beforehand" + with_faults(router)};
  return models::worst_static_link(topology.plane(), *routes->routing, router.virtual_channels, most_steps);
}

bool is_uniform(const Config& config) { return !runs_tasks(config) && config.text("workload.pattern") == "uniform"; }

}  // namespace

bool is_uneven(const models::WorstLink& worst, const models::Topology& topology) {
  // A sample may be off by its error.
  return worst.load_bound + worst.error < even_share * topology.uniform_load_bound();
}

models::StaticLoad worst_link_of(const Config& config, const models::Topology& topology) {
  try {
    checks::check_network(config);
    models::RouterSettings router = router_settings(config, time_scale(config));
    router.faults = &topology.whole() != &topology;
    return worst_link(topology, router, most_steps_of_topologies);
  } catch (const ConfigError& error) {  // a matter of runs: here the network alone is looked at
    return {{}, std::string("no run of this config: ") + error.what()};
  } catch (const InputError& error) {
    return {{}, std::string("no run of this config: ") + error.what()};
  }
}

std::string load_bound_text(const models::WorstLink& worst) {
  if (worst.exact) return significant(worst.load_bound);
  return fmt::format("at most {} ± {} (95 %; measured on the routes to {} random destinations)",
                     significant(worst.load_bound), significant(worst.error, 2), grouped(worst.destinations));
}

void check_static_routes(Context& context) {
  const models::Topology& topology = *context.topology;
  constexpr u32 most_nodes = 4096;
  if (!is_uniform(context.config) || topology.nodes() > most_nodes) return;
  const workloads::SourceRules rules = source_rules(context.config);
  const double offered = rules.bursts != 0 ? 1.0 : rules.offered_load;
  const auto worst = worst_link(topology, context.router, most_steps_of_runs).worst;
  if (!worst || offered <= worst->load_bound || !is_uneven(*worst, topology)) return;
  context.result.warnings.push_back(
      fmt::format("routes are fixed and uneven: {} of router {} is full at {} phits/node/cycle of uniform traffic, "
                  "where the topology carries {}; routes by draws or by occupancy spread it",
                  shown(topology.port_name(RouterId(worst->router), worst->port)), worst->router,
                  load_bound_text(*worst), significant(topology.uniform_load_bound())));
}

}  // namespace weft::tools
