// What fuzz targets of readers of programs with lanes do with a program: its last task begins all of its lanes.
#pragma once

#include "engine/base/error.hpp"
#include "workloads/program/program.hpp"

namespace weft::fuzz {

inline void begin_lanes(const workloads::Program& program) {
  const u32 last = program.tasks() - 1;
  for (u32 lane = 0; lane < program.lanes(); ++lane) {
    const auto stream = program.open_lane(TaskId(last), lane);
    constexpr u32 operations = 1000;
    for (u32 k = 0; k < operations; ++k) {
      const workloads::Op op = stream->next();
      if (op.kind == workloads::OpKind::end) break;
      WEFT_ASSERT(op.kind != workloads::OpKind::send || (op.peer < program.tasks() && op.peer != last));
    }
  }
}

}  // namespace weft::fuzz
