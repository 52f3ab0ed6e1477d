// Columns of a comparison; see the header.
#include "tools/fabric/report/compare_outputs.hpp"

#include <fmt/format.h>
#include <limits>

#include "engine/base/text/csv.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "tools/fabric/findings.hpp"
#include "tools/fabric/host_rate.hpp"
#include "tools/fabric/report/state_page.hpp"
#include "tools/report/page/page.hpp"

namespace weft::tools {
namespace {

std::string heading_of(const EngineComparison& comparison) {
  const models::Subnet& subnet = comparison.fabric->subnet;
  const double gbps = usual_gbps(*comparison.fabric);
  return fmt::format("{}: {}, {}, {} between switches{}", shown(comparison.fabric->name),
                     counted(subnet.hosts(), "host"), counted(subnet.switches(), "switch"),
                     counted(subnet.switch_links(), "link"),
                     gbps > 0 ? fmt::format(", a link carries {}", host_rate(1, gbps)) : "");
}

std::string lanes_text(const EngineRow& row) {
  if (row.lanes == 0) return fmt::format("> {} VLs", most_lanes);
  return row.lanes == 1 ? "yes" : fmt::format("{} VLs", row.lanes);
}

std::string arrive_text(const RoutedState& state) {
  return state.lost == 0 ? "all" : percent(1 - static_cast<double>(state.lost) / static_cast<double>(state.routes), 2);
}

double over_mean(const RoutedState& state) {
  return state.mean_routes > 0 ? static_cast<double>(state.most_routes) / state.mean_routes : 1;
}

/// Cells of the text; `rates`: whether bytes a second are known.
std::vector<std::string> cells_of(const EngineRow& row, double gbps) {
  if (!row.routed()) {
    std::vector<std::string> none(gbps > 0 ? 12 : 11, "n/a");
    none[0] = row.engine;
    none[1] = "refused";
    return none;
  }
  const RoutedState& state = row.state;
  std::vector<std::string> cells = {row.engine, arrive_text(state), lanes_text(row), fixed(state.mean_links, 3),
                                    grouped(state.longest)};
  if (state.judged) {
    cells.push_back(percent(state.bandwidth, 2) + plus_minus(100 * state.ci95));
    cells.push_back(percent(state.all_to_all, 2));
    if (gbps > 0) cells.push_back(host_rate(state.all_to_all, gbps));
    cells.push_back(row.shift ? percent(*row.shift, 2) : "n/a");
  } else {
    cells.insert(cells.end(), gbps > 0 ? 4 : 3, "n/a");
  }
  cells.push_back(grouped(state.most_routes));
  cells.push_back(fixed(over_mean(state), 2));
  cells.push_back(row.seconds > 0 ? duration(row.seconds) : "");
  return cells;
}

nlohmann::json row_json(const EngineRow& row, double gbps) {
  nlohmann::json json = {{"engine", row.engine}, {"routed", row.routed()}};
  if (!row.routed()) {
    json["refusal"] = row.refusal;
    return json;
  }
  const RoutedState& state = row.state;
  json.update({{"routes", state.routes},
               {"lost_routes", state.lost},
               {"deadlock_free", state.tangles == 0},
               {"virtual_lanes", row.lanes > 0 ? nlohmann::json(row.lanes) : nlohmann::json()},
               {"mean_links", state.mean_links},
               {"longest", state.longest},
               {"most_routes", state.most_routes},
               {"mean_routes", state.mean_routes},
               {"seconds", row.seconds > 0 ? nlohmann::json(row.seconds) : nlohmann::json()},
               {"bandwidth", nullptr},
               {"all_to_all", nullptr},
               {"all_to_all_mb_per_s", nullptr},
               {"shift", nullptr}});
  if (!state.judged) return json;
  json["bandwidth"] = {{"mean", state.bandwidth}, {"ci95", state.ci95}};
  json["all_to_all"] = state.all_to_all;
  if (gbps > 0) json["all_to_all_mb_per_s"] = host_mb_per_s(state.all_to_all, gbps);
  if (row.shift) json["shift"] = *row.shift;
  return json;
}

void add_csv_row(CsvText& text, const std::string& fabric, double gbps, const EngineRow& row) {
  const RoutedState& state = row.state;
  text.cell(fabric);
  text.cell(row.engine);
  const auto number = [&text](bool known, double value) {
    text.cell(known ? value : std::numeric_limits<double>::quiet_NaN());
  };
  number(row.routed(), static_cast<double>(state.routes));
  number(row.routed(), static_cast<double>(state.lost));
  number(row.routed() && row.lanes > 0, row.lanes);
  number(row.routed(), state.mean_links);
  number(row.routed(), static_cast<double>(state.longest));
  const bool judged = row.routed() && state.judged;
  number(judged, state.bandwidth);
  number(judged, state.ci95);
  number(judged, state.all_to_all);
  number(judged && gbps > 0, host_mb_per_s(state.all_to_all, gbps));
  number(row.shift.has_value(), row.shift.value_or(0));
  number(row.routed(), static_cast<double>(state.most_routes));
  number(row.routed(), state.mean_routes);
  number(row.seconds > 0, row.seconds);
  text.end_row();
}

page::Json page_row(const EngineRow& row, double gbps) {
  if (!row.routed()) {
    page::Json none = {row.engine, "refused: " + row.refusal};
    for (std::size_t cell = 2; cell < (gbps > 0 ? 12U : 11U); ++cell) none.push_back("n/a");
    return none;
  }
  const RoutedState& state = row.state;
  const auto share = [&state](double value, double ci95) {
    return state.judged ? page::cell(value, ci95) : page::Json("n/a");
  };
  page::Json cells = {row.engine,
                      arrive_text(state),
                      lanes_text(row),
                      page::cell(state.mean_links),
                      state.longest,
                      share(state.bandwidth, state.ci95),
                      share(state.all_to_all, 0)};
  if (gbps > 0) cells.push_back(state.judged ? host_rate(state.all_to_all, gbps) : "n/a");
  cells.push_back(row.shift ? page::cell(*row.shift) : page::Json("n/a"));
  cells.push_back(state.most_routes);
  cells.push_back(page::cell(over_mean(state)));
  cells.push_back(row.seconds > 0 ? page::cell(row.seconds) : page::Json());
  return cells;
}

void add_comparison(page::Page& out, const EngineComparison& comparison) {
  const double gbps = usual_gbps(*comparison.fabric);
  page::Json rows = page::Json::array();
  std::vector<BisectSeries> series;
  for (const EngineRow& row : comparison.rows) {
    rows.push_back(page_row(row, gbps));
    if (row.routed()) series.push_back({row.engine, row.state.bandwidths});
  }
  page::Json columns = {{{"label", "engine"}, {"text", true}},
                        {{"label", "routes that arrive"}, {"text", true}},
                        {{"label", "free of deadlock"}, {"text", true}},
                        {{"label", "mean links"}},
                        {{"label", "most links"}},
                        {{"label", "bisect bandwidth"}, {"quantity", "share"}},
                        {{"label", "all-to-all"}, {"quantity", "share"}}};
  if (gbps > 0) columns.push_back({{"label", "all-to-all of a host"}, {"text", true}});
  columns.insert(columns.end(), {{{"label", "shift"}, {"quantity", "share"}},
                                 {{"label", "most routes on a link"}},
                                 {{"label", "of the mean"}},
                                 {{"label", "time taken"}, {"quantity", "seconds"}}});
  out.figure(
      {{"kind", "table"}, {"title", "Engines"}, {"columns", columns}, {"rows", rows}, {"select", 0}, {"wide", true}});
  add_bisect_curves(out, "Bandwidth of random bisections", series);
}

}  // namespace

std::string text_of(const EngineComparison& comparison, const CompareChoice& choice) {
  const double gbps = usual_gbps(*comparison.fabric);
  std::string text = heading_of(comparison) + "\n";
  const FabricFindings cables = examine_cables(*comparison.fabric);
  text += verdict_lines(cables);
  text += labelled("patterns", fmt::format("{} of seed {}, random bisections of {}", grouped(choice.patterns),
                                           choice.seed, counted(comparison.hosts, "host")));
  TextTable table{{"engine", "arrive", "free of deadlock", "mean links", "most", "bisect ± 95 %", "all-to-all"}};
  if (gbps > 0) table.front().push_back("a host");
  for (const char* name : {"shift", "most routes", "of mean", "time"}) table.front().emplace_back(name);
  std::string refusals;
  for (const EngineRow& row : comparison.rows) {
    table.push_back(cells_of(row, gbps));
    if (!row.routed()) refusals += labelled(row.engine, row.refusal);
  }
  return text + aligned(table) + refusals;
}

nlohmann::json json_of(const EngineComparison& comparison) {
  const models::Subnet& subnet = comparison.fabric->subnet;
  const double gbps = usual_gbps(*comparison.fabric);
  nlohmann::json engines = nlohmann::json::array();
  for (const EngineRow& row : comparison.rows) engines.push_back(row_json(row, gbps));
  const FabricFindings cables = examine_cables(*comparison.fabric);
  return {{"fabric", comparison.fabric->name},
          {"verdict", verdict_word(cables)},
          {"warnings", cables.warnings},
          {"hosts", subnet.hosts()},
          {"hosts_compared", comparison.hosts},
          {"switches", subnet.switches()},
          {"switch_links", subnet.switch_links()},
          {"link_mb_per_s", gbps > 0 ? nlohmann::json(host_mb_per_s(1, gbps)) : nlohmann::json()},
          {"engines", engines}};
}

std::string csv_of(const std::vector<EngineComparison>& all) {
  CsvText text;
  for (const char* name :
       {"fabric", "engine", "routes", "lost_routes", "virtual_lanes", "mean_links", "most_links", "bandwidth", "ci95",
        "all_to_all", "all_to_all_mb_per_s", "shift", "most_routes", "mean_routes", "seconds"})
    text.cell(std::string(name));
  text.end_row();
  for (const EngineComparison& comparison : all) {
    const double gbps = usual_gbps(*comparison.fabric);
    for (const EngineRow& row : comparison.rows) add_csv_row(text, comparison.fabric->name, gbps, row);
  }
  return text.take();
}

std::string compare_page(const std::vector<EngineComparison>& all, const CompareChoice& choice) {
  page::Page out(all.size() == 1 ? "Routing engines on " + shown(all.front().fabric->name)
                                 : fmt::format("Routing engines on {} fabrics", all.size()));
  out.lead(fmt::format(
      "{} random bisections of seed {}; all-to-all: what each host sends if all send to all at once, bound by the most "
      "loaded link; shift: the same in steps that wait for their slowest route.",
      grouped(choice.patterns), choice.seed));
  for (std::size_t ix = 0; ix < all.size(); ++ix) {
    out.section(fmt::format("fabric-{}", ix), shown(all[ix].fabric->name));
    out.note(heading_of(all[ix]));
    add_comparison(out, all[ix]);
  }
  return out.html();
}

}  // namespace weft::tools
