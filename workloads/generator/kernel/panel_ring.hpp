// Products and factorisations of dense matrices, step by step: panels go round the rows and the columns of a grid of
// tasks, each as a ring, then all compute.
#pragma once

#include "workloads/generator/kernel/grid.hpp"

namespace weft::workloads {

/// A slot of step k: to receive and send along the row (0, 1), along the column (2, 3), to compute (4).
struct PanelSlot {
  static constexpr u64 of_step = 5;
  u64 step = 0, part = 0;

  explicit PanelSlot(u64 slot) : step(slot / of_step), part(slot % of_step) {}
  [[nodiscard]] bool computes() const { return part == of_step - 1; }
  /// 0: along the row; 1: along the column.
  [[nodiscard]] u32 dimension() const { return part < 2 ? 0 : 1; }
  /// What a task does of a panel of which it passes on `bytes`. In step k it comes from the task at place k mod the
  /// ring, and goes to the last one before that. Tag: twice the step, one more along columns.
  [[nodiscard]] Op op(const Grid& grid, u32 task, u64 bytes) const {
    const u32 ring = grid.sides[dimension()], place = grid.place(task, dimension());
    const u32 behind = (place + ring - static_cast<u32>(step % ring)) % ring;  // how far from whose panel it is
    const auto tag = static_cast<u32>(2 * step + dimension());
    const u32 stride = grid.stride(dimension()), base = task - place * stride;
    if (part % 2 == 0) return behind == 0 ? Op{} : receive_op(base + (place + ring - 1) % ring * stride, bytes, tag);
    return behind == ring - 1 ? Op{} : send_op(base + (place + 1) % ring * stride, bytes, tag);
  }
};

}  // namespace weft::workloads
