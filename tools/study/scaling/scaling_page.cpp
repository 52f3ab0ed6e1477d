// Curves and tables of a scaling study; see the header.
#include "tools/study/scaling/scaling_page.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "engine/base/file/hdf5_file.hpp"
#include "engine/base/text/numbers.hpp"

namespace weft::tools {
namespace {

using page::Json;

/// A curve over ranks for each series.
Json over_ranks(const std::vector<ScalingRow>& rows, const std::string& title, const std::string& label,
                double ScalingRow::*value) {
  Json spec = {{"kind", "curves"},
               {"title", title},
               {"x", {{"label", "ranks"}, {"whole", true}}},
               {"y", {{"label", label}}},
               {"series", Json::array()}};
  std::vector<std::string> names;
  for (const ScalingRow& row : rows) {
    if (std::ranges::find(names, row.series) == names.end()) names.push_back(row.series);
  }
  for (const std::string& name : names) {
    std::vector<std::pair<u64, double>> points;
    for (const ScalingRow& row : rows) {
      if (row.series == name) points.emplace_back(row.ranks, row.*value);
    }
    std::ranges::sort(points);
    Json x = Json::array(), y = Json::array();
    for (const auto& [ranks, figure] : points) x.push_back(ranks), y.push_back(figure);
    spec["series"].push_back({{"label", name.empty() ? label : name}, {"x", x}, {"y", y}});
  }
  return spec;
}

u64 ranks_at_most(const std::vector<ScalingRow>& rows) {
  u64 most = 1;
  for (const ScalingRow& row : rows) most = std::max(most, row.ranks);
  return most;
}

/// The part of the axis where ranks share cores.
void mark_shared_cores(Json& spec, const std::vector<ScalingRow>& rows, u64 cores) {
  if (cores == 0 || ranks_at_most(rows) <= cores) return;
  spec["bands"] = Json::array({{{"from", cores}, {"to", ranks_at_most(rows)}, {"label", "more ranks than cores"}}});
  spec["caption"] = fmt::format("shaded: more ranks than the machine's {}", counted(cores, "core"));
}

Json time_shares(const std::vector<ScalingRow>& rows) {
  Json names = Json::array(), computing = names, exchange = names, waiting = names;
  std::set<std::string> series;
  for (const ScalingRow& row : rows) series.insert(row.series);
  for (const ScalingRow& row : rows) {
    if (row.ranks == 1) continue;
    names.push_back(
        fmt::format("{}{}{}", row.ranks, row.oversubscribed ? "*" : "", series.size() > 1 ? " " + row.series : ""));
    computing.push_back(row.compute_share);
    exchange.push_back(row.exchange_share);
    waiting.push_back(row.waiting_share);
  }
  if (names.empty()) return nullptr;
  const auto part = [](const char* label, const Json& values) {
    return Json{{"label", label}, {"draw", "bars"}, {"y", values}};
  };
  return {{"kind", "curves"},
          {"title", "Where the time goes"},
          {"caption", "means over the ranks; *: more ranks than cores"},
          {"stacked", true},
          {"own", true},
          {"x", {{"label", "ranks"}, {"names", names}}},
          {"y", {{"label", "share of the event loop's wall time"}, {"quantity", "share"}}},
          {"series", {part("computing", computing), part("exchange", exchange), part("waiting", waiting)}}};
}

Json table_of_texts(const TextTable& table, const std::string& title) {
  Json columns = Json::array(), rows = Json::array();
  for (std::size_t row = 0; row < table.size(); ++row) {
    Json cells = Json::array();
    for (const std::string& text : table[row]) {
      if (row == 0) columns.push_back({{"label", text}});
      cells.push_back(text);
    }
    while (row > 0 && cells.size() < columns.size()) cells.push_back(nullptr);
    if (row > 0) rows.push_back(cells);
  }
  return {{"kind", "table"}, {"title", title}, {"columns", columns}, {"rows", rows}};
}

void add_predictions(page::Page& page, const ScalingResult& result) {
  if (result.predictions.empty()) return;
  page.section("predictions", "Predictions");
  Json spec = {{"kind", "curves"},
               {"title", "Predicted efficiency"},
               {"x", {{"label", "ranks, a core each"}, {"log", true}}},
               {"y", {{"label", "efficiency"}}},
               {"series", Json::array()}};
  u32 most = 2, measured = ~u32{0};
  for (const Prediction& prediction : result.predictions) {
    Json x = Json::array(), y = Json::array();
    for (const PredictedPoint& point : prediction.points) {
      x.push_back(point.work.ranks);
      y.push_back(point.efficiency);
      most = std::max(most, point.work.ranks);
      if (point.extrapolated) measured = std::min(measured, point.work.ranks);
    }
    spec["series"].push_back({{"label", prediction.network + ", " + prediction.protocol}, {"x", x}, {"y", y}});
  }
  if (measured < most) {
    spec["bands"] = Json::array({{{"from", measured}, {"to", most}, {"label", "extrapolated"}}});
    spec["caption"] = "shaded: extrapolated";
  }
  spec["wide"] = true;
  page.figure(std::move(spec));
  for (const Prediction& prediction : result.predictions) {
    const std::string name =
        fmt::format("{}, protocol {}, partition {}", prediction.network, prediction.protocol, prediction.partition);
    page.note(name + ": " + verdict(prediction), prediction.distrust.empty() ? "soft" : "warning");
    for (const std::string& warning : prediction.warnings) page.note(warning, "warning");
    page.figure(table_of_texts(prediction_table(prediction), name));
  }
}

}  // namespace

std::vector<ScalingRow> scaling_rows(const ScalingResult& result) {
  std::vector<ScalingRow> rows;
  for (const ScalingSeries& series : scaling_series(result.study, result.points)) {
    for (const ScalingPoint* p : series.points) {
      rows.push_back({series.label, p->cell.ranks, p->oversubscribed, p->speed_up, p->efficiency, p->compute_share,
                      p->exchange_share, p->waiting_share});
    }
  }
  return rows;
}

ScalingFile read_scaling(const std::string& path) {
  const files::Hdf5Reader file(path);
  ScalingFile read;
  file.attribute("name", read.name);
  file.attribute("kind", read.kind);
  file.attribute("cores", read.cores);
  std::vector<std::string> size, protocol, partition;
  std::vector<u64> ranks, oversubscribed;
  std::vector<double> speed_up, efficiency, compute, exchange, waiting;
  file.column("/points/size", size);
  file.column("/points/protocol", protocol);
  file.column("/points/partition", partition);
  file.column("/points/ranks", ranks);
  file.column("/points/oversubscribed", oversubscribed);
  file.column("/points/speed_up", speed_up);
  file.column("/points/efficiency", efficiency);
  file.column("/points/compute_share", compute);
  file.column("/points/exchange_share", exchange);
  file.column("/points/waiting_share", waiting);
  const std::size_t rows = ranks.size();
  for (const std::size_t other :
       {size.size(), protocol.size(), partition.size(), oversubscribed.size(), speed_up.size(), efficiency.size(),
        compute.size(), exchange.size(), waiting.size()}) {
    if (other != rows) file.fail("the columns of /points differ in length");
  }
  // Curves are called by what differs between them; sizes of a weak study change along a curve. What has one rank
  // begins every curve of its size.
  const auto differ = [&](const std::vector<std::string>& names) {
    std::set<std::string> of_several;
    for (std::size_t ix = 0; ix < rows; ++ix) {
      if (ranks[ix] > 1) of_several.insert(names[ix]);
    }
    return of_several.size() > 1;
  };
  const bool by_size = read.kind == "strong" && std::set<std::string>(size.begin(), size.end()).size() > 1;
  const bool by_protocol = differ(protocol), by_partition = differ(partition);
  std::vector<std::pair<std::string, std::string>> curves;  // size, label; in the order of the file
  std::vector<std::string> labels(rows);
  for (std::size_t ix = 0; ix < rows; ++ix) {
    const auto add = [&](const std::string& name) { labels[ix] += (labels[ix].empty() ? "" : ", ") + name; };
    if (by_size) add(size[ix]);
    if (by_protocol && ranks[ix] > 1) add(protocol[ix]);
    if (by_partition && ranks[ix] > 1) add(partition[ix]);
    const std::pair curve{by_size ? size[ix] : "", labels[ix]};
    const bool alone = ranks[ix] == 1 && std::ranges::any_of(ranks, [](u64 count) { return count > 1; });
    if (!alone && std::ranges::find(curves, curve) == curves.end()) curves.push_back(curve);
  }
  for (const auto& [of_size, label] : curves) {
    for (std::size_t ix = 0; ix < rows; ++ix) {
      const bool begins = ranks[ix] == 1 && (!by_size || size[ix] == of_size);
      if (!begins && labels[ix] != label) continue;
      read.rows.push_back({label, ranks[ix], oversubscribed[ix] != 0, speed_up[ix], efficiency[ix], compute[ix],
                           exchange[ix], waiting[ix]});
    }
  }
  return read;
}

void add_scaling_curves(page::Page& page, const std::vector<ScalingRow>& rows, u64 cores) {
  Json speed_up = over_ranks(rows, "Speed-up", "speed-up", &ScalingRow::speed_up);
  const u64 most = ranks_at_most(rows), ideal = cores == 0 ? most : std::min(most, cores);
  Json x = {0, ideal}, y = {0, ideal};
  if (most > ideal) x.push_back(most), y.push_back(ideal);
  speed_up["series"].push_back(
      {{"label", "one core more for each rank, as far as there are"}, {"reference", true}, {"x", x}, {"y", y}});
  mark_shared_cores(speed_up, rows, cores);
  page.figure(std::move(speed_up));
  Json efficiency = over_ranks(rows, "Efficiency", "parallel efficiency", &ScalingRow::efficiency);
  mark_shared_cores(efficiency, rows, cores);
  page.figure(std::move(efficiency));
  Json shares = time_shares(rows);
  if (!shares.is_null()) page.figure(std::move(shares));
}

std::string scaling_page(const ScalingResult& result) {
  const ScalingStudy& study = result.study;
  page::Page page(study.name + (study.kind == ScalingKind::strong ? ": strong" : ": weak") + " scaling");
  page.lead(fmt::format("weft {} on {}, {}; least wall time of {}; all runs of a size have one digest", result.log.weft,
                        result.log.host, counted(result.log.cores, "core"), counted(study.repeats, "interleaved run")));
  page.section("curves", "Curves");
  for (const std::string& line : remarks(result)) page.note(line, "warning");
  add_scaling_curves(page, scaling_rows(result), result.log.cores);
  page.section("points", "Points");
  for (const ScalingSeries& series : scaling_series(study, result.points)) {
    const std::string of = series.label.empty() ? "" : ": " + series.label;
    page.figure(table_of_texts(speed_table(series), "Speed" + of));
    page.figure(table_of_texts(time_table(series), "Time" + of));
  }
  page.section("model", "Performance model");
  for (const FittedModel& fitted : result.models) {
    std::string text;
    for (const std::string& line : model_lines(fitted)) text += line + "\n";
    page.figure({{"kind", "text"}, {"title", "Protocol " + fitted.protocol}, {"text", text}});
  }
  add_predictions(page, result);
  return page.html();
}

}  // namespace weft::tools
