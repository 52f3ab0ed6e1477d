// Runs of programs by the rules of docs/programs.md: one application, or several jobs.
#pragma once

#include "tools/run/setup/placed_program.hpp"
#include "workloads/program/host/program_host_class.hpp"

namespace weft::tools {

/// What all jobs of a run have in common. `tasks`: of all of them.
[[nodiscard]] workloads::ProgramSpec program_spec(const Context& context, u32 tasks);

/// Writes statistics.matches on rank 0, by destination and receive. Collective.
void write_matches(Context& context, const workloads::ProgramHost& host);

/// Runs the application of [workload] and fills in context.result (whole on rank 0). Throws StuckError naming the
/// operations that tasks wait in. Collective.
void run_tasks(Context& context);

}  // namespace weft::tools
