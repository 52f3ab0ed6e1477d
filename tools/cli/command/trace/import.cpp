// `weft trace import`: brings a trace into its store.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/system/clock.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/trace_choice.hpp"
#include "tools/run/progress.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

struct TraceImportOptions {
  TraceChoice trace;
  std::string progress = "auto";  ///< auto, always or never
};

/// Brings a trace into its store, whether there is one or not, and says what that took. Throws if it cannot be kept.
void import_trace_file(const TraceImportOptions& options) {
  const workloads::TraceInput input = workloads::find_trace(options.trace.path);
  workloads::StoreChoice choice = store_choice(options.trace);
  const std::string directory = workloads::store_directory(input, choice.cache);
  std::error_code error;
  fs::remove_all(directory, error);
  Progress progress(progress_mode(options.progress));
  progress.start("import of " + input.path, 0, "events");
  choice.watch.progress = [&progress, threads = choice.threads](u64 events) {
    progress.update(static_cast<double>(events) * threads, 0, "");
  };
  const double began = wall_s();
  workloads::prepare_store(input, choice);
  const double took = wall_s() - began;
  progress.finish();
  if (!fs::exists(directory + "/index", error)) {
    // Reading it once more says whether the trace is wrong.
    choice.kept = false;
    static_cast<void>(workloads::store_of(input, choice));
    throw SystemError(
        fmt::format("the store '{}' cannot be written; free some space, or give --cache FOLDER", shown(directory)));
  }
  const auto store = workloads::TraceStore::open(directory);
  files::print(fmt::format("{}: {} events of {} tasks in {}, {} million a second, {} in {}\n", input.path,
                           grouped(store->index().events), grouped(store->index().tasks), duration(took),
                           significant(static_cast<double>(store->index().events) * 1e-6 / std::max(took, 1e-9)),
                           byte_size(static_cast<double>(store->stored_bytes())), directory));
}

void add_trace_import(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceImportOptions>();
  CLI::App* command = trace.add_subcommand(
      "import",
      "bring a trace into its store, from which runs and commands start at once (they do it themselves, too)");
  add_trace_choice(*command, options->trace);
  command->add_option("--progress", options->progress, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  weft trace import examples/traces/is.S.16.trc.xz\n"
      "  weft trace import examples/traces/is.S.16.trc.xz --cache /tmp/stores");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { import_trace_file(*options); }); });
}

[[maybe_unused]] const bool trace_import_registered =
    CommandRegistry::instance().add("trace import", {.place = 50, .add = add_trace_import});

}  // namespace
}  // namespace weft::tools
