// What a scaling study found out, as text for the terminal and as columns for CSV and HDF5.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/base/text/table.hpp"
#include "tools/study/scaling/points.hpp"
#include "tools/study/scaling/predict.hpp"

namespace weft::tools {

/// Everything that the outputs of a study show.
struct ScalingResult {
  ScalingStudy study;
  RunLog log;
  std::vector<ScalingPoint> points;
  std::vector<FittedModel> models;
  std::vector<Prediction> predictions;
};

/// A column of a table, a value for each row.
struct TableColumn {
  std::string name, unit;
  std::variant<std::vector<u64>, std::vector<double>, std::vector<std::string>> values;
};

/// A row for each cell of the matrix; serial_fraction is not-a-number on one rank.
[[nodiscard]] std::vector<TableColumn> point_columns(const ScalingStudy& study,
                                                     const std::vector<ScalingPoint>& points);
/// A row for each run.
[[nodiscard]] std::vector<TableColumn> run_columns(const RunLog& log);

/// RFC 4180 with a line of column names; empty where a value is not a number.
[[nodiscard]] std::string csv(const std::vector<TableColumn>& columns);

/// Tables of speed and of where the time goes, models, predictions: what the terminal shows.
[[nodiscard]] std::string scaling_text(const ScalingResult& result);

/// What the model says about itself: coefficients and errors, one line each.
[[nodiscard]] std::vector<std::string> model_lines(const FittedModel& fitted);
/// The sentence about how many ranks are worth it.
[[nodiscard]] std::string verdict(const Prediction& prediction);
/// Remarks that belong to all figures: shared cores, spread.
[[nodiscard]] std::vector<std::string> remarks(const ScalingResult& result);

/// Speed of one series, and where its time goes.
[[nodiscard]] TextTable speed_table(const ScalingSeries& series);
[[nodiscard]] TextTable time_table(const ScalingSeries& series);
[[nodiscard]] TextTable prediction_table(const Prediction& prediction);

}  // namespace weft::tools
