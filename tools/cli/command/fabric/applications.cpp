// `weft fabric applications`: what applications keep of their speed, on any number of ranks.
#include "tools/fabric/applications.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/cli/fabric_flow.hpp"
#include "tools/fabric/report/flow_outputs.hpp"
#include "tools/run/progress.hpp"

namespace weft::tools {
namespace {

struct FabricApplicationsOptions {
  FabricFlowOptions flow;
  std::string profile;
  double rated = 1;  ///< bandwidth of a bisection that the fabric is built for, of that of all its hosts
};

/// What applications keep of their speed. Collective.
void rate_applications(const FabricApplicationsOptions& options, engine::Transport& transport) {
  const FabricFlowOptions& flow = options.flow;
  const std::vector<Application> applications = read_applications(options.profile);
  if (transport.rank() == 0) {
    files::CommandFiles files;
    notes_files(files, flow);
    files.reads("the profile", options.profile);
    files.writes("--json", flow.json, files::json_format(), files::Streams::allowed);
  }
  const RoutedFabric routed_fabric = routed(flow);
  const bool first = transport.rank() == 0;
  Progress progress(first ? progress_mode(flow.progress) : Progress::Mode::never);
  std::map<std::string, double> bandwidth;
  for (const Application& application : applications) {
    for (const PatternShare& part : application.shares) {
      if (bandwidth.contains(part.pattern)) continue;
      FlowSettings settings = settings_of(flow, routed_fabric.fabric.subnet);
      settings.pattern = workloads::pattern_named(part.pattern);
      FlowExperiment experiment(routed_fabric.fabric.subnet, routed_fabric.tables, std::move(settings));
      bandwidth[part.pattern] = run_flows(experiment, limits_of(flow, experiment), transport, progress).task_avg;
    }
  }
  if (!first) return;
  const FlowReport report = report_on(flow, routed_fabric, "");
  nlohmann::json json = {{"fabric", report.fabric},     {"hosts", report.hosts},
                         {"switches", report.switches}, {"routing", report.routing},
                         {"mapping", report.mapping},   {"seed", report.seed},
                         {"bandwidth", bandwidth},      {"applications", nlohmann::json::array()}};
  const bool limited = options.rated < 1;
  if (limited) json["rated"] = options.rated;
  TextTable table{{"application", "in patterns", "speed left"}};
  if (limited) table.front().insert(table.front().end(), {"gain times rated", "bandwidth over rated"});
  for (const Application& application : applications) {
    double share = 0;
    for (const PatternShare& part : application.shares) share += part.share;
    const double left = application.left([&](const std::string& pattern) { return bandwidth.at(pattern); });
    table.push_back({application.name, percent(share), percent(left, 2)});
    json["applications"].push_back({{"name", application.name}, {"share", share}, {"left", left}});
    if (!limited) continue;
    const double gain = 1 - options.rated * (1 - left);
    const double over_rated = application.left(
        [&](const std::string& pattern) { return std::min(1.0, bandwidth.at(pattern) / options.rated); });
    table.back().insert(table.back().end(), {percent(gain, 2), percent(over_rated, 2)});
    json["applications"].back()["left_rated"] = {{"gain", gain}, {"over_rated", over_rated}};
  }
  std::string text =
      fmt::format("{}: {} hosts, {} switches\n", report.fabric, grouped(report.hosts), grouped(report.switches));
  text += labelled("routing", report.routing);
  for (const auto& [pattern, mean] : bandwidth) text += labelled(pattern, percent(mean, 2) + " of a link's bandwidth");
  write_answer(flow.json, json, text + aligned(table, 2));
}

void add_fabric_applications(CLI::App& group, Command& chosen) {
  const auto options = std::make_shared<FabricApplicationsOptions>();
  CLI::App* command =
      group.add_subcommand("applications", "what applications keep of their speed, from fractions of run time");
  add_flow(command, options->flow);
  command
      ->add_option("--profile", options->profile,
                   "applications and the fractions of run time that they spend in patterns (TOML)")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--rated", options->rated,
                   "bisection bandwidth of the fabric, of a full one, as a limit: what is left if the gain is that "
                   "fraction, and if bandwidths are fractions of it")
      ->type_name("R")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1.0).description(""));
  command->footer(
      "Speed left: 1 - sum over patterns of fraction * (1 - bandwidth of the pattern).\n"
      "Examples:\n"
      "  weft fabric applications examples/fabrics/ranger.toml --profile examples/fabrics/applications.toml --count "
      "200\n"
      "  weft fabric applications ibnetdiscover.txt --tables lfts.txt --profile examples/fabrics/applications.toml");
  command->callback([options, &chosen] {
    chosen = [options](engine::Transport& transport) { rate_applications(*options, transport); };
  });
}

[[maybe_unused]] const bool fabric_applications_registered =
    CommandRegistry::instance().add("fabric applications", {.place = 60, .add = add_fabric_applications});

}  // namespace
}  // namespace weft::tools
