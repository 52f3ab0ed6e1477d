// Formats that are written; see the header.
#include "tools/cli/trace_target.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/generator/collective/rules.hpp"

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

/// The format that is to be written.
const TraceFormat& format_of(const TraceOutput& output) {
  for (const std::string& name : TraceFormats::instance().names()) {
    const TraceFormat& format = *TraceFormats::instance().find(name);
    const bool wanted =
        output.to.empty() ? !format.ending.empty() && output.out.ends_with(format.ending) : name == output.to;
    if (wanted && is_written(format)) return format;
  }
  if (!output.to.empty())
    throw ConfigError(fmt::format("--to {} is no format that is written; use one of {}", output.to, written_formats()));
  throw ConfigError(fmt::format("'{}' does not say which format is to be written; give --to, one of {}",
                                shown(output.out), written_formats()));
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

}  // namespace

CLI::Option* add_output(CLI::App& command, TraceOutput& output) {
  command.add_option("--collectives", output.collectives,
                     "library whose rules carry out collective calls where the format has messages only: openmpi-4.1 "
                     "or mpich-4.0");
  command.add_option("--collective-bytes", output.collective_bytes, "of collective calls without a size");
  return command.add_option("-o,--out", output.out, "what is written: a file or a folder, as the format has it");
}

TraceTarget::TraceTarget(const TraceOutput& output, files::CommandFiles& files)
    : output_(output), format_(&format_of(output)) {
  if (const auto complaint = workloads::unless_rules(output.collectives))
    throw ConfigError(fmt::format("--collectives {} {}; {}", output.collectives, complaint->why, complaint->advice));
  std::error_code error;
  if (is_program() || !fs::is_directory(output.out, error)) files.writes("--out", output.out);
}

workloads::CollectiveRulesChoice TraceTarget::collectives() const {
  return {.library = output_.collectives,
          .unknown_bytes = output_.collective_bytes.value_or(0),
          .has_unknown_bytes = output_.collective_bytes.has_value()};
}

void TraceTarget::write(const workloads::Program& program) const {
  if (!program.is_linear() && output_.out.ends_with(".trc")) {
    throw ConfigError(
        fmt::format("'{}' is a graph of operations, which .trc files cannot hold; write a .goal file", program.name()));
  }
  files::AtomicFile file(output_.out);
  const u64 operations = format_->write_program(program, [&file](std::string_view text) { file.write(text); });
  file.commit();
  files::print(
      fmt::format("wrote {}: {} tasks, {} operations\n", output_.out, grouped(program.tasks()), grouped(operations)));
}

void TraceTarget::write(const std::shared_ptr<const workloads::TraceStore>& store) const {
  if (is_program()) return write(workloads::TraceProgram(store, output_.out, collectives(), rules()));
  const NewTrace made(output_.out);
  const std::vector<std::string> losses = format_->write(store, made.path());
  made.commit();
  files::print(fmt::format("wrote {}: {} tasks, {} events\n", output_.out, grouped(store->index().tasks),
                           grouped(store->index().events)));
  for (const std::string& loss : losses) files::print(fmt::format("  left out: {}\n", loss));
  for (const std::string& missing : store->index().notes) files::print(fmt::format("  missing: {}\n", missing));
}

}  // namespace weft::tools
