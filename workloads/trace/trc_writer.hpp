// Writes any application as a .trc trace.
#pragma once

#include <string>

#include "engine/types.hpp"
#include "workloads/program.hpp"

namespace weft::workloads {

/// Writes all tasks one after the other, in plain text, to a temporary name beside `path` that is renamed when the file
/// is whole. Returns the number of records. A last task without operations gets `c RANK 0`, so that readers count it.
/// Throws SystemError (cannot write) and ConfigError (no operations, or a value that .trc cannot hold); both leave no
/// file.
u64 write_trc(const Program& program, const std::string& path);

}  // namespace weft::workloads
