// Text tables and columns of a scaling study; see the header.
#include "tools/scaling/tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "tools/result/format.hpp"

namespace weft::tools {
namespace {

std::string fixed(double value, int digits) {
  if (!std::isfinite(value)) return "n/a";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string percent(double share) { return fixed(100 * share, 1) + " %"; }

std::string ranks_text(const ScalingPoint& point) {
  return std::to_string(point.cell.ranks) + (point.oversubscribed ? "*" : "");
}

/// Columns to the right, two blanks between them.
std::string aligned(const TextTable& table) {
  std::vector<std::size_t> widths;
  for (const auto& row : table) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t ix = 0; ix < row.size(); ++ix) widths[ix] = std::max(widths[ix], row[ix].size());
  }
  std::string text;
  for (const auto& row : table) {
    for (std::size_t ix = 0; ix < row.size(); ++ix) {
      text += std::string(widths[ix] - row[ix].size() + 2, ' ') + row[ix];
    }
    text += "\n";
  }
  return text;
}

/// Collects the columns of a table from a function of each row.
template <class Row>
class Columns {
 public:
  explicit Columns(const std::vector<Row>& rows) : rows_(rows) {}
  template <class F>
  void add(const std::string& name, const std::string& unit, F&& value) {
    std::vector<std::decay_t<decltype(value(rows_.front()))>> values;
    values.reserve(rows_.size());
    for (const Row& row : rows_) values.push_back(value(row));
    columns_.push_back({name, unit, std::move(values)});
  }
  std::vector<TableColumn> take() { return std::move(columns_); }

 private:
  const std::vector<Row>& rows_;
  std::vector<TableColumn> columns_;
};

std::string csv_cell(const TableColumn& column, std::size_t row) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) {
    const std::string& text = texts->at(row);
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
  }
  if (const auto* whole = std::get_if<std::vector<u64>>(&column.values)) return std::to_string(whole->at(row));
  const double value = std::get<std::vector<double>>(column.values).at(row);
  if (!std::isfinite(value)) return "";
  char text[64];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string seconds_text(double seconds) {
  if (seconds == 0) return "0 (not seen in these runs)";
  if (seconds < 1e-6) return significant(seconds * 1e9, 3) + " ns";
  if (seconds < 1e-3) return significant(seconds * 1e6, 3) + " us";
  return duration(seconds);
}

}  // namespace

std::vector<TableColumn> point_columns(const ScalingStudy& study, const std::vector<ScalingPoint>& points) {
  using Point = ScalingPoint;
  Columns<Point> columns(points);
  columns.add("size", "", [&](const Point& p) { return study.sizes[p.cell.size_ix].name; });
  columns.add("topology", "", [](const Point& p) { return p.best.topology; });
  columns.add("protocol", "", [](const Point& p) { return p.cell.protocol; });
  columns.add("partition", "", [](const Point& p) { return p.cell.partition; });
  columns.add("ranks", "ranks", [](const Point& p) { return u64{p.cell.ranks}; });
  columns.add("oversubscribed", "", [](const Point& p) { return u64{p.oversubscribed}; });
  columns.add("repeats", "runs", [](const Point& p) { return u64{p.runs}; });
  columns.add("nodes", "nodes", [](const Point& p) { return p.best.nodes; });
  columns.add("digest", "", [](const Point& p) { return p.best.digest; });
  columns.add("wall_s", "s", [](const Point& p) { return p.best.wall_s; });
  columns.add("spread", "", [](const Point& p) { return p.spread; });
  columns.add("setup_s", "s", [](const Point& p) { return p.best.setup_s; });
  columns.add("events", "events", [](const Point& p) { return p.best.events; });
  columns.add("events_per_s", "events/s", [](const Point& p) { return p.events_per_s; });
  columns.add("packet_hops_per_s", "links/s", [](const Point& p) { return p.packet_hops_per_s; });
  columns.add("speed_up", "", [](const Point& p) { return p.speed_up; });
  columns.add("efficiency", "", [](const Point& p) { return p.efficiency; });
  columns.add("serial_fraction", "",
              [](const Point& p) { return p.serial_fraction.value_or(std::numeric_limits<double>::quiet_NaN()); });
  columns.add("compute_share", "", [](const Point& p) { return p.compute_share; });
  columns.add("exchange_share", "", [](const Point& p) { return p.exchange_share; });
  columns.add("waiting_share", "", [](const Point& p) { return p.waiting_share; });
  columns.add("remote_fraction", "", [](const Point& p) { return p.remote_fraction; });
  columns.add("windows", "windows", [](const Point& p) { return p.best.windows; });
  columns.add("edge_cut", "links", [](const Point& p) { return p.best.edge_cut; });
  columns.add("balance", "", [](const Point& p) { return p.best.balance; });
  columns.add("event_imbalance", "", [](const Point& p) { return p.event_imbalance; });
  columns.add("bytes_per_rank", "bytes", [](const Point& p) { return p.bytes_per_rank; });
  columns.add("other_cores", "cores", [](const Point& p) { return p.best.other_cores; });
  return columns.take();
}

std::vector<TableColumn> run_columns(const RunLog& log) {
  using Run = RunRecord;
  Columns<Run> columns(log.runs);
  columns.add("size", "", [](const Run& r) { return r.size; });
  columns.add("protocol", "", [](const Run& r) { return r.protocol; });
  columns.add("partition", "", [](const Run& r) { return r.partition; });
  columns.add("ranks", "ranks", [](const Run& r) { return u64{r.ranks}; });
  columns.add("repeat", "", [](const Run& r) { return u64{r.repeat}; });
  columns.add("wall_s", "s", [](const Run& r) { return r.wall_s; });
  columns.add("setup_s", "s", [](const Run& r) { return r.setup_s; });
  columns.add("process_s", "s", [](const Run& r) { return r.process_s; });
  columns.add("other_cores", "cores", [](const Run& r) { return r.other_cores; });
  columns.add("digest", "", [](const Run& r) { return r.digest; });
  return columns.take();
}

std::string csv(const std::vector<TableColumn>& columns) {
  std::string text;
  const auto rows =
      columns.empty() ? 0 : std::visit([](const auto& values) { return values.size(); }, columns[0].values);
  for (const TableColumn& column : columns) text += (text.empty() ? "" : ",") + column.name;
  text += "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t ix = 0; ix < columns.size(); ++ix) text += (ix == 0 ? "" : ",") + csv_cell(columns[ix], row);
    text += "\n";
  }
  return text;
}

TextTable speed_table(const ScalingSeries& series) {
  TextTable table{{"ranks", "nodes", "wall s", "spread", "M events/s", "M hops/s", "speed-up", "efficiency", "serial"}};
  for (const ScalingPoint* p : series.points) {
    table.push_back({ranks_text(*p), std::to_string(p->best.nodes), fixed(p->best.wall_s, 3), percent(p->spread),
                     fixed(p->events_per_s / 1e6, 2), fixed(p->packet_hops_per_s / 1e6, 2), fixed(p->speed_up, 2),
                     fixed(p->efficiency, 2), p->serial_fraction ? fixed(*p->serial_fraction, 3) : "-"});
  }
  return table;
}

TextTable time_table(const ScalingSeries& series) {
  TextTable table{
      {"ranks", "compute", "exchange", "waiting", "remote", "cut links", "balance", "busiest", "MiB/rank", "others"}};
  for (const ScalingPoint* p : series.points) {
    table.push_back({ranks_text(*p), percent(p->compute_share), percent(p->exchange_share), percent(p->waiting_share),
                     percent(p->remote_fraction), std::to_string(p->best.edge_cut), fixed(p->best.balance, 3),
                     fixed(p->event_imbalance, 3), fixed(p->bytes_per_rank / 1048576, 1),
                     fixed(p->best.other_cores, 1)});
  }
  return table;
}

TextTable prediction_table(const Prediction& prediction) {
  TextTable table{{"ranks", "wall s", "speed-up", "efficiency", "compute", "synchronise", "messages", "cut links", ""}};
  for (const PredictedPoint& p : prediction.points) {
    const auto share = [&](double seconds) { return percent(p.wall_s > 0 ? seconds / p.wall_s : 0); };
    table.push_back({std::to_string(p.work.ranks), fixed(p.wall_s, 3), fixed(p.speed_up, 2), fixed(p.efficiency, 2),
                     share(p.compute_s), share(p.synchronise_s), share(p.message_s), std::to_string(p.edge_cut),
                     p.extrapolated ? "extrapolated" : ""});
  }
  return table;
}

std::vector<std::string> model_lines(const FittedModel& fitted) {
  std::vector<std::string> lines;
  for (std::size_t term = 0; term < terms; ++term) {
    std::string name = term_name(static_cast<Term>(term));
    name.resize(std::max<std::size_t>(name.size(), 40), ' ');
    lines.push_back(name + seconds_text(fitted.model.seconds[term]));
  }
  lines.push_back("error on the " + std::to_string(fitted.error.rows) + " points it was fitted to: mean " +
                  percent(fitted.error.mean) + ", worst " + percent(fitted.error.worst));
  for (const ModelError& error : fitted.held_out) {
    const std::string what =
        error.ranks == 0 ? "all rank counts" : std::to_string(error.ranks) + (error.ranks == 1 ? " rank" : " ranks");
    lines.push_back("error on points held out, " + what + ": mean " + percent(error.mean) + ", worst " +
                    percent(error.worst));
  }
  if (fitted.held_out.empty()) lines.push_back("no points could be held out: there is one rank count only");
  return lines;
}

std::string verdict(const Prediction& prediction) {
  const std::string wanted = "efficiency of at least " + significant(prediction.efficiency, 3);
  if (prediction.worth_using == 0) return "no rank count asked for has an " + wanted;
  std::string text = std::to_string(prediction.worth_using) +
                     (prediction.worth_using == 1 ? " rank is" : " ranks are") + " worth using: the most with an " +
                     wanted;
  if (prediction.worth_using == prediction.points.back().work.ranks) text += ", and more were not asked for";
  const auto at = std::ranges::find(prediction.points, prediction.worth_using,
                                    [](const PredictedPoint& point) { return point.work.ranks; });
  if (at != prediction.points.end() && at->extrapolated) text += "; this is an extrapolation";
  return text;
}

std::vector<std::string> remarks(const ScalingResult& result) {
  std::vector<std::string> lines;
  const auto shared = std::ranges::count_if(result.points, &ScalingPoint::oversubscribed);
  if (shared > 0) {
    lines.push_back("* more ranks than the " + std::to_string(result.log.cores) +
                    " cores: these ranks take turns, so their times say nothing about speed-up");
  }
  double spread = 0, others = 0;
  u32 disturbed = 0;
  for (const ScalingPoint& point : result.points) {
    spread = std::max(spread, point.spread);
    others = std::max(others, point.best.other_cores);
    // Ranks and other programs together need more cores than there are.
    if (point.best.other_cores > 0.25 && point.best.other_cores + point.cell.ranks > result.log.cores + 0.25)
      ++disturbed;
  }
  if (disturbed > 0) {
    lines.push_back("other programs kept up to " + fixed(others, 1) + " cores busy during the runs that count, and " +
                    std::to_string(disturbed) + " of " + std::to_string(result.points.size()) +
                    " points had to share cores with them: these times are too long, most of all on several ranks");
  }
  if (spread > 0.2) {
    lines.push_back("the repeats of a run differ by up to " + percent(spread) +
                    ": the machine does other things too; more repeats bring the minima closer to the truth");
  }
  return lines;
}

std::string scaling_text(const ScalingResult& result) {
  std::string text = result.study.name + ": " + (result.study.kind == ScalingKind::strong ? "strong" : "weak") +
                     " scaling on " + result.log.host + ", " + std::to_string(result.log.cores) + " cores, " +
                     std::to_string(result.points.size()) + " points, least of " +
                     std::to_string(result.study.repeats) + (result.study.repeats == 1 ? " run" : " runs") +
                     " each; digests agree\n";
  for (const ScalingSeries& series : scaling_series(result.study, result.points)) {
    text += "\n" + series.label + "\n" + aligned(speed_table(series)) + "\n" + aligned(time_table(series));
  }
  for (const std::string& line : remarks(result)) text += "\n" + line + "\n";
  for (const FittedModel& fitted : result.models) {
    text += "\nmodel, protocol " + fitted.protocol + ": wall time is the sum of\n";
    for (const std::string& line : model_lines(fitted)) text += "  " + line + "\n";
  }
  for (const Prediction& prediction : result.predictions) {
    text += "\nprediction: " + prediction.network + ", protocol " + prediction.protocol + ", partition " +
            prediction.partition + ", a core for each rank\n" + aligned(prediction_table(prediction)) +
            verdict(prediction) + "\n";
    for (const std::string& warning : prediction.warnings) text += "  " + warning + "\n";
  }
  return text;
}

}  // namespace weft::tools
