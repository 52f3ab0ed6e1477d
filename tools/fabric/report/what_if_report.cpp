// Columns of a fabric before and after a loss; see the header.
#include "tools/fabric/report/what_if_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "tools/fabric/findings.hpp"
#include "tools/fabric/host_rate.hpp"

namespace weft::tools {
namespace {

using models::Subnet;

/// Hosts of `before` that are not in `after`; both ascend.
std::vector<u32> missing(const std::vector<u32>& before, const std::vector<u32>& after) {
  std::vector<u32> gone;
  std::ranges::set_difference(before, after, std::back_inserter(gone));
  return gone;
}

RoutedState routed_state(const Subnet& subnet, const std::string& engine, StateChoice choice) {
  const models::FabricRouting routing = models::route_subnet(subnet, engine);
  choice.layers = routing.layers.used;
  return state_of(subnet, routing.tables, choice);
}

}  // namespace

WhatIf what_if(const Fabric& fabric, const models::ForwardingTables* tables, const WhatIfChoice& options) {
  const Subnet& before = fabric.subnet;
  WhatIf found;
  found.engine = options.engine;
  found.removal = removal_of(before, options.without);
  const Subnet after = subnet_without(before, found.removal);
  StateChoice choice{largest_part(after), options.count, options.seed, 1};
  found.cut_off = missing(largest_part(before), choice.hosts);
  found.hosts_left = choice.hosts.size();
  if (tables != nullptr) found.columns.push_back({"tables", state_of(before, *tables, choice)});
  found.columns.push_back({"before", routed_state(before, found.engine, choice)});
  found.columns.push_back({"after", routed_state(after, found.engine, choice)});
  return found;
}

namespace {

std::string bandwidth_text(const RoutedState& state, bool several) {
  if (!state.judged) return "n/a";
  return percent(state.bandwidth, 2) + (several ? plus_minus(100 * state.ci95) : "");
}

std::string loops_text(const RoutedState& state) {
  if (state.tangles == 0) return "none";
  const std::string text = grouped(state.looped_channels) + " channels";
  return state.layers > 1 ? fmt::format("{}; {} layers break them", text, state.layers) : text;
}

/// Figures of all columns, a row each.
TextTable rows_of(const Fabric& fabric, const WhatIf& found, const WhatIfChoice& options) {
  TextTable table;
  const auto row = [&](const std::string& name, auto&& value) {
    table.push_back({name});
    for (const WhatIfColumn& column : found.columns) table.back().push_back(value(column));
  };
  const RoutedState& before = found.columns[found.columns.size() - 2].state;
  const auto against = [&before](const WhatIfColumn& c, double RoutedState::*figure) {
    const bool known = c.name == "after" && before.judged && c.state.judged;
    return known ? percent(c.state.*figure / before.*figure, 1) : "";
  };
  const auto& gone = found.cut_off;
  const double gbps = usual_gbps(fabric);
  using Column = WhatIfColumn;
  row("", [](const Column& c) { return c.name; });
  row("hosts cut off", [&](const Column& c) { return c.name == "after" ? grouped(gone.size()) : std::string("0"); });
  row("links between switches", [](const Column& c) { return grouped(c.state.links); });
  row("routes of those that remain", [](const Column& c) { return grouped(c.state.routes); });
  row("that do not arrive", [](const Column& c) { return grouped(c.state.lost); });
  row("longest route, links", [](const Column& c) { return grouped(c.state.longest); });
  row("mean route, links", [](const Column& c) { return fixed(c.state.mean_links, 3); });
  row("most routes on a link", [](const Column& c) { return grouped(c.state.most_routes); });
  row("credit loops", [](const Column& c) { return loops_text(c.state); });
  row("bisect bandwidth ± 95 % confidence",
      [&](const Column& c) { return bandwidth_text(c.state, options.count > 1); });
  row("against before", [&](const Column& c) { return against(c, &RoutedState::bandwidth); });
  row("all-to-all, of a link",
      [](const Column& c) { return c.state.judged ? percent(c.state.all_to_all, 2) : std::string("n/a"); });
  if (gbps > 0)
    row("a host",
        [&](const Column& c) { return c.state.judged ? host_rate(c.state.all_to_all, gbps) : std::string("n/a"); });
  row("against before", [&](const Column& c) { return against(c, &RoutedState::all_to_all); });
  return table;
}

}  // namespace

std::string text_of(const Fabric& fabric, const WhatIf& found, const WhatIfChoice& options) {
  std::string text = fmt::format("{}: {} hosts, {}\n", fabric.name, grouped(fabric.subnet.hosts()),
                                 counted(fabric.subnet.switches(), "switch"));
  const FabricFindings cables = examine_cables(fabric);
  text += verdict_lines(cables);
  std::string heading = "without";
  for (std::size_t ix = 0; ix < std::min(found.removal.words.size(), most_what_if_names); ++ix) {
    text += labelled(heading, found.removal.words[ix]);
    heading.clear();
  }
  if (found.removal.words.size() > most_what_if_names)
    text += labelled("", fmt::format("and {} more", found.removal.words.size() - most_what_if_names));
  text += labelled(
      "routing", found.engine + (found.columns.size() > 2 ? "; the tables as they are, in a column of their own" : ""));
  text += labelled("patterns",
                   fmt::format("{} of seed {}, random bisections of the {} that remain, the same before and after",
                               grouped(options.count), options.seed, counted(found.hosts_left, "host")));
  return text + aligned(rows_of(fabric, found, options));
}

namespace {

nlohmann::json json_of(const RoutedState& state) {
  nlohmann::json json = {{"switch_links", state.links},
                         {"routes", state.routes},
                         {"lost_routes", state.lost},
                         {"longest", state.longest},
                         {"mean_links", state.mean_links},
                         {"most_routes", state.most_routes},
                         {"layers", state.layers},
                         {"credit_loops", {{"tangles", state.tangles}, {"channels", state.looped_channels}}},
                         {"bandwidth", nullptr}};
  if (state.judged) json["bandwidth"] = {{"mean", state.bandwidth}, {"ci95", state.ci95}};
  json["all_to_all"] = state.judged ? nlohmann::json(state.all_to_all) : nlohmann::json();
  return json;
}

}  // namespace

nlohmann::json json_of(const Fabric& fabric, const WhatIf& found, const WhatIfChoice& options) {
  nlohmann::json cut_off = nlohmann::json::array();
  for (const u32 h : found.cut_off) cut_off.push_back(shown(fabric.subnet.host_label(h)));
  nlohmann::json json = {{"fabric", fabric.name},
                         {"hosts", fabric.subnet.hosts()},
                         {"switches", fabric.subnet.switches()},
                         {"without", found.removal.words},
                         {"cables", found.removal.cables},
                         {"engine", found.engine},
                         {"patterns", options.count},
                         {"seed", options.seed},
                         {"hosts_left", found.hosts_left},
                         {"cut_off", cut_off}};
  const FabricFindings cables = examine_cables(fabric);
  json["verdict"] = verdict_word(cables);
  json["warnings"] = cables.warnings;
  for (const WhatIfColumn& column : found.columns) json[column.name] = json_of(column.state);
  return json;
}

}  // namespace weft::tools
