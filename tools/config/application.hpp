// Applications that weft makes itself, kernels, collective operations and exchanges, as [workload] says.
#pragma once

#include <memory>

#include "models/topology/topology.hpp"
#include "tools/config/config.hpp"
#include "workloads/collective/collective.hpp"
#include "workloads/exchange/exchange.hpp"
#include "workloads/kernel/kernel.hpp"
#include "workloads/program/program.hpp"
#include "workloads/task_limits.hpp"

namespace weft::tools {

/// Whether the nodes run tasks: kernels, collective operations, exchanges and traces.
[[nodiscard]] bool runs_tasks(const Config& config);

/// Whether these tasks come from a formula, not from a file.
[[nodiscard]] bool runs_generated_tasks(const Config& config);

/// Places for tasks on a node.
[[nodiscard]] u32 tasks_per_node(const Config& config);

/// Tasks of a kernel, a collective operation or an exchange on `nodes`; without workload.tasks one for each place.
/// Throws ConfigError if packets cannot name so many.
[[nodiscard]] u32 task_count(const Config& config, u32 nodes);

/// [workload] as the kernels want it; the default of tasks is one for each place on the `nodes` of the network. Not
/// checked.
[[nodiscard]] workloads::KernelSpec kernel_spec(const Config& config, u32 nodes);
/// [workload] as collective operations want it; the default of tasks is that of kernels. Not checked.
[[nodiscard]] workloads::CollectiveSpec collective_spec(const Config& config, u32 nodes);

/// [workload] as exchanges want it; the default of tasks is that of kernels. Not checked.
[[nodiscard]] workloads::ExchangeSpec exchange_spec(const Config& config, u32 nodes);

/// The kernel, collective operation or exchange of [workload]. Throws what make_kernel, make_collective and
/// ExchangeProgram throw, and ConfigError if its longest message is beyond `limits`.
[[nodiscard]] std::unique_ptr<workloads::Program> generated_program(const Config& config,
                                                                    const models::Topology& topology,
                                                                    const workloads::TaskLimits& limits = {});

}  // namespace weft::tools
