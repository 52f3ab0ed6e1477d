// Where records of a trace stand. Stores do not know it, so the trace is read again, only when there is something to
// report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

struct RecordPlace {
  u64 position = 0;  ///< line or byte, as TraceReader::position; 0: not found
  std::string text;  ///< "FILE:LINE" or "FILE: byte OFFSET"
};

/// Where records stand, each of a task, from 1. Throws what readers throw.
[[nodiscard]] std::vector<RecordPlace> record_places(const TraceSource& source, u32 tasks,
                                                     const std::vector<std::pair<u32, u64>>& records);

}  // namespace weft::workloads
