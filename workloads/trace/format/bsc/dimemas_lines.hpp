// Lines of Dimemas traces.
#pragma once

#include <array>
#include <functional>

#include "engine/base/text/text_cursor.hpp"
#include "workloads/trace/format/bsc/trace_groups.hpp"

namespace weft::workloads {

/// What the first line says, and the definitions behind it.
struct DimemasHeader {
  u32 tasks = 0;
  bool newer = false;  ///< it tells accelerators: roots of collectives are flags, and there are more operations
  TraceGroups groups;
};
/// Reads up to the first record. Throws InputError.
[[nodiscard]] DimemasHeader read_dimemas_header(TextCursor& text);

/// A record: numbers behind type, task and thread, -1 as ~0.
struct DimemasLine {
  static constexpr std::size_t most_fields = 8;
  u64 type = 0;
  u32 task = 0;
  u64 duration_ns = 0;  ///< of computations
  std::array<u64, most_fields> fields = {};
  std::size_t count = 0;
};

/// Types of records that are used here.
enum DimemasType : u64 {
  dimemas_cpu = 1,
  dimemas_send = 2,
  dimemas_receive = 3,
  dimemas_collective = 10,
  dimemas_gpu = 11
};

/// The next record that says something here; false at the end. Records of threads but the first must be no messages.
[[nodiscard]] bool read_dimemas_line(TextCursor& text, const DimemasHeader& header, DimemasLine& line);

}  // namespace weft::workloads
