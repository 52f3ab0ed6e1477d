// Whether a program of graphs can be run at all: its dry run without a network.
#pragma once

#include "workloads/program/program.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::workloads {

/// Runs all graphs of `program` (all tasks kept; it cannot be run again): a send is complete at once, and its message
/// is there; a receive waits for one of its source, tag and communicator, whatever its length. Where receives take any
/// source, it is one of the orders in which a run can go. Of a task that does not end the first receive or probe that
/// waits is told.
[[nodiscard]] TraceCheck check_graphs(const Program& program);

}  // namespace weft::workloads
