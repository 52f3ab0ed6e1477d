// What all commands of traces share: how a trace is read.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/base/file/output_path.hpp"
#include "workloads/trace/trace_program.hpp"

namespace weft::tools {

/// How trace commands read a trace.
struct TraceChoice {
  std::string path;
  std::string format = "auto";
  std::string cache;      ///< folder for stores; empty: beside the trace
  bool no_store = false;  ///< what is read is not kept
  u32 threads = 0;        ///< that read; 0: one for each core
};

inline constexpr const char* trace_file_help = "trace; its format and compression are known from its content";

/// --format, --cache, --no-store, --threads: how traces are read.
void add_reading(CLI::App& command, TraceChoice& trace);
/// FILE and how it is read.
void add_trace_choice(CLI::App& command, TraceChoice& trace);

[[nodiscard]] workloads::StoreChoice store_choice(const TraceChoice& trace);

/// The files of the trace are read by the command. Throws InputError if there are none.
void reads_trace(files::CommandFiles& files, const TraceChoice& trace);

/// What the trace says is missing of it, a line each; nothing of a pipe, which can be read but once.
[[nodiscard]] std::vector<std::string> missing_of(const TraceChoice& trace);
[[nodiscard]] std::string missing_text(const std::vector<std::string>& missing);

}  // namespace weft::tools
