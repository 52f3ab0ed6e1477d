// The page of a loss: figures of both columns, and the fabric drawn before and after with one scale of colours.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/markup.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "models/subnet/routes.hpp"
#include "tools/fabric/host_names.hpp"
#include "tools/fabric/host_rate.hpp"
#include "tools/fabric/report/fabric_figure.hpp"
#include "tools/fabric/report/state_page.hpp"
#include "tools/fabric/report/what_if_report.hpp"

namespace weft::tools {
namespace {

page::Json column_row(const WhatIfColumn& column, std::size_t gone, double gbps) {
  const RoutedState& state = column.state;
  const auto share = [&state](double value, double ci95) {
    return state.judged ? page::cell(value, ci95) : page::Json("n/a");
  };
  page::Json row = {column.name,
                    column.name == "after" ? gone : 0,
                    state.links,
                    state.routes,
                    state.lost,
                    state.longest,
                    page::cell(state.mean_links),
                    state.most_routes,
                    state.looped_channels,
                    share(state.bandwidth, state.ci95),
                    share(state.all_to_all, 0)};
  if (gbps > 0) row.push_back(state.judged ? host_rate(state.all_to_all, gbps) : "n/a");
  return row;
}

void add_columns(page::Page& out, const Fabric& fabric, const WhatIf& found) {
  page::Json rows = page::Json::array();
  const double gbps = usual_gbps(fabric);
  for (const WhatIfColumn& column : found.columns) rows.push_back(column_row(column, found.cut_off.size(), gbps));
  page::Json columns = {{{"label", "fabric"}, {"text", true}},
                        {{"label", "hosts cut off"}},
                        {{"label", "links between switches"}},
                        {{"label", "routes of those that remain"}},
                        {{"label", "that do not arrive"}},
                        {{"label", "longest route"}},
                        {{"label", "mean route"}},
                        {{"label", "most routes on a link"}},
                        {{"label", "channels in credit loops"}},
                        {{"label", "bisect bandwidth"}, {"quantity", "share"}},
                        {{"label", "all-to-all"}, {"quantity", "share"}}};
  if (gbps > 0) columns.push_back({{"label", "all-to-all of a host"}, {"text", true}});
  out.figure({{"kind", "table"}, {"title", "Before and after"}, {"columns", columns}, {"rows", rows}, {"wide", true}});
  std::vector<BisectSeries> series;
  for (const WhatIfColumn& column : found.columns) series.push_back({column.name, column.state.bandwidths});
  add_bisect_curves(out, "Bandwidth of random bisections", series);
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list = "<ul>\n";
  for (std::size_t ix = 0; ix < std::min(words.size(), most_what_if_names); ++ix)
    list += "<li>" + escaped(words[ix]) + "</li>\n";
  if (words.size() > most_what_if_names)
    list += fmt::format("<li>and {} more</li>\n", grouped(words.size() - most_what_if_names));
  return list + "</ul>\n";
}

}  // namespace

std::string what_if_page(const Fabric& fabric, const WhatIf& found, const WhatIfChoice& choice) {
  page::Page out(shown(fabric.name) + " before and after a loss");
  out.lead(
      fmt::format("Routed with {}, before and after alike; {} random bisections of seed {} among the {} that remain.",
                  found.engine, grouped(choice.count), choice.seed, counted(found.hosts_left, "host")));
  if (!found.cut_off.empty())
    out.lead(counted(found.cut_off.size(), "host") + " would be cut off from the others.", "warning");
  out.style(drawing_style);
  out.section("loss", "What is lost");
  out.markup({{"title", "Taken away"}}, list_of(found.removal.words));
  if (!found.cut_off.empty()) {
    std::vector<std::string> names;
    for (const u32 h : found.cut_off) names.push_back(host_text(fabric.subnet, h));
    out.markup({{"title", "Cut off"}}, list_of(names));
  }
  out.section("figures", "Figures");
  add_columns(out, fabric, found);
  out.section("drawings", "Drawings");
  const models::FabricRouting before = models::route_subnet(fabric.subnet, found.engine);
  const models::RouteSurvey loads = routes_by_rates(fabric.subnet, models::survey_routes(fabric.subnet, before.tables));
  const DrawingColours colours = colours_by_routes(fabric.subnet, loads, {});
  add_drawing(out, fabric.subnet, draw_fabric(fabric.subnet, colours), &before.tables, "Before");
  const models::Subnet rest = subnet_without(fabric.subnet, found.removal);
  const models::FabricRouting after = models::route_subnet(rest, found.engine);
  const models::RouteSurvey loads_after = routes_by_rates(rest, models::survey_routes(rest, after.tables));
  DrawingColours colours_after = colours_by_routes(rest, loads_after, {});
  colours_after.ends = colours.ends;
  add_drawing(out, rest, draw_fabric(rest, colours_after), &after.tables, "After, in the colours of before");
  return out.html();
}

}  // namespace weft::tools
