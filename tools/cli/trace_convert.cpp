// `weft trace import` and `weft trace convert`.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/system/clock.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/trace_choice.hpp"
#include "tools/cli/trace_target.hpp"
#include "tools/run/progress.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

}  // namespace

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

void convert_trace(const TraceConvertOptions& options) {
  files::CommandFiles files;
  reads_trace(files, options.trace);
  const TraceTarget target(options.output, files);
  const workloads::TraceInput input = workloads::find_trace(options.trace.path);
  const workloads::ReplayChoice choice{
      .store = store_choice(options.trace), .collectives = target.collectives(), .rules = target.rules()};
  if (target.is_program()) {
    target.write(*workloads::open_program(input, choice));
    for (const std::string& missing : missing_of(options.trace)) files::print(fmt::format("  missing: {}\n", missing));
  } else {
    target.write(workloads::store_of(input, choice.store));
  }
}

}  // namespace weft::tools
