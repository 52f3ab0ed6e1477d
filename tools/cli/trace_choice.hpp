// What all commands of traces share: how a trace is read.
#pragma once

#include "engine/base/file/output_path.hpp"
#include "tools/cli/commands.hpp"
#include "workloads/trace/trace_program.hpp"

namespace weft::tools {

[[nodiscard]] workloads::StoreChoice store_choice(const TraceChoice& trace);

/// The files of the trace are read by the command. Throws InputError if there are none.
void reads_trace(files::CommandFiles& files, const TraceChoice& trace);

/// What the trace says is missing of it, a line each; nothing of a pipe, which can be read but once.
[[nodiscard]] std::vector<std::string> missing_of(const TraceChoice& trace);
[[nodiscard]] std::string missing_text(const std::vector<std::string>& missing);

}  // namespace weft::tools
