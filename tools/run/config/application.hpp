// The kind of workload of a config, and what it is given of [workload].
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/topology/attachment.hpp"
#include "models/topology/topology.hpp"
#include "tools/run/config/config.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/traffic/arrival_law.hpp"

namespace weft::tools {

/// The kind that workload.kind names. Not of a config with jobs: each has its own (tools/run/config/jobs.hpp).
[[nodiscard]] const workloads::WorkloadKind& workload_kind(const Config& config);

/// Whether the nodes run tasks, as they do in jobs; else each is a source of its own.
[[nodiscard]] bool runs_tasks(const Config& config);

/// Whether destinations are those of workload.pattern. Not asked of a config with jobs.
[[nodiscard]] bool uses_patterns(const Config& config);

/// Whether the workload ends by itself; of jobs, if one does that is no background.
[[nodiscard]] bool ends_by_itself(const Config& config);

/// What independent sources generate; nothing where nodes run tasks.
[[nodiscard]] workloads::SourceRules source_rules(const Config& config);

/// Whether sources go by workload.arrivals. Not asked of a config with jobs.
[[nodiscard]] bool draws_arrivals(const Config& config);

/// When sources generate packets, so many a cycle in the mean: workload.arrivals; null for Bernoulli trials.
[[nodiscard]] std::unique_ptr<const workloads::Arrivals> arrivals(const Config& config, double packets_per_cycle,
                                                                  u64 seed);

/// Keys of [workload], or of the workloads of all jobs, that name a file: those of the kind in use first.
[[nodiscard]] std::vector<std::string> workload_files(const Config& config);

/// Places for tasks on a node.
[[nodiscard]] u32 tasks_per_node(const Config& config);

/// Tasks of an application on `nodes`; without workload.tasks one for each place. Throws ConfigError if packets cannot
/// name so many.
[[nodiscard]] u32 task_count(const Config& config, u32 nodes);

/// Where the NICs of nodes are, by [node]. Throws ConfigError if the topology has no place for them.
[[nodiscard]] models::Attachment node_attachment(const Config& config, const models::Topology& topology);

/// Bytes of messages that the NICs by which a task sends (node.nic_policy) put on their links in a cycle, or take from
/// them: of full packets, without their headers; on ideal networks by the gap between bytes, infinite without one.
[[nodiscard]] double nic_bytes_per_cycle(const Config& config, const models::Topology& topology);

/// [workload] as programs are made from it, on so many compute nodes. Not checked.
[[nodiscard]] workloads::WorkloadSpec workload_spec(const Config& config, const models::Topology& topology, u32 nodes);

/// The program of tasks of [workload]. Throws what its kind throws, ConfigError if its longest message is beyond the
/// limits, or if it is one of nodes and is placed.
[[nodiscard]] std::unique_ptr<workloads::Program> make_program(const Config& config,
                                                               const workloads::WorkloadSpec& spec);

}  // namespace weft::tools
