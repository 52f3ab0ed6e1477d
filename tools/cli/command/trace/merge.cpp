// `weft trace merge`: traces side by side, as one trace or as jobs of a config.
#include "workloads/trace/edit/merge.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/trace_choice.hpp"
#include "tools/cli/trace_target.hpp"

namespace weft::tools {
namespace {

struct TraceMergeOptions {
  std::vector<TraceChoice> traces;
  TraceOutput output;  ///< empty `out`: nothing is written
  bool jobs = false;   ///< print the [[job]] tables of a config that runs the traces as jobs
};

/// A name for the job of a trace: that of its file up to the first dot, of characters that keys may have.
std::string job_name(const std::string& path, std::set<std::string>& taken) {
  std::filesystem::path file = path;
  if (!file.has_filename()) file = file.parent_path();
  std::string name = file.filename().string();
  name = name.substr(0, name.find('.', 1));
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (!plain) c = '-';
  }
  if (name.empty()) name = "trace";
  std::string result = name;
  for (u32 number = 2; !taken.insert(result).second; ++number) result = fmt::format("{}-{}", name, number);
  return result;
}

/// As TOML writes it; JSON's form of a text is one of TOML's.
std::string quoted_path(const std::string& path) {
  return nlohmann::json(path).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string jobs_text(const std::vector<TraceChoice>& traces) {
  std::string text;
  std::set<std::string> taken;
  for (const TraceChoice& trace : traces) {
    const workloads::ReplayChoice choice{.store = store_choice(trace), .collectives = {}, .limits = {}};
    const u32 tasks = workloads::count_trace_tasks(trace.path, choice.store);
    text += fmt::format("{}[[job]]  # {}\nname = \"{}\"\nworkload = {{kind = \"trace\", path = {}}}\n",
                        text.empty() ? "" : "\n", counted(tasks, "task"), job_name(trace.path, taken),
                        quoted_path(trace.path));
  }
  return text;
}

/// Writes several traces as one, side by side.
void merge_trace_files(const TraceMergeOptions& options) {
  if (options.output.out.empty() && !options.jobs)
    throw ConfigError("weft trace merge writes --out OUT, or prints a config's jobs with --jobs; give one of them");
  files::CommandFiles files;
  for (const TraceChoice& trace : options.traces) reads_trace(files, trace);
  if (options.output.out.empty()) return files::print(jobs_text(options.traces));
  const TraceTarget target(options.output, files);
  std::vector<std::shared_ptr<const workloads::TraceStore>> stores;
  for (const TraceChoice& trace : options.traces)
    stores.push_back(workloads::store_of(workloads::find_trace(trace.path), store_choice(trace)));
  target.write(workloads::merge_traces(stores));
  u64 first = 0;
  for (std::size_t i = 0; i < stores.size(); ++i) {
    const u32 tasks = stores[i]->index().tasks;
    if (tasks > 0)
      files::print(fmt::format("  tasks {} to {}: {}\n", first, first + tasks - 1, options.traces[i].path));
    first += tasks;
  }
  if (options.jobs) files::print("\n" + jobs_text(options.traces));
}

void add_trace_merge(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceMergeOptions>();
  const auto paths = std::make_shared<std::vector<std::string>>();
  const auto choice = std::make_shared<TraceChoice>();
  CLI::App* command =
      trace.add_subcommand("merge", "write several traces as one, side by side, or as jobs of a config");
  command->add_option("FILES", *paths, trace_file_help)->required();
  add_reading(*command, *choice);
  add_output(*command, options->output);
  command->add_option("--to", options->output.to, "its format; by its ending if not given");
  command->add_flag("--jobs", options->jobs, "print the [[job]] tables of a config that runs the traces as jobs");
  command->footer(
      "Examples:\n"
      "  weft trace merge examples/traces/is.S.16.trc.xz examples/traces/mg.S.16.trc.xz --out both.trc\n"
      "  weft trace merge examples/traces/is.S.16.trc.xz examples/traces/mg.S.16.trc.xz --jobs");
  command->callback([options, paths, choice, &chosen] {
    for (const std::string& path : *paths) {
      TraceChoice one = *choice;
      one.path = path;
      options->traces.push_back(one);
    }
    chosen = on_first_rank([options] { merge_trace_files(*options); });
  });
}

[[maybe_unused]] const bool trace_merge_registered =
    CommandRegistry::instance().add("trace merge", {.place = 90, .add = add_trace_merge});

}  // namespace
}  // namespace weft::tools
