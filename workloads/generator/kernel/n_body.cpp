// Kernel "n-body": time steps of direct summation, each body with each other, by blocks that go round a ring of tasks.
// Fox, Johnson, Lyzenga, Otto, Salmon, Walker: Solving Problems on Concurrent Processors, volume 1, 1988, chapter 9
// (long-range interactions): the ring, and the half ring, on which Newton's third law saves half of the computing.
#include <fmt/format.h>

#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// Rounds are time steps. Turn t: the block that began at task r - t is at task r, which computes it with its own;
/// between turns blocks go on to r + 1. Tag: the turn before. All others come by on the whole ring; on the half ring
/// only the P / 2 tasks before r, with the forces on them, which go home at the end (tag: turns). Where P is even, two
/// tasks have each other's blocks in its last turn, and each does half of that.
struct NBodyPlan {
  u32 tasks;
  u64 block_bytes;   ///< what goes round the ring
  u64 forces_bytes;  ///< what goes home; half ring only
  u64 computing;     ///< of two blocks
  bool half, overlap;
  u32 steps;

  u32 rounds() const { return steps; }
  u32 moves() const { return half ? tasks / 2 : tasks - 1; }
  u64 slots() const { return u64{3} * moves() + 1 + (half ? 2 : 0); }
  Op move(u32 task, u32 turn, bool sends) const {
    if (sends) return send_op((task + 1) % tasks, block_bytes, turn);
    return receive_op((task + tasks - 1) % tasks, block_bytes, turn);
  }
  Op compute(u32 turn) const {
    if (!half) return compute_op(computing);
    if (turn == 0) return compute_op(computing - computing / 2);
    return compute_op(turn == moves() && tasks % 2 == 0 ? computing / 2 : computing);
  }
  Op home(u32 task, bool sends) const {
    if (tasks == 1) return {};
    const u32 distance = moves();
    return sends ? send_op(static_cast<u32>((u64{task} + tasks - distance) % tasks), forces_bytes, distance)
                 : receive_op(static_cast<u32>((u64{task} + distance) % tasks), forces_bytes, distance);
  }
  Op op(u32 task, u32, u64 slot) const {
    const auto turn = static_cast<u32>(slot / 3), step = static_cast<u32>(slot % 3);
    if (turn < moves()) {
      if (step == 2) return move(task, turn, false);
      return (step == 0) == overlap ? move(task, turn, true) : compute(turn);
    }
    return step == 0 ? compute(turn) : home(task, step == 1);
  }
};

std::unique_ptr<Program> make_n_body(const KernelSpec& spec) {
  const i64 bodies = spec.keys.integer("bodies"), force = spec.keys.integer("force_bytes");
  const bool half = spec.keys.text("ring") == "half", overlap = spec.keys.flag("overlap");
  if (half && overlap) {
    throw ConfigError(
        "workload.overlap = true does not fit workload.ring = \"half\" (the forces that go on with a block are known "
        "after computing); use ring = \"whole\", or overlap = false");
  }
  const i64 travelling = spec.keys.integer("body_bytes") + (half ? force : 0);
  return planned_program(fmt::format("n-body of {}", spec.tasks), spec.tasks,
                         NBodyPlan{spec.tasks, product_bytes(spec, {bodies, travelling}, "workload.bodies"),
                                   half ? product_bytes(spec, {bodies, force}, "workload.bodies") : 0, compute_ns(spec),
                                   half, overlap, spec.repetitions});
}

const bool n_body_registered = KernelRegistry::instance().add(
    "n-body",
    {.help = "time steps of direct summation: blocks of bodies go round a ring of tasks, each computes them with its "
             "own; any number of tasks",
     .make = make_n_body,
     .settings = {kernel_row::compute_ns("computing of the bodies of two tasks."),
                  row::integer("workload.bodies", "bodies", 1024, {1, 1 << 30}, "of each task."),
                  row::integer("workload.body_bytes", "bytes", 32, {1, 1 << 16},
                               "what goes round of a body: place and mass."),
                  row::integer("workload.force_bytes", "bytes", 24, {1, 1 << 16}, "force on a body.")
                      .only_with("workload.ring", {"half"}),
                  row::choice(
                      "workload.ring", "whole", {"whole", "half"},
                      "how far blocks go: all round, or half of it with the forces on them, which then go home: what "
                      "a acts on b, b acts on a."),
                  kernel_row::overlap()},
     .own_sizes = [](const Parameters&) { return true; }});

}  // namespace
}  // namespace weft::workloads
