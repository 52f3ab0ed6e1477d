// Writes any application as a .trc trace.
#pragma once

#include "engine/base/types.hpp"
#include "workloads/program/program.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// Writes all tasks one after the other, in plain text. Returns the number of records. A last task without operations
/// gets `c RANK 0`, so that readers count it. Throws ConfigError (no operations, or a value that .trc cannot hold):
/// what was written by then is no trace.
u64 write_trc(const Program& program, const TextSink& write);

}  // namespace weft::workloads
