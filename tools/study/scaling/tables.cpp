// Text tables and columns of a scaling study; see the header.
#include "tools/study/scaling/tables.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "engine/base/text/csv.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/study/scaling/trust.hpp"

namespace weft::tools {
namespace {

std::string ranks_text(const ScalingPoint& point) {
  return std::to_string(point.cell.ranks) + (point.oversubscribed ? "*" : "");
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

void add_cell(CsvText& csv, const TableColumn& column, std::size_t row) {
  constexpr int digits = 9;  // more than a clock has
  if (const auto* reals = std::get_if<std::vector<double>>(&column.values)) return csv.cell(reals->at(row), digits);
  if (const auto* whole = std::get_if<std::vector<u64>>(&column.values)) return csv.cell(whole->at(row));
  csv.cell(std::get<std::vector<std::string>>(column.values).at(row));
}

std::string seconds_text(const PerformanceModel& model, std::size_t term) {
  if (model.state[term] != TermState::fitted) return fmt::format("not known ({})", state_text(model.state[term]));
  const double seconds = model.seconds[term];
  if (seconds == 0) return "0 (not seen in these runs)";
  if (seconds < 1e-6) return significant(seconds * 1e9, 3) + " ns";
  if (seconds < 1e-3) return significant(seconds * 1e6, 3) + " us";
  return duration(seconds);
}

std::string error_line(const std::string& what, const ModelError& error) {
  return fmt::format("{}: mean {}, worst {}", what, percent(error.mean), percent(error.worst));
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
  CsvText text;
  const auto rows =
      columns.empty() ? 0 : std::visit([](const auto& values) { return values.size(); }, columns[0].values);
  for (const TableColumn& column : columns) text.cell(column.name);
  text.end_row();
  for (std::size_t row = 0; row < rows; ++row) {
    for (const TableColumn& column : columns) add_cell(text, column, row);
    text.end_row();
  }
  return text.take();
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
    lines.push_back(fmt::format("{:40}{}", term_name(static_cast<Term>(term)), seconds_text(fitted.model, term)));
  }
  if (fitted.left_out.rows > 0) {
    lines.push_back(error_line("error of leave-one-out (each point predicted from the others)", fitted.left_out));
  }
  for (const ModelError& error : fitted.held_out) {
    const std::string what = error.ranks == 0 ? "all rank counts" : counted(error.ranks, "rank");
    lines.push_back(error_line("error with a rank count left out, " + what, error));
  }
  if (fitted.held_out.empty()) lines.emplace_back("no rank count could be left out: there is one only");
  lines.push_back(error_line(
      fmt::format("residual of the fit on its {} points (no error of predictions)", fitted.fit.rows), fitted.fit));
  return lines;
}

std::string verdict(const Prediction& prediction) {
  if (!prediction.distrust.empty()) {
    return fmt::format("no number of ranks is recommended: {}", fmt::join(prediction.distrust, "; "));
  }
  const u32 most = prediction.most_trusted_ranks;
  const std::string reach =
      fmt::format("{}, {} times the most that were measured with a core each", most, trusted_stretch);
  if (prediction.points.front().work.ranks > most) {
    return fmt::format("no number of ranks is recommended: all that were asked for are above {}", reach);
  }
  const std::string wanted = "efficiency of at least " + significant(prediction.efficiency, 3);
  const auto& last = prediction.points.back();
  std::string text;
  if (prediction.worth_using == 0) {
    text = fmt::format("no rank count asked for has an {}", wanted);
  } else {
    text = fmt::format("{} worth using: the most with an {}",
                       prediction.worth_using == 1 ? "1 rank is" : fmt::format("{} ranks are", prediction.worth_using),
                       wanted);
    if (prediction.worth_using == last.work.ranks) text += ", and more were not asked for";
    if (prediction.worth_using > prediction.measured_ranks) text += "; this is an extrapolation";
  }
  if (last.work.ranks > most) text += fmt::format("; none are recommended above {}", reach);
  return text;
}

std::vector<std::string> remarks(const ScalingResult& result) {
  std::vector<std::string> lines;
  const auto shared = std::ranges::count_if(result.points, &ScalingPoint::oversubscribed);
  if (shared > 0) {
    lines.push_back(
        fmt::format("* more ranks than the {} cores: these ranks take turns, so their times say nothing about speed-up",
                    result.log.cores));
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
    lines.push_back(
        fmt::format("other programs kept up to {:.1f} cores busy during the runs that count, and {} of {} points had "
                    "to share cores "
                    "with them: these times are too long, most of all on several ranks",
                    others, disturbed, result.points.size()));
  }
  if (spread > 0.2) {
    lines.push_back(
        fmt::format("the repeats of a run differ by up to {}: the machine does other things too; more repeats "
                    "bring the minima closer to the truth",
                    percent(spread)));
  }
  return lines;
}

std::string scaling_text(const ScalingResult& result) {
  std::string text = fmt::format("{}: {} scaling on {}, {}, {}, least of {} each; digests agree\n", result.study.name,
                                 result.study.kind == ScalingKind::strong ? "strong" : "weak", result.log.host,
                                 counted(result.log.cores, "core"), counted(result.points.size(), "point"),
                                 counted(result.study.repeats, "run"));
  for (const ScalingSeries& series : scaling_series(result.study, result.points)) {
    text += fmt::format("\n{}\n{}\n{}", series.label, aligned(speed_table(series), 2), aligned(time_table(series), 2));
  }
  for (const std::string& line : remarks(result)) text += fmt::format("\n{}\n", line);
  for (const FittedModel& fitted : result.models) {
    text += fmt::format("\nmodel, protocol {}: wall time is the sum of\n", fitted.protocol);
    for (const std::string& line : model_lines(fitted)) text += fmt::format("  {}\n", line);
  }
  for (const Prediction& prediction : result.predictions) {
    text += fmt::format("\nprediction: {}, protocol {}, partition {}, a core for each rank\n{}{}\n", prediction.network,
                        prediction.protocol, prediction.partition, aligned(prediction_table(prediction), 2),
                        verdict(prediction));
    for (const std::string& warning : prediction.warnings) text += fmt::format("  {}\n", warning);
  }
  return text;
}

}  // namespace weft::tools
