// Rows of [topology] and [link]: which network, its shape, and what a link does.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/topology/topology.hpp"
#include "tools/run/config/check/effect_rules.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/config/rows/registered_rows.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools::rows {

EffectRules effects_of_topology_and_link() {
  using Why = std::optional<NoEffect>;
  return {{"link.node.latency_cycles",
           [](const Config& config, const KindsInUse& in_use) -> Why {
             if (in_use.router().any_rate || !nodes_sit_inside(config)) return {};
             return NoEffect{
                 fmt::format("with router.kind = \"{}\" (nodes sit inside its routers)", in_use.routers.front())};
           }},
          {"topology.tables", [](const Config& config, const KindsInUse& in_use) -> Why {
             if (in_use.row("router.engine") != nullptr) {
               if (config.text("router.engine") == "auto") return {};
               return NoEffect{"beside router.engine, which makes tables", "remove one of them"};
             }
             return NoEffect{fmt::format("on {} routers (they have routes of their own)", in_use.routers.back()),
                             fmt::format("remove it, or use router.kind = \"{}\"",
                                         fmt::join(kinds_with<models::RouterKind>("router.engine"), "\" or \""))};
           }}};
}

std::vector<Setting> topology_and_link() {
  std::vector<Setting> rows{
      row::text("topology.kind", std::nullopt, "Kind of network; `weft describe topologies` lists them.")};
  std::vector<Setting> classes;  // of links, that only some topologies have
  for (Setting& own : registered_rows<models::TopologyKind>()) {
    (own.table() == "topology" ? rows : classes).push_back(std::move(own));
  }
  for (Setting& of_links : std::vector<Setting>{
           row::integer("link.latency_cycles", "cycles", 1, {1, 1'000'000}, "Time from one end of a link to the other.")
               .because("a link of no latency leaves no lookahead"),
           row::real(
               "link.phits_per_cycle", "phits/cycle", 1.0, row::link_rates,
               "Phits that a link carries in a cycle, of routers that know rates; the cycle stays as link.rate_gbps "
               "says. A phit must take a whole number of ticks.")
               .because("slower and faster links are no links of one network"),
           row::real("link.latency_ns", "ns", 0.0, {0.0, 1e9},
                     "Latency in real time, instead of link.latency_cycles; needs simulation.tick_ps. 0 = not given."),
           row::real(
               "link.rate_gbps", "10^9 bit/s", 0.0, {0.0, 1e6},
               "Data rate: a cycle is the time of one phit on the link. 0 = not given, a cycle has no stated length or "
               "that of a tick."),
           row::integer("link.node.latency_cycles", "cycles", std::nullopt, {1, 1'000'000},
                        "Latency of the links between nodes and routers; that of all links if it is not given. Where "
                        "nodes sit inside routers it has a meaning for routers that know rates."),
           row::real("link.node.phits_per_cycle", "phits/cycle", std::nullopt, row::link_rates,
                     "Rate of the links between nodes and routers; that of all links if it is not given."),
           row::real("link.node.rate_gbps", "10^9 bit/s", std::nullopt, {0.0, 1e6},
                     "The same as a data rate, beside link.rate_gbps.")}) {
    rows.push_back(std::move(of_links));
  }
  for (Setting& of_class : classes) rows.push_back(std::move(of_class));
  return rows;
}

}  // namespace weft::tools::rows
