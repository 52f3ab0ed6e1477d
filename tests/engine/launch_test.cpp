// Starts as they are on real machines: those that MPI does not know of are refused, and no others.
#include "engine/launch.hpp"

#include <gtest/gtest.h>
#include <map>

namespace weft::engine {
namespace {

using Variables = std::map<std::string, std::string>;

Variables asked;  ///< the environment at hand

std::string judged(const Variables& variables, u32 size) {
  asked = variables;
  return launch_problem(
      [](const char* name) -> const char* {
        const auto found = asked.find(name);
        return found == asked.end() ? nullptr : found->second.c_str();
      },
      size);
}

Variables together(Variables all, const Variables& more) {
  for (const auto& [name, value] : more) all[name] = value;
  return all;
}

// As SLURM 22.05 and Open MPI 4.1.4 set them.
const Variables allocation = {
    {"SLURM_JOB_ID", "1"}, {"SLURM_NTASKS", "4"}, {"SLURM_NPROCS", "4"}, {"SLURM_TASKS_PER_NODE", "4"}};
const Variables batch = together(allocation, {{"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}, {"SLURM_TASK_PID", "99"}});

Variables step(const std::string& tasks, const std::string& rank) {
  return together(batch, {{"SLURM_NTASKS", tasks},
                          {"SLURM_NPROCS", tasks},
                          {"SLURM_TASKS_PER_NODE", tasks},
                          {"SLURM_PROCID", rank},
                          {"SLURM_STEPID", "0"},
                          {"SLURM_STEP_ID", "0"},
                          {"SLURM_STEP_NUM_TASKS", tasks},
                          {"SLURM_STEP_TASKS_PER_NODE", tasks}});
}

/// mpirun over two nodes of an allocation: the ranks have the step of its daemons too.
Variables below_daemons(const std::string& ranks) {
  return together(step("2", "1"), {{"OMPI_COMM_WORLD_SIZE", ranks}, {"OMPI_COMM_WORLD_RANK", "0"}, {"PMIX_RANK", "0"}});
}

TEST(Launch, WhatIsInOrderIsLetThrough) {
  const std::pair<const char*, Variables> cases[] = {
      {"a shell", {}},
      {"mpirun -n 1", {{"OMPI_COMM_WORLD_SIZE", "1"}, {"PMIX_RANK", "0"}}},
      {"mpiexec -n 1 of another MPI", {{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}}},
      {"salloc -n 4", allocation},
      {"a script of sbatch -n 4", batch},
      {"srun -n 1", step("1", "0")},
      {"srun -n 1 --mpi=pmix", together(step("1", "0"), {{"PMIX_RANK", "0"}, {"SLURM_MPI_TYPE", "pmix"}})},
      {"srun -n 4 --pty bash", together(step("4", "0"), {{"SLURM_PTY_PORT", "34415"}})},
      {"mpirun -n 1 in an allocation of two nodes", below_daemons("1")},
      {"sbatch inside a step of two tasks",
       together(step("2", "0"), {{"SLURM_NTASKS", "1"}, {"SLURM_TASKS_PER_NODE", "1"}})},
      {"tasks that are runs of their own", together(step("2", "1"), {{"WEFT_SEPARATE_RUNS", "1"}})},
  };
  for (const auto& [what, variables] : cases) EXPECT_EQ(judged(variables, 1), "") << what;
}

TEST(Launch, ProcessesThatMpiKnowsOfAreLetThrough) {
  EXPECT_EQ(judged({{"OMPI_COMM_WORLD_SIZE", "2"}}, 2), "");
  EXPECT_EQ(judged(together(step("2", "1"), {{"PMIX_RANK", "1"}, {"SLURM_MPI_TYPE", "pmix"}}), 2), "");
  EXPECT_EQ(judged(below_daemons("4"), 4), "");
}

TEST(Launch, ProcessesThatMpiDoesNotKnowOfAreRefusedWithTheOptionThatHelps) {
  const struct {
    const char* what;
    Variables variables;
    const char *variable, *advice;
  } cases[] = {
      {"srun -n 2", step("2", "0"), "SLURM_STEP_NUM_TASKS = 2", "srun --mpi=pmix, or mpirun"},
      {"its second task", step("2", "1"), "SLURM_STEP_NUM_TASKS = 2", "srun --mpi=pmix, or mpirun"},
      {"srun -n 2 --mpi=pmi2", together(step("2", "0"), {{"PMI_SIZE", "2"}, {"SLURM_MPI_TYPE", "pmi2"}}),
       "SLURM_STEP_NUM_TASKS = 2", "srun --mpi=pmix, or mpirun"},
      {"srun --mpi=pmix that does not work",
       together(step("2", "0"), {{"PMIX_RANK", "0"}, {"SLURM_MPI_TYPE", "pmix_v4"}}), "SLURM_STEP_NUM_TASKS = 2",
       "use mpirun inside the allocation"},
      {"the second task of srun --pty", together(step("2", "1"), {{"SLURM_PTY_PORT", "34415"}}),
       "SLURM_STEP_NUM_TASKS = 2", "srun --mpi=pmix"},
      {"mpiexec -n 4 of another MPI",
       {{"PMI_SIZE", "4"}, {"PMI_RANK", "3"}},
       "PMI_SIZE = 4",
       "the MPI that weft was built with"},
      {"mpirun of an Open MPI that does not fit",
       {{"OMPI_COMM_WORLD_SIZE", "3"}},
       "OMPI_COMM_WORLD_SIZE = 3",
       "the MPI that weft was built with"},
  };
  for (const auto& c : cases) {
    const std::string text = judged(c.variables, 1);
    EXPECT_NE(text.find(c.variable), std::string::npos) << c.what << ": " << text;
    EXPECT_NE(text.find(c.advice), std::string::npos) << c.what << ": " << text;
  }
}

}  // namespace
}  // namespace weft::engine
