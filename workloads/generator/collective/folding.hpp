// How algorithms for powers of two take any number of tasks: pairs at the front of which one task works for both.
#pragma once

#include <bit>

#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {

/// The largest power of two of the tasks work, with numbers of their own; the first 2 `extra` tasks are pairs, of which
/// one gives its data to the other and waits for the result. (MPICH, Open MPI.)
struct Folding {
  u32 tasks;
  bool odd_works = true;  ///< of a pair, else the even one

  [[nodiscard]] u32 core() const { return std::bit_floor(tasks); }
  [[nodiscard]] u32 levels() const { return static_cast<u32>(std::countr_zero(core())); }
  [[nodiscard]] u32 extra() const { return tasks - core(); }
  [[nodiscard]] bool in_pair(u32 task) const { return task < 2 * extra(); }
  [[nodiscard]] bool works(u32 task) const { return !in_pair(task) || (task % 2 == 1) == odd_works; }
  /// Number of a task that works, among those that do.
  [[nodiscard]] u32 number(u32 task) const { return in_pair(task) ? task / 2 : task - extra(); }
  [[nodiscard]] u32 task(u32 number) const { return first_task(number) + (number < extra() && odd_works ? 1 : 0); }
  /// For which it works, with the next if they are a pair; of number core(): all tasks.
  [[nodiscard]] u32 first_task(u32 number) const { return number + std::min(number, extra()); }
  /// What a task does when the data of pairs meets; `bytes` from one to the other.
  [[nodiscard]] Op fold(u32 task, u64 bytes, u32 tag) const {
    if (!in_pair(task)) return {};
    return works(task) ? receive_op(task ^ 1, bytes, tag) : send_op(task ^ 1, bytes, tag);
  }
  /// The way back.
  [[nodiscard]] Op unfold(u32 task, u64 bytes, u32 tag) const {
    if (!in_pair(task)) return {};
    return works(task) ? send_op(task ^ 1, bytes, tag) : receive_op(task ^ 1, bytes, tag);
  }
  /// What is added up (CollectiveKind::combines) where tag 0 folds, tag 1 + k is step k and later ones bring results.
  [[nodiscard]] static bool combines(const CollectiveSpec& spec, const Op& receive) {
    return receive.tag <= Folding{spec.tasks}.levels();
  }
};

}  // namespace weft::workloads
