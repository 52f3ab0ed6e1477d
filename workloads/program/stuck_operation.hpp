// An operation that cannot go on, for reports.
#pragma once

#include "workloads/program/graph.hpp"

namespace weft::workloads {

/// An operation that a task waits in.
struct StuckOperation {
  u32 task = 0;
  u32 peer = 0, tag = 0, communicator = 0;
  u64 bytes = 0;
  u64 operation = 0;  ///< in the task's program; linear: from 1, graph: from 0
  u64 record = 0;     ///< of a recording that it is of, from 1; 0: unknown
  u32 line = 0;       ///< of the program's file, from 1; 0: it has none
  GraphOp::Kind kind = GraphOp::Kind::receive;
};

}  // namespace weft::workloads
