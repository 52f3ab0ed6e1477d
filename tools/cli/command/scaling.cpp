// `weft scaling`: makes the runs of a study, says what they mean, predicts others.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/system/run_weft.hpp"
#include "engine/base/text/table.hpp"
#include "models/topology/topology.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/study/scaling/execute.hpp"
#include "tools/study/scaling/outputs.hpp"

namespace weft::tools {
namespace {

struct ScalingOptions {
  std::string study;
  std::vector<std::string> predict;  ///< topology.key=value: the network to predict; empty: the study's last size
  std::vector<u32> ranks;            ///< to predict; with `predict` empty: no prediction; else powers of two
  double efficiency = 0.5;           ///< that makes ranks worth using
};

constexpr u32 default_most_ranks = 256;

/// Powers of two as far as there are routers.
std::vector<u32> default_ranks(const ScalingStudy& study, const ScalingOptions& options) {
  const Config config =
      options.predict.empty() ? study.config(study.sizes.back()) : Config::load(study.base, options.predict);
  const u32 routers = models::make_topology(topology_spec(config))->routers();
  std::vector<u32> ranks;
  for (u32 p = 1; p <= std::min(routers, default_most_ranks); p *= 2) ranks.push_back(p);
  return ranks;
}

PredictionRequest prediction_request(const ScalingStudy& study, const ScalingOptions& options) {
  PredictionRequest request{options.predict, options.ranks, options.efficiency};
  if (request.ranks.empty()) request.ranks = default_ranks(study, options);
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

/// Makes the runs that a scaling study still misses, as child processes, writes its files and prints its tables.
/// Throws what load_scaling_study, make_runs, predict and write_scaling_files throw.
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

void add_scaling(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<ScalingOptions>();
  CLI::App* command = app.add_subcommand("scaling", "strong and weak scaling of the simulator itself, with a model");
  command
      ->add_option("STUDY", options->study,
                   "what to run (TOML, docs/scaling.md); runs that its folder has already are not repeated")
      ->type_name("STUDY.toml")
      ->required();
  command->add_option("--predict", options->predict, "predict this network, topology.key=value; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--ranks", options->ranks, "rank counts to predict; powers of two up to 256 if not given")
      ->type_name("N,N,...")
      ->delimiter(',')
      ->check(CLI::Range(1U, 1U << 20).description(""));
  command->add_option("--efficiency", options->efficiency, "least efficiency that makes ranks worth using")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0).description(""));
  command->footer(
      "Starts mpirun itself: start it without. . tools/mpi-env.sh (installed: share/weft/mpi-env.sh) first where\n"
      "mpirun needs that.\n"
      "Examples:\n"
      "  weft scaling examples/scaling.toml\n"
      "  weft scaling examples/scaling.toml --predict topology.dims=[128,128] --ranks 1,2,4,8,16,32,64,128,256\n"
      "  weft scaling examples/scaling.toml --ranks 1,2,4,8 --efficiency 0.7");
  command->callback([options, &chosen] {
    chosen = [options](engine::Transport& transport) {
      if (transport.size() > 1) {
        throw ConfigError(
            fmt::format("weft scaling was started on {} ranks (it starts the ranks of its runs itself); "
                        "start it without mpirun",
                        transport.size()));
      }
      run_scaling_study(*options);
    };
  });
}

[[maybe_unused]] const bool scaling_registered =
    CommandRegistry::instance().add("scaling", {.place = 90, .add = add_scaling, .starts_programs = true});

}  // namespace
}  // namespace weft::tools
