// Writes any application as GOAL, text or binary.
#pragma once

#include "engine/base/types.hpp"
#include "workloads/program/program.hpp"
#include "workloads/trace/format/trc_writer.hpp"

namespace weft::workloads {

/// Writes all tasks one after the other, as walk_as_goal (goal_sink.hpp) has them. Returns the number
/// of operations. Throws ConfigError (no operations): what was written by then is no trace.
u64 write_goal(const Program& program, const TextSink& write);

/// Writes all tasks in LogGOPSim's binary form (goal_binary_reader.hpp has the layout), as txt2bin makes it of the text
/// of write_goal. It has no communicators: where there are several, tags are numbered anew, so that each tag of each
/// communicator has one of its own. Memory: the graph of one task; programs are gone through twice. Throws ConfigError
/// like write_goal, and for what it has no word for: probes, joins, operations that one of several lets begin, receives
/// of any tag in one of several communicators.
u64 write_goal_binary(const Program& program, const TextSink& write);

}  // namespace weft::workloads
