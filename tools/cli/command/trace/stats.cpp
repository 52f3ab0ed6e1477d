// `weft trace stats`: what a trace does, in numbers and pictures.
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/cli/trace_choice.hpp"
#include "tools/cli/trace_stats_outputs.hpp"

namespace weft::tools {
namespace {

struct TraceStatsOptions {
  TraceChoice trace;
  std::vector<std::string> out;  ///< .h5, .csv, .html, .json or .toml, each by its ending
  std::string json;              ///< as .json; "-": standard output, which then holds nothing else; empty: none
};

using StatsWriter = void (*)(const StatsReport& report, const std::string& path);

void write_stats_page(const StatsReport& report, const std::string& path) {
  files::write_file_atomically(path, page_of(report));
}
void write_stats_json(const StatsReport& report, const std::string& path) {
  files::write_file_atomically(path, json_of(report).dump(2) + "\n");
}
void write_stats_profile(const StatsReport& report, const std::string& path) {
  files::write_file_atomically(path, profile_of(report));
}

StatsWriter stats_writer(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".h5" || ending == ".hdf5") return write_hdf5;
  if (ending == ".csv") return write_pairs;
  if (ending == ".html" || ending == ".htm") return write_stats_page;
  if (ending == ".json") return write_stats_json;
  if (ending == ".toml") return write_stats_profile;
  throw ConfigError(fmt::format("'{}' does not say what is to be written; end it with .h5, .csv, .html, .json or .toml",
                                shown(path)));
}

workloads::TraceStats stats_of_trace(const TraceChoice& trace) {
  const workloads::TraceInput input = workloads::find_trace(trace.path);
  workloads::StoreChoice choice = store_choice(trace);
  choice.format = workloads::find_trace_format(input, choice.format);
  if (workloads::TraceFormats::instance().find(choice.format)->open)
    return workloads::stats_of(workloads::store_of(input, choice));
  return workloads::stats_of(*workloads::open_program(input, {.store = choice, .collectives = {}, .limits = {}}));
}

/// Prints sizes of messages, partners, collective calls and times of a trace, and writes them.
void print_trace_stats(const TraceStatsOptions& options) {
  files::CommandFiles files;
  reads_trace(files, options.trace);
  std::vector<StatsWriter> writers;
  for (const std::string& path : options.out) {
    writers.push_back(stats_writer(path));
    files.writes("--out", path);
  }
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  const StatsReport report{options.trace.path, stats_of_trace(options.trace), missing_of(options.trace)};
  for (std::size_t i = 0; i < writers.size(); ++i) writers[i](report, options.out[i]);
  write_answer(options.json, json_of(report), text_of(report));
}

void add_trace_stats(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceStatsOptions>();
  CLI::App* command =
      trace.add_subcommand("stats", "sizes of messages, partners, traffic matrix, collective calls, shares of time");
  add_trace_choice(*command, options->trace);
  command
      ->add_option(
          "-o,--out", options->out,
          "write all of it as HDF5, JSON or a page with pictures, the traffic matrix as CSV, or fractions of time by "
          "pattern as TOML (a profile of weft fabric applications); may be repeated")
      ->type_name("FILE.h5|.csv|.html|.json|.toml")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--json", options->json, "write the same as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  command->footer(
      "Examples:\n"
      "  weft trace stats examples/traces/is.S.16.trc.xz\n"
      "  weft trace stats examples/traces/is.S.16.trc.xz --out is.html --out is.csv\n"
      "  weft trace stats examples/traces/heat-8 --out heat.toml     # for weft fabric applications --profile "
      "heat.toml");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { print_trace_stats(*options); }); });
}

[[maybe_unused]] const bool trace_stats_registered =
    CommandRegistry::instance().add("trace stats", {.place = 80, .add = add_trace_stats});

}  // namespace
}  // namespace weft::tools
