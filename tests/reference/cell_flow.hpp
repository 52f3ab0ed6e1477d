// What a node of the plain simulator knows of a node that it sends to: docs/congestion.md, tick by tick.
#pragma once

#include <algorithm>
#include <optional>

#include "tests/reference/cell_network.hpp"

namespace weft::reference {

struct CellFlow {
  static constexpr u64 whole = 1U << 24;

  u64 in_flight = 0;  ///< cells sent, and not acknowledged
  Tick wait = 0;      ///< ticks until it may send again
  bool slowed = false;
  u64 rate = whole, aim = whole, alpha = whole;
  u64 timer_runs_out = 0, counter_runs_out = 0;  ///< how often they have
  u64 counted = 0;
  Tick timer = 0;         ///< ticks left
  std::size_t index = 0;  ///< of the table of delays

  [[nodiscard]] bool open(const CellNetwork& net) const {
    return wait == 0 && (net.window == 0 || in_flight + net.longest <= net.window);
  }
  void pass_tick(const CellMarking& m) {
    wait -= wait > 0 ? 1 : 0;
    if (!m.table.empty()) {
      if (index == 0 || --timer > 0) return;
      timer = m.timer;
      --index;
      return;
    }
    if (!slowed || --timer > 0) return;
    timer = m.timer;
    ++timer_runs_out;
    alpha -= alpha * m.gain / whole;
    faster(m);
  }
  void notified(const CellMarking& m) {
    if (!m.table.empty()) {
      if (index == 0) timer = m.timer;
      index = std::min(index + m.increase, m.table.size() - 1);
      return;
    }
    if (!slowed) rate = alpha = whole;
    slowed = true;
    aim = rate;
    rate = std::max(m.least, rate - rate * alpha / (2 * whole));
    alpha += (whole - alpha) * m.gain / whole;
    timer_runs_out = counter_runs_out = counted = 0;
    timer = m.timer;
  }
  void sends(const CellNetwork& net, u64 cells, Tick cell_time) {
    in_flight += cells;
    wait = cells * cell_time;
    if (net.marking && !net.marking->table.empty()) wait += (wait * net.marking->table[index] + 99) / 100;
    if (!slowed) return;
    wait = (cells * cell_time * whole + rate - 1) / rate;
    for (counted += cells; slowed && counted >= net.marking->counter; counted -= net.marking->counter) {
      ++counter_runs_out;
      faster(*net.marking);
    }
  }

 private:
  void faster(const CellMarking& m) {
    const bool timer_often = timer_runs_out > m.stages, counter_often = counter_runs_out > m.stages;
    if (timer_often && counter_often) {
      aim += (std::min(timer_runs_out, counter_runs_out) - m.stages) * m.fast_step;
    } else if (timer_often || counter_often) {
      aim += m.step;
    }
    aim = std::min(aim, whole);
    rate = (rate + aim + 1) / 2;
    if (rate == whole) slowed = false;
  }
};

}  // namespace weft::reference
