// Writes the files of a scaling study; see the header.
#include "tools/scaling/outputs.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "tools/files/atomic_file.hpp"
#include "tools/files/hdf5_file.hpp"
#include "tools/result/report_style.hpp"
#include "tools/result/svg_chart.hpp"
#include "tools/scaling/charts.hpp"
#include "tools/text/markup.hpp"
#include "tools/text/numbers.hpp"

namespace weft::tools {
namespace {

constexpr u64 format_version = 1;

void write_columns(files::Hdf5Writer& file, const std::string& group, const std::vector<TableColumn>& columns) {
  for (const TableColumn& column : columns) {
    std::visit([&](const auto& values) { file.column(group + "/" + column.name, values, column.unit); }, column.values);
  }
}

void write_error(files::Hdf5Writer& file, const std::string& group, const ModelError& error) {
  file.scalar(group + "/points", u64{error.rows}, "points");
  file.scalar(group + "/error_mean", error.mean, "");
  file.scalar(group + "/error_worst", error.worst, "");
}

void write_model(files::Hdf5Writer& file, const FittedModel& fitted) {
  const std::string group = "/models/" + fitted.protocol;
  static constexpr const char* names[terms] = {"event_s", "cache_miss_s", "synchronise_s", "message_s", "switching_s"};
  for (std::size_t term = 0; term < terms; ++term) {
    const bool known = fitted.model.state[term] == TermState::fitted;
    file.scalar(group + "/" + names[term],
                known ? fitted.model.seconds[term] : std::numeric_limits<double>::quiet_NaN(), "s");
  }
  file.scalar(group + "/cache_bytes", fitted.model.cache_bytes, "bytes");
  write_error(file, group + "/leave_one_out", fitted.left_out);
  write_error(file, group + "/fit", fitted.fit);
  std::vector<u64> ranks;
  std::vector<double> mean, worst;
  for (const ModelError& error : fitted.held_out) {
    ranks.push_back(error.ranks);
    mean.push_back(error.mean);
    worst.push_back(error.worst);
  }
  file.column(group + "/held_out/ranks", ranks, "ranks");
  file.column(group + "/held_out/error_mean", mean, "");
  file.column(group + "/held_out/error_worst", worst, "");
}

void write_prediction(files::Hdf5Writer& file, const std::string& group, const Prediction& prediction) {
  std::vector<u64> ranks, cut, extrapolated;
  std::vector<double> wall, speed_up, efficiency;
  for (const PredictedPoint& point : prediction.points) {
    ranks.push_back(point.work.ranks);
    cut.push_back(point.edge_cut);
    extrapolated.push_back(point.extrapolated ? 1 : 0);
    wall.push_back(point.wall_s);
    speed_up.push_back(point.speed_up);
    efficiency.push_back(point.efficiency);
  }
  file.scalar(group + "/network", prediction.network, "");
  file.scalar(group + "/protocol", prediction.protocol, "");
  file.scalar(group + "/worth_using_ranks", u64{prediction.worth_using}, "ranks");
  file.scalar(group + "/most_trusted_ranks", u64{prediction.distrust.empty() ? prediction.most_trusted_ranks : 0},
              "ranks");
  file.scalar(group + "/verdict", verdict(prediction), "");
  file.column(group + "/ranks", ranks, "ranks");
  file.column(group + "/edge_cut", cut, "links");
  file.column(group + "/extrapolated", extrapolated, "");
  file.column(group + "/wall_s", wall, "s");
  file.column(group + "/speed_up", speed_up, "");
  file.column(group + "/efficiency", efficiency, "");
}

void write_scaling_hdf5(const ScalingResult& result, const std::string& path) {
  files::Hdf5Writer file(path);
  file.attribute("/", "format", "weft-scaling");
  file.attribute("/", "format_version", format_version);
  file.attribute("/", "version", result.log.weft);
  file.attribute("/", "host", result.log.host);
  file.attribute("/", "cores", u64{result.log.cores});
  file.attribute("/", "name", result.study.name);
  file.attribute("/", "kind", result.study.kind == ScalingKind::strong ? "strong" : "weak");
  write_columns(file, "/points", point_columns(result.study, result.points));
  write_columns(file, "/runs", run_columns(result.log));
  for (const FittedModel& fitted : result.models) write_model(file, fitted);
  for (std::size_t ix = 0; ix < result.predictions.size(); ++ix) {
    write_prediction(file, "/predictions/" + std::to_string(ix), result.predictions[ix]);
  }
  file.save();
}

std::string html_table(const TextTable& table) {
  std::string out = "<div class=\"scroll\"><table>\n";
  for (std::size_t row = 0; row < table.size(); ++row) {
    out += "<tr>";
    for (const std::string& cell : table[row]) {
      out += row == 0 ? "<th>" + escaped(cell) + "</th>" : "<td>" + escaped(cell) + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string predictions_html(const ScalingResult& result) {
  if (result.predictions.empty()) return {};
  std::string out = "<h2>Predictions</h2>\n<div class=\"card\">\n" + line_chart(prediction_chart(result));
  for (const Prediction& prediction : result.predictions) {
    out += fmt::format("<h3>{}</h3>\n", escaped(fmt::format("{}, protocol {}, partition {}", prediction.network,
                                                            prediction.protocol, prediction.partition)));
    out += paragraph(verdict(prediction), prediction.distrust.empty() ? "soft" : "warning") +
           html_table(prediction_table(prediction));
    for (const std::string& warning : prediction.warnings) out += paragraph(warning, "warning");
  }
  return out + "</div>\n";
}

}  // namespace

std::string scaling_page(const ScalingResult& result) {
  const ScalingStudy& study = result.study;
  const std::string kind = study.kind == ScalingKind::strong ? "strong" : "weak";
  std::string out = page_begin("weft scaling", report_style);
  out += fmt::format("<h1>{}: {} scaling</h1>\n", escaped(study.name), kind);
  out += paragraph(
      fmt::format("weft {} on {}, {}; least wall time of {}; all runs of a size have one digest", result.log.weft,
                  result.log.host, counted(result.log.cores, "core"), counted(study.repeats, "interleaved run")),
      "soft");
  for (const std::string& line : remarks(result)) out += paragraph(line, "warning");
  out += "<div class=\"grid\">\n<div><h3>Speed-up</h3>\n" + line_chart(speed_up_chart(result)) + "</div>\n";
  out += "<div><h3>Efficiency</h3>\n" + line_chart(efficiency_chart(result)) + "</div>\n";
  out += "<div><h3>Where the time goes</h3>\n" + stacked_chart(time_chart(result)) + "</div>\n</div>\n";
  out += "<h2>Points</h2>\n";
  for (const ScalingSeries& series : scaling_series(study, result.points)) {
    out += "<section class=\"run\">\n<h2>" + escaped(series.label) + "</h2>\n" + html_table(speed_table(series)) +
           html_table(time_table(series)) + "</section>\n";
  }
  out += "<h2>Performance model</h2>\n";
  for (const FittedModel& fitted : result.models) {
    out += "<div class=\"card\"><h3>" + escaped("protocol " + fitted.protocol) + "</h3>\n<pre>";
    for (const std::string& line : model_lines(fitted)) out += escaped(line) + "\n";
    out += "</pre></div>\n";
  }
  return out + predictions_html(result) + page_end();
}

std::vector<std::string> write_scaling_files(const ScalingResult& result) {
  std::vector<std::string> paths;
  const auto path = [&](const char* name) {
    paths.push_back((std::filesystem::path(result.study.out) / name).string());
    return paths.back();
  };
  files::write_file_atomically(path("scaling.csv"), csv(point_columns(result.study, result.points)));
  write_scaling_hdf5(result, path("scaling.h5"));
  files::write_file_atomically(path("scaling.html"), scaling_page(result));
  files::write_file_atomically(path("speed-up.svg"), line_chart_file(speed_up_chart(result)));
  files::write_file_atomically(path("efficiency.svg"), line_chart_file(efficiency_chart(result)));
  files::write_file_atomically(path("time-split.svg"), stacked_chart_file(time_chart(result)));
  if (!result.predictions.empty()) {
    files::write_file_atomically(path("prediction.svg"), line_chart_file(prediction_chart(result)));
  }
  return paths;
}

}  // namespace weft::tools
