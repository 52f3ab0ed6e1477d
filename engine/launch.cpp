// What launchers tell the processes they start, and what of it may also be left over from a launch further out.
#include "engine/launch.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

namespace weft::engine {
namespace {

std::string_view text(Environment environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? "" : value;
}

u64 number(Environment environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? 0 : std::strtoull(value, nullptr, 10);
}

std::string problem(const char* variable, u64 processes, const std::string& advice) {
  return fmt::format(
      "this is one of {} processes that were started together, but MPI knows only this one ({} = {}; each would "
      "simulate "
      "everything and write the same files); {}, or set WEFT_SEPARATE_RUNS=1 if each is meant to be a run of its own",
      processes, variable, processes, advice);
}

/// Whether this process belongs to a step of SLURM with several tasks. The variables of a step reach further than its
/// tasks: a job that is submitted from inside has them as well, beside a count of tasks of its own; and at `srun --pty`
/// a person sits at the first task.
bool in_a_step(Environment environment) {
  const bool step = !text(environment, "SLURM_STEP_ID").empty() && !text(environment, "SLURM_PROCID").empty();
  if (!step || number(environment, "SLURM_STEP_NUM_TASKS") != number(environment, "SLURM_NTASKS")) return false;
  if (text(environment, "SLURM_STEP_TASKS_PER_NODE") != text(environment, "SLURM_TASKS_PER_NODE")) return false;
  return text(environment, "SLURM_PTY_PORT").empty() || number(environment, "SLURM_PROCID") > 0;
}

}  // namespace

std::string launch_problem(Environment environment, u32 size) {
  if (size > 1 || !text(environment, "WEFT_SEPARATE_RUNS").empty()) return {};
  // The launcher nearest to this process decides: mpirun starts its daemons by srun, and their variables come down to
  // us.
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const u64 processes = number(environment, variable);
    if (processes == 0) continue;
    if (processes == 1) return {};
    if (std::string_view(variable) == "PMI_SIZE" && text(environment, "SLURM_MPI_TYPE") == "pmi2") break;
    return problem(variable, processes, "use the mpirun of the MPI that weft was built with");
  }
  const u64 tasks = number(environment, "SLURM_STEP_NUM_TASKS");
  if (tasks <= 1 || !in_a_step(environment)) return {};
  const bool pmix = text(environment, "SLURM_MPI_TYPE").starts_with("pmix");
  return problem("SLURM_STEP_NUM_TASKS", tasks,
                 pmix ? "use mpirun inside the allocation (this srun's PMIx and weft's MPI do not find each other)"
                      : "use srun --mpi=pmix, or mpirun inside the allocation");
}

}  // namespace weft::engine
