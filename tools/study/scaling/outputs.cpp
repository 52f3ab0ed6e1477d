// Writes the files of a scaling study; see the header.
#include "tools/study/scaling/outputs.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "tools/study/scaling/scaling_page.hpp"

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

}  // namespace

std::vector<std::string> write_scaling_files(const ScalingResult& result) {
  std::vector<std::string> paths;
  const auto path = [&](const char* name) {
    paths.push_back((std::filesystem::path(result.study.out) / name).string());
    return paths.back();
  };
  files::write_file_atomically(path("scaling.csv"), csv(point_columns(result.study, result.points)));
  write_scaling_hdf5(result, path("scaling.h5"));
  files::write_file_atomically(path("scaling.html"), scaling_page(result));
  return paths;
}

}  // namespace weft::tools
