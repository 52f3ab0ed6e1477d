// Where commands write a trace to: its format is found before any work is done, and what is there is whole or not at
// all.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/file/output_path.hpp"
#include "workloads/trace/trace_program.hpp"

namespace weft::tools {

/// What a trace is written as.
struct TraceOutput {
  std::string out;                      ///< a file or a folder, as the format has it
  std::string to;                       ///< format; empty: by the ending of `out`
  std::string collectives;              ///< library whose rules carry out collective calls, where the format has none
  std::optional<u64> collective_bytes;  ///< of calls without sizes
};

/// What is written, but for --to; returns --out.
CLI::Option* add_output(CLI::App& command, TraceOutput& output);

class TraceTarget {
 public:
  /// Notes the file among those that the command writes. Throws ConfigError for a format that is not written, or
  /// unknown rules of collectives.
  TraceTarget(const TraceOutput& output, files::CommandFiles& files);

  /// Whether operations are written, in place of events.
  [[nodiscard]] bool is_program() const { return format_->write_program != nullptr; }
  [[nodiscard]] workloads::CollectiveRulesChoice collectives() const;
  /// How events become those operations.
  [[nodiscard]] workloads::ReplayRules rules() const { return {.requests = format_->writes_requests}; }
  /// Writes what is_program asks for, and prints that it is written. Throws what the format's writer does.
  void write(const workloads::Program& program) const;
  void write(const std::shared_ptr<const workloads::TraceStore>& store) const;

 private:
  TraceOutput output_;
  const workloads::TraceFormat* format_;
};

}  // namespace weft::tools
