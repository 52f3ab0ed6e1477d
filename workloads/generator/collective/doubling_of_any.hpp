// Recursive doubling among any number of tasks: who hands on what its partner has, where others have no partner.
#pragma once

#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {

/// In step k, tasks that differ in bit k exchange what the blocks of 2^k tasks around them have. Where the block of the
/// partner is cut off by the number of tasks, those that had a partner hand on what they got inside their own block,
/// over halving distances. (MPICH; Open MPI: recursive doubling for any number of tasks.)
struct DoublingOfAny {
  u32 tasks;

  /// What a task does in one place of a step: place 0 sends to the partner, 1 receives from it; place 2 + j hands on
  /// over a distance of 2^(k - 1 - j).
  struct Move {
    enum class Kind : u8 { none, send, receive } kind = Kind::none;
    u32 peer = 0;
    bool handed_on = false;  ///< the data is that of the partner's block
  };
  static u32 block(u32 task, u32 k) { return task >> k << k; }
  [[nodiscard]] u32 steps() const { return tree_rounds(tasks); }
  /// First place of step k, of all steps.
  [[nodiscard]] static u64 places_before(u32 k) { return u64{2} * k + u64{k} * (k - std::min(k, 1U)) / 2; }
  [[nodiscard]] u64 places() const { return places_before(steps()); }
  [[nodiscard]] u32 step_of(u64 place) const {
    u32 k = 0;
    while (places_before(k + 1) <= place) ++k;
    return k;
  }
  [[nodiscard]] Move move(u32 task, u32 k, u64 place) const {
    const u32 width = u32{1} << k, partner = task ^ width;
    if (place < 2) {
      if (partner >= tasks) return {};
      return {place == 0 ? Move::Kind::send : Move::Kind::receive, partner, false};
    }
    const u32 own = block(task, k);
    if (block(partner, k) < own || u64{block(partner, k)} + width <= tasks || u64{own} + width >= tasks) return {};
    const u32 served = tasks - own - width, distance = u32{1} << (k - 1 - static_cast<u32>(place - 2));
    const u32 peer = task ^ distance, end = block(task, k - static_cast<u32>(place - 2)) + served;
    if (peer > task && task < end && peer >= end) return {Move::Kind::send, peer, true};
    if (peer < task && peer < end && task >= end) return {Move::Kind::receive, peer, true};
    return {};
  }
  /// What a task does in a place of all steps; tag first_tag + k. `length(first, k)`: bytes of what the block of 2^k
  /// tasks from `first` on has; nothing is not sent.
  template <class Length>
  [[nodiscard]] Op op(u32 task, u64 place, u32 first_tag, const Length& length) const {
    const u32 k = step_of(place);
    const Move what = move(task, k, place - places_before(k));
    if (what.kind == Move::Kind::none) return {};
    const bool sends = what.kind == Move::Kind::send;
    const u64 bytes = length(block_sent(sends ? task : what.peer, k, what.handed_on), k);
    return sends ? send_unless_empty(what.peer, bytes, first_tag + k)
                 : receive_unless_empty(what.peer, bytes, first_tag + k);
  }
  /// First task of the block whose data a message of step k brings, by sender and whether it hands that on; or, in the
  /// next, by sender and receiver.
  [[nodiscard]] static u32 block_sent(u32 from, u32 k, bool handed_on) {
    return block(handed_on ? from ^ (u32{1} << k) : from, k);
  }
  [[nodiscard]] static u32 block_of_message(u32 from, u32 to, u32 k) {
    return block_sent(from, k, (from ^ to) != u32{1} << k);
  }
};

}  // namespace weft::workloads
