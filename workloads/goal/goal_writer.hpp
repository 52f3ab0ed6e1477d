// Writes any application as GOAL text.
#pragma once

#include "engine/types.hpp"
#include "workloads/program/program.hpp"
#include "workloads/trace/format/trc_writer.hpp"

namespace weft::workloads {

/// Writes all tasks one after the other. The operations of a linear program, or of a lane, require each the one
/// before; lanes are compute streams, and what waits for a mark requires the operation before it. Returns the
/// number of operations. Throws ConfigError (no operations): what was written by then is no trace.
u64 write_goal(const Program& program, const TextSink& write);

}  // namespace weft::workloads
