// Reads programs of graphs into a store.
#include "workloads/program/graph_program.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

/// "file.goal:7", or the operation where it has no line.
std::string place_of(const GraphOp& op, std::size_t number, const std::string& name, u32 task) {
  return op.line > 0 ? fmt::format("{}:{}", name, op.line)
                     : fmt::format("{}: rank {}, operation {}", name, task, number);
}

bool waits_for_time(const GraphOp& op) { return op.kind == GraphOp::Kind::until || op.kind == GraphOp::Kind::pause; }

bool takes_any_message(const GraphOp& op) {
  const bool takes = op.kind == GraphOp::Kind::receive || op.kind == GraphOp::Kind::probe;
  return takes && (op.peer == GraphOp::any || op.tag == GraphOp::any);
}

void check_ops(const GraphBuilder::Finished& graph, const std::string& name, u32 task, const TaskLimits& limits) {
  for (std::size_t number = 0; number < graph.ops.size(); ++number) {
    const GraphOp& op = graph.ops[number];
    const bool computes = op.kind == GraphOp::Kind::compute;
    const bool moves = op.kind == GraphOp::Kind::send || op.kind == GraphOp::Kind::receive;
    if (moves && op.nic >= limits.nics) {
      throw InputError(
          fmt::format("{}: task {}, operation {} is for NIC {} of its node, which has {} (node.nics); use "
                      "nic {}, or a network with more",
                      place_of(op, number, name, task), task, number, op.nic, limits.nics, limits.nics - 1));
    }
    if (!(computes && op.amount > limits.compute_ns) && !(moves && op.amount > limits.message_bytes)) continue;
    throw InputError(fmt::format("{}: {}", place_of(op, number, name, task),
                                 computes ? too_many_ticks(op.amount, limits) : too_many_packets(op.amount, limits)));
  }
}

}  // namespace

GraphProgram::GraphProgram(GraphReader& reader, std::string name, const TaskLimits& limits, u64 memory_bytes)
    : name_(std::move(name)), tasks_(reader.tasks()), store_(memory_bytes) {
  GraphBuilder builder;
  u32 task = 0;
  while (reader.next(task, builder)) {
    const GraphBuilder::Finished graph = builder.finish(fmt::format("{}: rank {}", name_, task));
    check_ops(graph, name_, task, limits);
    waits_for_times_ = waits_for_times_ || std::ranges::any_of(graph.ops, waits_for_time);
    takes_any_ = takes_any_ || std::ranges::any_of(graph.ops, takes_any_message);
    store_.add(task, graph);
  }
  store_.seal();
}

std::unique_ptr<TaskStream> GraphProgram::open(TaskId /*task*/) const {
  WEFT_ASSERT(false);
  return nullptr;
}

}  // namespace weft::workloads
