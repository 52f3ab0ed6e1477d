// Looks an algorithm of accelerators up and makes its program.
#include "workloads/generator/accelerator/nccl.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "workloads/program/generator_program.hpp"

namespace weft::workloads {
namespace {

void check_nodes(const NcclSpec& spec) {
  if (spec.tasks % spec.node_tasks == 0) return;
  const u32 below = std::max(1u, spec.tasks / spec.node_tasks) * spec.node_tasks;
  throw ConfigError(
      fmt::format("{} tasks are no whole nodes of {} (workload.node_tasks); use {} or {} tasks, or another "
                  "workload.node_tasks",
                  spec.tasks, spec.node_tasks, below, below + spec.node_tasks));
}

void check_lanes(const NcclSpec& spec, const NcclKind& kind, u32 lanes) {
  if (lanes <= most_lanes) return;
  throw ConfigError(
      fmt::format("workload.channels = {} of {} \"{}\" are {} lanes of a task (of at most {}); use {} or "
                  "less",
                  spec.channels, kind.operation, kind.algorithm, lanes, most_lanes,
                  (most_lanes - (spec.pxn ? 1 : 0)) / kind.lanes_of_channel));
}

}  // namespace

bool add_nccl(NcclKind kind) {
  const std::string name = fmt::format("{} {}", kind.operation, kind.algorithm);
  return NcclRegistry::instance().add(name, std::move(kind));
}

const NcclKind* find_nccl(const std::string& operation, const std::string& algorithm) {
  const auto& registry = NcclRegistry::instance();
  for (const std::string& name : registry.names()) {
    const NcclKind* const kind = registry.find(name);
    const bool chosen = algorithm == "auto" ? kind->switch_group == nullptr : kind->algorithm == algorithm;
    if (kind->operation == operation && chosen) return kind;
  }
  return nullptr;
}

const NcclKind& nccl_kind(const std::string& operation, const std::string& algorithm) {
  if (const NcclKind* const found = find_nccl(operation, algorithm)) return *found;
  const auto& registry = NcclRegistry::instance();
  std::vector<std::string> operations, algorithms{"auto"};
  for (const std::string& name : registry.names()) {
    const NcclKind& kind = *registry.find(name);
    if (kind.operation == operation) algorithms.push_back(kind.algorithm);
    if (operations.empty() || operations.back() != kind.operation) operations.push_back(kind.operation);
  }
  if (algorithms.size() == 1) {
    throw ConfigError(
        fmt::format("workload.name \"{}\" is not an operation of accelerators (one of {}); did you mean "
                    "\"{}\"?",
                    operation, fmt::join(operations, ", "), nearest(operation, operations)));
  }
  throw ConfigError(fmt::format("workload.algorithm \"{}\" is not one of \"{}\" (one of {}); did you mean \"{}\"?",
                                algorithm, operation, fmt::join(algorithms, ", "), nearest(algorithm, algorithms)));
}

std::optional<Complaint> unused_by_nccl(const NcclSpec& spec, const std::string& name) {
  const NcclKind* const found = find_nccl(spec.operation, spec.algorithm);
  if (found == nullptr) return {};
  const NcclKind& kind = *found;
  const std::string what = fmt::format("with {} \"{}\"", kind.operation, kind.algorithm);
  if (kind.switch_group == nullptr && (name == "reductions_in_flight" || name == "switch_latency_ns"))
    return Complaint{"workload." + name, what + " (it needs no switch)",
                     "remove it, or use algorithm = \"in-network\""};
  if (name == "chunk_bytes" && !kind.chunks)
    return Complaint{"workload." + name, what + " (its messages go whole)", "remove it"};
  if (name == "node_tasks" && !kind.by_nodes && !spec.pxn) {
    return Complaint{"workload." + name, what + " (it goes by the numbers of tasks alone)",
                     kind.relays ? "remove it, or give pxn = true" : "remove it"};
  }
  if (name == "pxn" && !kind.relays)
    return Complaint{"workload." + name, what + " (its messages leave by the right NIC anyway)", "remove it"};
  return {};
}

Extent channel_share(const NcclSpec& spec, u32 channel) {
  return even_share({0, spec.message_bytes}, spec.channels, channel);
}

void set_protocol(Transport& transport, const std::string& name) {
  if (name == "ll") {
    transport.wire_bytes = 2;
  } else if (name == "ll128") {
    transport.wire_bytes = 16;
    transport.wire_data = 15;
  } else {
    WEFT_ASSERT(name == "simple");
  }
}

std::vector<std::string> nccl_protocols() { return {"simple", "ll", "ll128"}; }

std::unique_ptr<Program> make_nccl(const NcclSpec& spec) {
  const NcclKind& kind = nccl_kind(spec.operation, spec.algorithm);
  check_nodes(spec);
  if (spec.pxn && spec.node_tasks == 1)
    throw ConfigError("workload.pxn needs nodes of several tasks; give workload.node_tasks, e.g. 8");
  const u32 lanes = spec.channels * kind.lanes_of_channel + (spec.pxn ? 1 : 0);
  check_lanes(spec, kind, lanes);
  LanePlan plan;
  plan.name = fmt::format("{} ({}, {} channel{}) of {}", kind.operation, kind.algorithm, spec.channels,
                          spec.channels == 1 ? "" : "s", spec.tasks);
  plan.tasks = spec.tasks;
  // Always two: programs of one lane match by INSEE's rule, and have no activities.
  plan.lanes = std::max(2u, lanes);
  plan.activities = {{kind.operation, true}};
  if (kind.switch_group != nullptr) plan.switch_groups = {kind.switch_group(spec)};
  plan.switch_latency_ns = spec.switch_latency_ns;
  plan.open = [spec, open = kind.open, lanes](u32 task, u32 lane) -> OpGenerator {
    const auto repeated = [](NcclSpec of, OpGenerator (*once)(const NcclSpec&, u32, u32), u32 here, u32 at,
                             bool exists) -> OpGenerator {
      for (of.repetition = 0; exists && of.repetition < of.repetitions; ++of.repetition) co_yield once(of, here, at);
    };
    return repeated(spec, open, task, lane, lane < lanes);
  };
  return std::make_unique<GeneratorProgram>(std::move(plan));
}

}  // namespace weft::workloads
