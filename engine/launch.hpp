// Notices processes that a launcher started together and that MPI knows nothing of: each would do the whole run.
#pragma once

#include <string>

#include "engine/base/types.hpp"

namespace weft::engine {

/// Value of an environment variable, nullptr if it is not set: as std::getenv, or a table in tests.
using Environment = const char* (*)(const char* name);

/// What is wrong with the way this process was started, as the line of an error; empty if nothing is. `size`: ranks as
/// MPI sees them. One process of mpirun, a batch script, a step of one task and the shell of `srun --pty` are in order,
/// and so are tasks of a step of which WEFT_SEPARATE_RUNS says that each is meant to be a run of its own.
[[nodiscard]] std::string launch_problem(Environment environment, u32 size);

}  // namespace weft::engine
