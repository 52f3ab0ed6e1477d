// Applications that weft makes itself, kernels and collective operations, as [workload] says.
#pragma once

#include <memory>

#include "tools/config/config.hpp"
#include "workloads/collective/collective.hpp"
#include "workloads/kernel/kernel.hpp"
#include "workloads/program.hpp"
#include "workloads/task_limits.hpp"

namespace weft::tools {

/// Whether the nodes run tasks: kernels, collective operations and traces.
[[nodiscard]] bool runs_tasks(const Config& config);

/// Whether these tasks come from a formula, not from a file.
[[nodiscard]] bool runs_generated_tasks(const Config& config);

/// Places for tasks on a node.
[[nodiscard]] u32 tasks_per_node(const Config& config);

/// [workload] as the kernels want it; the default of tasks is one for each place on the `nodes` of the network. Not
/// checked.
[[nodiscard]] workloads::KernelSpec kernel_spec(const Config& config, u32 nodes);
/// [workload] as collective operations want it; the default of tasks is that of kernels. Not checked.
[[nodiscard]] workloads::CollectiveSpec collective_spec(const Config& config, u32 nodes);

/// The kernel or collective operation of [workload]. Throws what make_kernel and make_collective throw, and ConfigError
/// if its longest message is beyond `limits`.
[[nodiscard]] std::unique_ptr<workloads::Program> generated_program(const Config& config, u32 nodes,
                                                                    const workloads::TaskLimits& limits = {});

}  // namespace weft::tools
