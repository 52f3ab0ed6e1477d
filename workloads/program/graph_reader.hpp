// A program of graphs as a file holds it: read once, task by task.
#pragma once

#include "engine/base/types.hpp"
#include "workloads/program/graph.hpp"

namespace weft::workloads {

/// The graphs of a file, of the tasks that are kept; which these are, a reader is told when it is made.
class GraphReader {
 public:
  virtual ~GraphReader() = default;
  /// Number of tasks of the program, kept or not.
  [[nodiscard]] virtual u32 tasks() const = 0;
  /// Puts the operations of the next task that is kept into `graph`, which is empty, and what they require; the tasks
  /// come in any order. False at the end of the file, which is read to its end. Throws InputError that names the place.
  virtual bool next(u32& task, GraphBuilder& graph) = 0;
};

}  // namespace weft::workloads
