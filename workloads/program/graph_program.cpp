// Reads programs of graphs into a store.
#include "workloads/program/graph_program.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

void check_amounts(const GraphBuilder::Finished& graph, const std::string& name, u32 task, const TaskLimits& limits) {
  for (std::size_t number = 0; number < graph.ops.size(); ++number) {
    const GraphOp& op = graph.ops[number];
    const bool computes = op.kind == GraphOp::Kind::compute;
    const bool moves = op.kind == GraphOp::Kind::send || op.kind == GraphOp::Kind::receive;
    if (!(computes && op.amount > limits.compute_ns) && !(moves && op.amount > limits.message_bytes)) continue;
    const std::string place = op.line > 0 ? fmt::format("{}:{}", name, op.line)
                                          : fmt::format("{}: rank {}, operation {}", name, task, number);
    throw InputError(fmt::format("{}: {}", place,
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
    check_amounts(graph, name_, task, limits);
    store_.add(task, graph);
  }
  store_.seal();
}

std::unique_ptr<TaskStream> GraphProgram::open(TaskId /*task*/) const {
  WEFT_ASSERT(false);
  return nullptr;
}

}  // namespace weft::workloads
