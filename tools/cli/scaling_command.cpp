// `weft scaling`: makes the runs of a study, says what they mean, predicts others.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/system/run_weft.hpp"
#include "engine/base/text/table.hpp"
#include "models/topology/topology.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/study/scaling/execute.hpp"
#include "tools/study/scaling/outputs.hpp"

namespace weft::tools {
namespace {

constexpr u32 usual_most_ranks = 256;

/// Powers of two as far as there are routers.
std::vector<u32> usual_ranks(const ScalingStudy& study, const ScalingOptions& options) {
  const Config config =
      options.predict.empty() ? study.config(study.sizes.back()) : Config::load(study.base, options.predict);
  const u32 routers = models::make_topology(topology_spec(config))->routers();
  std::vector<u32> ranks;
  for (u32 p = 1; p <= std::min(routers, usual_most_ranks); p *= 2) ranks.push_back(p);
  return ranks;
}

PredictionRequest prediction_request(const ScalingStudy& study, const ScalingOptions& options) {
  PredictionRequest request{options.predict, options.ranks, options.efficiency};
  if (request.ranks.empty()) request.ranks = usual_ranks(study, options);
  std::ranges::sort(request.ranks);
  const auto repeated = std::unique(request.ranks.begin(), request.ranks.end());  // std::ranges::unique: not clang 14
  request.ranks.erase(repeated, request.ranks.end());
  return request;
}

/// None of the files that a study writes may be one that it reads. In a folder that is still to be made there is none.
void check_study_files(const ScalingStudy& study) {
  std::error_code none;
  if (!std::filesystem::is_directory(study.out, none)) return;
  files::CommandFiles files;
  files.reads("the study", study.path);
  for (const StudySize& size : study.sizes) reads_config(files, study.config(size));
  files.writes("scaling.out", runs_path(study));
  for (const char* const name : scaling_files)
    files.writes("scaling.out", (std::filesystem::path(study.out) / name).string());
}

}  // namespace

void run_scaling_study(const ScalingOptions& options) {
  ScalingResult result;
  result.study = load_scaling_study(options.study);
  check_study_files(result.study);
  const bool predicts = !options.predict.empty() || !options.ranks.empty();
  PredictionRequest request;
  if (predicts) {
    request = prediction_request(result.study, options);
    check_predictable(result.study, request);
  }
  result.log = make_runs(result.study, process::this_program(), std::cerr);
  result.points = scaling_points(result.study, result.log);
  result.models = fit_models(result.study, result.points, result.log.cores);
  if (predicts) {
    for (const FittedModel& fitted : result.models) {
      result.predictions.push_back(predict(result.study, result.points, fitted, request));
    }
  }
  std::string text = scaling_text(result) + "\n";
  for (const std::string& path : write_scaling_files(result)) text += labelled("wrote", path);
  files::print(text);
}

}  // namespace weft::tools
