// What collective operations and their algorithms share: which pieces tasks have, programs from formulas, steps round
// the ring of all, stars, and the two binomial trees.
#pragma once

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/sizes.hpp"
#include "workloads/generator/collective/collective.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {

/// Which pieces a task has before or after an operation (CollectiveOperation::Has), as several operations have it.
struct Pieces {
  static bool own(const DataPiece& piece, u32 task, u32 /*tasks*/) { return piece.origin == task; }
  static bool for_itself(const DataPiece& piece, u32 task, u32 /*tasks*/) { return piece.target == task; }
  static bool all(const DataPiece& /*piece*/, u32 /*task*/, u32 /*tasks*/) { return true; }
  static bool root_has_all(const DataPiece& /*piece*/, u32 task, u32 /*tasks*/) { return task == 0; }
  static bool root_has_its_own(const DataPiece& piece, u32 task, u32 /*tasks*/) {
    return piece.origin == 0 && task == 0;
  }
  static bool from_root(const DataPiece& piece, u32 task, u32 /*tasks*/) {
    return piece.origin == 0 && piece.target == task;
  }
};

/// The task `distance` <= tasks places up or down the ring of all.
[[nodiscard]] inline u32 task_after(u32 task, u32 distance, u32 tasks) {
  return static_cast<u32>((u64{task} + distance) % tasks);
}
[[nodiscard]] inline u32 task_before(u32 task, u32 distance, u32 tasks) {
  return static_cast<u32>((u64{task} + tasks - distance) % tasks);
}

/// What the plans (planned_program.hpp) of all algorithms have: their rounds are the repetitions. Each adds `slots` and
/// `op`.
struct CollectivePlan {
  u32 tasks;
  u64 bytes;  ///< CollectiveSpec::message_bytes
  u32 repetitions;
  u64 segment_bytes;  ///< 0: none
  u32 radix;          ///< 0: none

  u32 rounds() const { return repetitions; }

  /// A step in two slots: the even one sends to a task, the odd one receives from it.
  static Op exchange(u64 slot, u32 peer, u64 length, u64 tag = 0) {
    const auto number = static_cast<u32>(tag);
    return slot % 2 == 0 ? send_op(peer, length, number) : receive_op(peer, length, number);
  }
  /// A step round the ring of all: sends to the task `distance` <= tasks places up, receives from the one as far down.
  Op shift(u64 slot, u32 task, u32 distance, u64 length, u64 tag = 0) const {
    return exchange(slot, slot % 2 == 0 ? task_after(task, distance, tasks) : task_before(task, distance, tasks),
                    length, tag);
  }
};

/// The plan of an algorithm, of a resolved spec.
template <class Plan>
[[nodiscard]] Plan collective_plan(const CollectiveSpec& spec) {
  Plan plan{};
  static_cast<CollectivePlan&>(plan) = {spec.tasks, spec.message_bytes, spec.repetitions, spec.segment_bytes,
                                        spec.radix};
  return plan;
}

/// The name of its program.
[[nodiscard]] inline std::string collective_name(const CollectiveSpec& spec) {
  return fmt::format("{} ({}) of {}", spec.operation, spec.algorithm, spec.tasks);
}

/// The program of an algorithm's plan.
template <class Plan>
[[nodiscard]] std::unique_ptr<Program> collective_program(const CollectiveSpec& spec) {
  return planned_program(collective_name(spec), spec.tasks, collective_plan<Plan>(spec));
}

/// Throws ConfigError, of an algorithm that pairs tasks by the bits of their number, for tasks that are no power of
/// two; `instead` is an algorithm of the operation that takes any number.
inline void check_power_of_two(const CollectiveSpec& spec, const char* instead) {
  if (std::has_single_bit(spec.tasks)) return;
  throw ConfigError(fmt::format(
      "workload.tasks = {} does not fit {} \"{}\" (it pairs tasks by the bits of their number, so the count "
      "must be a power of two); use {} tasks, or algorithm = \"{}\"",
      spec.tasks, spec.operation, spec.algorithm, nearest_powers_of(2, spec.tasks, 1), instead));
}

/// bytes / by, rounded up: segments of some bytes, or bytes of equal pieces of which the last may be shorter.
[[nodiscard]] inline u64 divided_up(u64 bytes, u64 by) { return bytes / by + (bytes % by != 0 ? 1 : 0); }

/// Some bytes of the data, one after the other.
struct Extent {
  u64 first = 0, bytes = 0;
  [[nodiscard]] bool has(u64 byte) const { return byte >= first && byte - first < bytes; }
};
/// Share `number` of `shares` of some bytes: the first bytes % shares of them have one byte more than the others. (Open
/// MPI's blocks.)
[[nodiscard]] inline Extent even_share(const Extent& of, u64 shares, u64 number) {
  return {of.first + number * (of.bytes / shares) + std::min(number, of.bytes % shares),
          even_part(of.bytes, shares, number)};
}
/// Empty messages are not sent.
[[nodiscard]] inline Op send_unless_empty(u32 to, u64 bytes, u64 tag) {
  return bytes > 0 ? send_op(to, bytes, static_cast<u32>(tag)) : Op{};
}
[[nodiscard]] inline Op receive_unless_empty(u32 from, u64 bytes, u64 tag) {
  return bytes > 0 ? receive_op(from, bytes, static_cast<u32>(tag)) : Op{};
}

/// Rounds of a binomial tree: the least k with 2^k >= tasks.
[[nodiscard]] inline u32 tree_rounds(u32 tasks) { return static_cast<u32>(std::bit_width(tasks - 1)); }

/// Rounds of a tree that becomes `radix` times as large in each: the least k with radix^k >= tasks.
[[nodiscard]] inline u32 tree_rounds(u32 tasks, u32 radix) {
  u32 rounds = 0;
  for (u64 reached = 1; reached < tasks; reached *= radix) ++rounds;
  return rounds;
}

/// Where a task is in one round of a tree, if anywhere: data goes from `parent` to `child` or back.
struct TreeEdge {
  bool exists = false;
  u32 parent = 0, child = 0;
};

/// The tree in which a subtree is 2^k tasks in a row: in round k, p = 2^k, the odd multiples of p are children of those
/// p below them. (Open MPI: in-order binomial tree.)
[[nodiscard]] inline TreeEdge in_order_edge(u32 task, u32 round, u32 tasks) {
  const u32 p = u32{1} << round;
  if (task % p != 0) return {};
  if ((task & p) != 0) return {true, task - p, task};
  return {p < tasks - task, task, task + p};
}

/// The tree that doubles: in round k, p = 2^k, tasks p .. 2p - 1 are children of those p below them. (Open MPI:
/// binomial tree.)
[[nodiscard]] inline TreeEdge doubling_edge(u32 task, u32 round, u32 tasks) {
  const u32 p = u32{1} << round;
  if (task >= p) return {task - p < p, task - p, task};
  return {p < tasks - task, task, task + p};
}

/// What `task` does where data goes along an edge from parent to child.
[[nodiscard]] inline Op down(const TreeEdge& edge, u32 task, u64 bytes, u32 tag = 0) {
  if (!edge.exists) return {};
  return task == edge.parent ? send_op(edge.child, bytes, tag) : receive_op(edge.parent, bytes, tag);
}
/// What `task` does where data goes along an edge from child to parent.
[[nodiscard]] inline Op up(const TreeEdge& edge, u32 task, u64 bytes, u32 tag = 0) {
  if (!edge.exists) return {};
  return task == edge.child ? send_op(edge.parent, bytes, tag) : receive_op(edge.child, bytes, tag);
}

/// Task 0 and each other in turn, in order: the slots of task 0 are the others, another has the one in which it is met.
struct StarPlan : CollectivePlan {
  u64 slots(u32 task) const { return task == 0 ? tasks - 1 : 1; }
  /// Whom task 0 meets in a slot of a task.
  static u32 other(u32 task, u64 slot) { return task == 0 ? static_cast<u32>(slot) + 1 : task; }
  static TreeEdge edge(u32 task, u64 slot) { return {true, 0, other(task, slot)}; }
};

/// All that there is along each edge of the star, in order. (Open MPI: basic linear.)
struct StarDown : StarPlan {
  Op op(u32 task, u32, u64 slot) const { return down(edge(task, slot), task, bytes); }
};
struct StarUp : StarPlan {
  Op op(u32 task, u32, u64 slot) const { return up(edge(task, slot), task, bytes); }
};

/// Tasks of the in-order subtree that is the child of this round: 2^round, or what there is.
[[nodiscard]] inline u32 subtree_tasks(const TreeEdge& edge, u32 round, u32 tasks) {
  return std::min(u32{1} << round, tasks - edge.child);
}

/// Tasks of the largest such subtree but the whole: the longest message of a gather or scatter in pieces.
[[nodiscard]] inline u64 largest_subtree(u32 tasks) {
  const u32 half = std::bit_floor(tasks - (tasks > 1 ? 1 : 0));
  return std::max(half / 2, tasks - std::min(half, tasks - 1));
}

}  // namespace weft::workloads
