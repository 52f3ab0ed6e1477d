// Who sends next at an output of an InfiniBand switch or node: virtual lanes by weights in two tables, of which the
// high one goes first up to a limit (InfiniBand Architecture Specification, volume 1, 7.6.9). docs/infiniband.md has
// the rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "engine/base/types.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models::arbiter {

/// The tables of all outputs.
struct VlTables {
  struct Entry {
    u8 vl = 0;
    u8 weight = 1;  ///< cells, at least 1
  };
  using Table = std::vector<Entry>;
  Table high, low;
  bool limited = true;  ///< what the high table sends in a row
  i32 limit_cells = 1;  ///< of it: as long as some of them are left
};

/// Their keys: router.vl_high, router.vl_low, router.vl_high_limit.
[[nodiscard]] std::vector<Setting> vl_rows();
/// What is wrong with them for so many lanes; among others that a lane has no weight.
[[nodiscard]] std::optional<Complaint> check_vl_tables(const Parameters& keys);
/// What they say, if nothing is wrong with them.
[[nodiscard]] VlTables vl_tables(const Parameters& keys, u32 lanes);

/// Where the outputs of a process are in their tables. Ports are numbered as in PortTable.
class VlArbitration {
  struct Turn {
    u16 place[2] = {0, 0};  ///< entry of the high table, of the low one
    i32 left[2] = {0, 0};   ///< cells that it may still send; less than none: sent whole all the same
    i32 high_left = 0;      ///< cells that the high table may still send in a row
  };
  static_assert(sizeof(Turn) == 16);

 public:
  /// Without lanes: not used, and takes no memory.
  VlArbitration() = default;
  VlArbitration(VlTables tables, u32 lanes);

  [[nodiscard]] bool used() const { return lanes_ != 0; }
  void resize(u32 ports);

  /// A lane that has won, and by which table.
  struct Choice {
    u8 vl = 0;
    u8 table = 0;
  };
  /// The lane that sends next from a port; `available`: those that could, a bit for each, at least one.
  [[nodiscard]] Choice choose(u32 port, u32 available);
  /// Its packet has so many cells.
  void charge(u32 port, Choice choice, u32 cells) {
    Turn& turn = turns_[port];
    turn.left[choice.table] -= static_cast<i32>(cells);
    if (choice.table == high && limited_) turn.high_left -= static_cast<i32>(cells);
  }

  /// How far a queue of a switch is behind the pointer of an output's lane, of so many queues.
  [[nodiscard]] u32 turns_to(u32 port, u32 vl, u32 queue, u32 queues) const {
    const u32 next = next_queue_[std::size_t{port} * lanes_ + vl];
    return queue >= next ? queue - next : queue + queues - next;
  }
  /// The pointer moves behind the queue.
  void move_behind(u32 port, u32 vl, u32 queue, u32 queues) {
    next_queue_[std::size_t{port} * lanes_ + vl] = queue + 1 < queues ? queue + 1 : 0;
  }

  /// Hands the state of ports to f(pointer, bytes).
  template <class Self, class F>
  static void visit_state(Self& self, u32 first_port, u32 ports, F&& f) {
    if (!self.used()) return;
    f(&self.turns_[first_port], ports * sizeof(Turn));
    f(&self.next_queue_[std::size_t{first_port} * self.lanes_], std::size_t{ports} * self.lanes_ * sizeof(u32));
  }
  [[nodiscard]] std::size_t bytes() const { return turns_.size() * sizeof(Turn) + next_queue_.size() * sizeof(u32); }
  [[nodiscard]] static u64 bytes_of_port(u64 lanes) { return sizeof(Turn) + lanes * sizeof(u32); }

 private:
  static constexpr u8 high = 0, low = 1;
  /// The lane whose turn it is in a table that serves one of those available.
  u8 serve(Turn& turn, u8 table, u32 available) const;

  u32 lanes_ = 0;
  bool limited_ = true;
  i32 limit_cells_ = 1;
  VlTables::Table tables_[2];
  u32 served_[2] = {0, 0};  ///< lanes of a table, a bit for each
  std::vector<Turn> turns_;
  std::vector<u32> next_queue_;  ///< [port][lane]: number of the queue that goes first
};

}  // namespace weft::models::arbiter
