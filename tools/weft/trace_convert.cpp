// `weft trace import` and `weft trace convert`.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "tools/files/atomic_file.hpp"
#include "tools/files/standard_output.hpp"
#include "tools/machine/clock.hpp"
#include "tools/progress/progress.hpp"
#include "tools/text/numbers.hpp"
#include "tools/weft/trace_choice.hpp"
#include "workloads/collective/rules.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

using workloads::TraceFormat;
using workloads::TraceFormats;

bool is_written(const TraceFormat& format) { return format.write || format.write_program != nullptr; }

/// Formats that are written, each with the ending of its files: "trc (.trc), goal (.goal)".
std::string written_formats() {
  std::string list;
  for (const std::string& name : TraceFormats::instance().names()) {
    const TraceFormat& format = *TraceFormats::instance().find(name);
    if (is_written(format)) list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", name, format.ending);
  }
  return list;
}

/// The name of the format that is to be written.
std::string target_format(const TraceConvertOptions& options) {
  for (const std::string& name : TraceFormats::instance().names()) {
    const TraceFormat& format = *TraceFormats::instance().find(name);
    const bool wanted =
        options.to.empty() ? !format.ending.empty() && options.out.ends_with(format.ending) : name == options.to;
    if (wanted && is_written(format)) return name;
  }
  if (!options.to.empty())
    throw ConfigError(
        fmt::format("--to {} is no format that is written; use one of {}", options.to, written_formats()));
  throw ConfigError(fmt::format("'{}' does not say which format is to be written; give --to, one of {}",
                                shown(options.out), written_formats()));
}

/// What is written under a temporary name beside its place, and put there when it is whole.
class NewTrace {
 public:
  explicit NewTrace(const std::string& path) : path_(path), made_(fmt::format("{}.new-{}", path, ::getpid())) {
    std::error_code error;
    if (fs::is_directory(path, error) && !fs::is_empty(path, error))
      throw ConfigError(fmt::format("'{}' is a folder that is not empty; give another name", shown(path)));
  }
  NewTrace(const NewTrace&) = delete;
  NewTrace& operator=(const NewTrace&) = delete;
  ~NewTrace() {
    std::error_code error;
    fs::remove_all(made_, error);
  }
  [[nodiscard]] const std::string& path() const { return made_; }
  void commit() const {
    std::error_code error;
    fs::rename(made_, path_, error);
    if (error) throw SystemError(fmt::format("cannot write '{}' ({})", shown(path_), error.message()));
  }

 private:
  std::string path_, made_;
};

void write_operations(const TraceConvertOptions& options, const TraceFormat& format,
                      const workloads::Program& program) {
  if (!program.is_linear() && options.out.ends_with(".trc")) {
    throw ConfigError(
        fmt::format("'{}' is a graph of operations, which .trc files cannot hold; write a .goal file", program.name()));
  }
  files::AtomicFile file(options.out);
  const u64 operations = format.write_program(program, [&file](std::string_view text) { file.write(text); });
  file.commit();
  files::print(
      fmt::format("wrote {}: {} tasks, {} operations\n", options.out, grouped(program.tasks()), grouped(operations)));
}

}  // namespace

void import_trace_file(const TraceImportOptions& options) {
  const workloads::TraceInput input = workloads::find_trace(options.trace.path);
  workloads::StoreChoice choice = store_choice(options.trace);
  const std::string directory = workloads::store_directory(input, choice.cache);
  std::error_code error;
  fs::remove_all(directory, error);
  Progress progress(progress_mode(options.progress), std::cerr, ::isatty(STDERR_FILENO) == 1);
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
  const std::string name = target_format(options);
  const TraceFormat& format = *TraceFormats::instance().find(name);
  if (const auto complaint = workloads::unless_rules(options.collectives))
    throw ConfigError(fmt::format("--collectives {} {}; {}", options.collectives, complaint->why, complaint->advice));
  workloads::ReplayChoice choice{.store = store_choice(options.trace),
                                 .collectives = {.library = options.collectives,
                                                 .unknown_bytes = options.collective_bytes.value_or(0),
                                                 .has_unknown_bytes = options.collective_bytes.has_value()}};
  const workloads::TraceInput input = workloads::find_trace(options.trace.path);
  if (format.write_program != nullptr) {
    files.writes("OUT", options.out);
    return write_operations(options, format, *workloads::open_program(input, choice));
  }
  const auto store = workloads::store_of(input, choice.store);
  const NewTrace made(options.out);
  const std::vector<std::string> losses = format.write(store, made.path());
  made.commit();
  files::print(fmt::format("wrote {}: {} tasks, {} events\n", options.out, grouped(store->index().tasks),
                           grouped(store->index().events)));
  for (const std::string& loss : losses) files::print(fmt::format("  left out: {}\n", loss));
}

}  // namespace weft::tools
