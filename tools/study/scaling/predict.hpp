// Predictions of the performance model for networks and rank counts that need not have been measured.
#pragma once

#include <string>
#include <vector>

#include "tools/study/scaling/model.hpp"
#include "tools/study/scaling/points.hpp"

namespace weft::tools {

/// The model of one protocol with how far it can be trusted.
struct FittedModel {
  std::string protocol;
  std::vector<ModelRow> rows;  ///< what it was fitted to: the minima of the cells
  std::size_t places = 0;      ///< sizes x rank counts among them; other partitions of one place add little
  PerformanceModel model;
  ModelError fit;                    ///< on the rows it was fitted to: how well it could follow them, no more
  ModelError left_out;               ///< see leave_one_out: the error to expect between the points
  std::vector<ModelError> held_out;  ///< see held_out_errors: the error to expect for other rank counts
};

/// A model for each protocol of the study; what has one rank belongs to all of them.
[[nodiscard]] std::vector<FittedModel> fit_models(const ScalingStudy& study, const std::vector<ScalingPoint>& points,
                                                  u32 cores);

struct PredictionRequest {
  std::vector<std::string> settings;  ///< table.key=value over the study's base; empty: the last size of the study
  std::vector<u32> ranks;             ///< ascending
  double efficiency = 0.5;            ///< that is worth it, 0..1
};

struct PredictedPoint {
  WorkLoad work;
  double wall_s = 0, speed_up = 0, efficiency = 0;
  double compute_s = 0, synchronise_s = 0, message_s = 0;
  u64 edge_cut = 0;
  bool extrapolated = false;  ///< more ranks than were measured, or a network outside of those measured
};

struct Prediction {
  std::string network, protocol, partition;
  u64 nodes = 0;
  std::vector<PredictedPoint> points;  ///< [rank count], a core for each rank
  std::vector<std::string> warnings;   ///< what the numbers rest on, where that is not measurement
  std::vector<std::string> distrust;   ///< why no rank count is recommended; empty: the model is good enough
  u32 most_trusted_ranks = 0;          ///< none above are recommended, see trusted_stretch
  u32 measured_ranks = 1;              ///< most ranks that were measured with a core each
  u32 worth_using = 0;                 ///< largest trusted rank count asked for with the efficiency wanted; 0: none
  double efficiency = 0.5;             ///< that was wanted
};

/// Before any run is made: throws ConfigError if the study is too small for the prediction, however its runs turn out.
void check_predictable(const ScalingStudy& study, const PredictionRequest& request);

/// Predicts runs of the network that the settings describe, under the study's traffic. Events follow from nodes and
/// mean distance, messages between ranks from the links that the partition cuts; the network is partitioned for it.
/// Throws ConfigError for settings that change anything but the topology, for another network without synthetic traffic
/// or from runs of a single one, for more ranks than routers, and for fewer than fewest_points or fewest_rank_counts.
[[nodiscard]] Prediction predict(const ScalingStudy& study, const std::vector<ScalingPoint>& points,
                                 const FittedModel& fitted, const PredictionRequest& request);

}  // namespace weft::tools
