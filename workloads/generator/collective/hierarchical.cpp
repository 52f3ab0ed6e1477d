// Algorithms that know nodes: inside each node first, then among the first tasks of all nodes, then inside each again.
#include <algorithm>

#include "workloads/generator/collective/composite.hpp"

namespace weft::workloads {
namespace {

using Among = CollectiveKind::Part::Among;

/// `parts` of an operation; "hierarchical".
bool add_hierarchical(const std::string& operation, const std::string& help, std::vector<CollectiveKind::Part> parts,
                      u64 (*longest)(u32 tasks) = nullptr, bool even_nodes = false) {
  return add_composite({.operation = operation,
                        .algorithm = "hierarchical",
                        .help = help + ", by nodes of workload.node_tasks tasks (MPICH: smp); any number of tasks",
                        .longest = longest != nullptr ? longest : [](u32) { return u64{1}; },
                        .by_nodes = true,
                        .even_nodes = even_nodes,
                        .parts = std::move(parts)});
}

const bool broadcast_hierarchical_registered =
    add_hierarchical("broadcast", "binomial among the first tasks of nodes, then inside nodes",
                     {{.operation = "broadcast", .algorithm = "binomial-halving", .among = Among::leaders},
                      {.operation = "broadcast", .algorithm = "binomial-halving", .among = Among::node}});

const bool reduce_hierarchical_registered =
    add_hierarchical("reduce", "binomial inside nodes, then among their first tasks",
                     {{.operation = "reduce", .algorithm = "binomial", .among = Among::node},
                      {.operation = "reduce", .algorithm = "binomial", .among = Among::leaders}});

const bool allreduce_hierarchical_registered = add_hierarchical(
    "allreduce", "reduce inside nodes, recursive doubling among their first tasks, broadcast inside nodes",
    {{.operation = "reduce", .algorithm = "binomial", .among = Among::node},
     {.operation = "allreduce", .algorithm = "recursive-doubling", .among = Among::leaders},
     {.operation = "broadcast", .algorithm = "binomial-halving", .among = Among::node}});

/// Half of a barrier: empty messages up or down a tree.
u64 no_bytes(const CollectiveSpec&) { return 0; }

const bool barrier_hierarchical_registered = add_hierarchical(
    "barrier", "up a tree inside nodes, dissemination among their first tasks, down a tree inside nodes",
    {{.operation = "reduce", .algorithm = "binomial", .among = Among::node, .bytes = no_bytes},
     {.operation = "barrier", .algorithm = "dissemination", .among = Among::leaders},
     {.operation = "broadcast", .algorithm = "binomial-halving", .among = Among::node, .bytes = no_bytes}});

const bool allgather_hierarchical_registered = add_hierarchical(
    "allgather", "gather inside nodes, ring among their first tasks, broadcast of all inside nodes",
    {{.operation = "gather", .algorithm = "binomial", .among = Among::node},
     {.operation = "allgather",
      .algorithm = "ring",
      .among = Among::leaders,
      .bytes = [](const CollectiveSpec& spec) { return spec.message_bytes * std::max(1U, spec.node_tasks); }},
     {.operation = "broadcast",
      .algorithm = "binomial-halving",
      .among = Among::node,
      .bytes = [](const CollectiveSpec& spec) { return spec.message_bytes * spec.tasks; }}},
    [](u32 tasks) { return u64{tasks}; }, true);

}  // namespace
}  // namespace weft::workloads
