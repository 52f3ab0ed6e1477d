// Kernel "bfs": breadth-first search of a graph that is divided among the tasks, level by level.
// Graph500 (Murphy, Wheeler, Barrett, Ang: Introducing the Graph 500, Cray User Group 2010): in each level a task tells
// each other one which of its vertices were reached by an edge, and all sum up whether any was.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "workloads/generator/kernel/composed_program.hpp"

namespace weft::workloads {
namespace {

/// In each level: compute, send to tasks i+1, i+2 ... what edges of this level lead there, receive from i-1, i-2 ...,
/// an allreduce. Destinations of edges are random, so that all pairs have the same. A level without edges has the
/// allreduce only. Computing falls with the edges of the level. Tag: the level.
struct BfsPlan {
  u32 tasks;
  std::vector<u64> bytes;  ///< [level]: of a message
  std::vector<u64> computing;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 of_level() const { return u64{2} * (tasks - 1) + 2; }
  u64 slots() const { return of_level() * bytes.size(); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 level = slot / of_level(), step = slot % of_level(), others = tasks - 1;
    if (step == 0) return compute_op(computing[level]);
    if (step == of_level() - 1) return collective_op();
    if (bytes[level] == 0) return {};
    const auto tag = static_cast<u32>(level);
    const u64 place = (step - 1) % others + 1;
    if (step <= others) return send_op(static_cast<u32>((task + place) % tasks), bytes[level], tag);
    return receive_op(static_cast<u32>((task + u64{tasks} - place) % tasks), bytes[level], tag);
  }
};

std::unique_ptr<Program> make_bfs(const KernelSpec& spec) {
  std::vector<i64> percent = spec.keys.integers("levels_percent");
  if (percent.empty()) percent = {0, 1, 38, 58, 3};
  i64 sum = 0;
  for (const i64 one : percent) sum += one;
  if (sum != 100) {
    throw ConfigError(fmt::format("workload.levels_percent = {} are {} per cent of the edges; make them 100",
                                  list_text(percent), sum));
  }
  const i64 edges = spec.keys.integer("edges"), edge_bytes = spec.keys.integer("edge_bytes");
  BfsPlan plan{spec.tasks, {}, {}, spec.repetitions};
  for (const i64 one : percent) {
    // Those of a task in this level, to each of all tasks alike; a share of one is sent as one.
    const i64 here = edges * one / 100;
    const i64 each = one == 0 ? 0 : std::max<i64>(1, here / spec.tasks);
    plan.bytes.push_back(each == 0 ? 0 : product_bytes(spec, {each, edge_bytes}, "workload.edges"));
    plan.computing.push_back(compute_ns(spec) * static_cast<u64>(one) / 100);
  }
  return reducing_program(fmt::format("bfs of {}", spec.tasks), spec, plan);
}

const bool bfs_registered = KernelRegistry::instance().add(
    "bfs",
    {.help =
         "breadth-first search level by level: to all others what edges lead there, then an allreduce; any number of "
         "tasks",
     .make = make_bfs,
     .settings = {kernel_row::compute_ns("computing of all levels together."),
                  row::integer("workload.edges", "edges", 1 << 20, {1, i64{1} << 40}, "edges of a task."),
                  row::integer("workload.edge_bytes", "bytes", 8, {1, 1 << 16}, "what is sent for an edge."),
                  row::integers("workload.levels_percent", "%", {0, 100},
                                "how much of the edges each level has, 100 in all; not given: 0, 1, 38, 58, 3."),
                  kernel_row::reduction(), kernel_row::reduction_bytes()},
     .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
