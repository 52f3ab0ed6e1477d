// Applications from the config: the program of a workload of tasks, where its tasks are placed, and what they cost.
#pragma once

#include <memory>

#include "models/core/layout.hpp"
#include "tools/run/context.hpp"
#include "workloads/program/job.hpp"
#include "workloads/program/placement/placement.hpp"
#include "workloads/program/processors.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::tools {

/// A program and where its tasks are placed. `config`: [workload] and [placement] that it follows from; outlives it.
struct PlacedProgram {
  const Config* config = nullptr;
  std::unique_ptr<workloads::Program> program;
  workloads::Placement placement;
  std::shared_ptr<const workloads::Processors> processors = {};  ///< none: all are alike and never pause
};

/// The application of [workload] of a config; of those that come from files only the tasks of this process are kept.
/// Throws what the kind of workload and the placement throw.
[[nodiscard]] PlacedProgram make_placed_program(Context& context, const models::Layout& layout, const Config& config);

/// The application of [workload] of a config, with a placement on first NICs that was found before. `moves`: its tasks
/// may come to any process later, so all are kept.
[[nodiscard]] PlacedProgram make_placed_program(Context& context, const models::Layout& layout, const Config& config,
                                                workloads::Placement placement, bool moves = false);

/// What placements know of the network, and of the messages of the application; what a mapping costs goes into the
/// result.
[[nodiscard]] workloads::PlacementSpec application_spec(Context& context, const Config& config);

/// A placement on nodes becomes one on their first NICs, which are nodes of the topology.
[[nodiscard]] workloads::Placement on_first_nics(const Context& context, workloads::Placement placement);

/// Throws ConfigError if a task is to run on a node that has failed.
void check_nodes_work(const Context& context, const workloads::Placement& placement);

/// How the tasks of [workload] run.
[[nodiscard]] workloads::TaskSpec task_spec(const Context& context, const Config& config);

/// Whether the times of all operations of an application follow from when its receives took which messages: nothing
/// takes time but its computations and the network.
[[nodiscard]] bool receives_say_all(const Context& context, const PlacedProgram& placed);

/// The application as a job of which tasks have the numbers from `first_task` on.
[[nodiscard]] workloads::ProgramJob program_job(const Context& context, const PlacedProgram& placed, u32 first_task);

}  // namespace weft::tools
