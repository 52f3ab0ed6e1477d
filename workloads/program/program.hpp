// What a simulated application is to the rest of weft: a set of tasks, each a lazily pulled stream of operations.
#pragma once

#include <memory>
#include <string>

#include "engine/types.hpp"
#include "workloads/program/graph.hpp"

namespace weft::workloads {

enum class OpKind : u8 { compute, send, receive, end };

/// One operation of a task.
struct Op {
  OpKind kind = OpKind::end;
  u32 peer = 0;    ///< send: destination task; receive: source task
  u32 tag = 0;     ///< send, receive
  u64 amount = 0;  ///< send, receive: bytes; compute: nanoseconds
  friend bool operator==(const Op&, const Op&) = default;
};

/// The operations of one task in program order. After the last one, `next` returns `end` for ever.
class TaskStream {
 public:
  virtual ~TaskStream() = default;
  virtual Op next() = 0;
};

/// An application: a fixed number of tasks. Streams are independent and may be opened for any subset of the tasks.
/// Linear, or a program of graphs.
class Program {
 public:
  virtual ~Program() = default;
  [[nodiscard]] virtual u32 tasks() const = 0;
  [[nodiscard]] virtual std::unique_ptr<TaskStream> open(TaskId task) const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
  /// Whether its tasks are graphs; then `graph` is asked in place of `open`.
  [[nodiscard]] virtual bool has_graphs() const { return false; }
  [[nodiscard]] virtual TaskGraph graph(TaskId /*task*/) const { return {}; }
  /// Whether the computations of its streams last until a time, in cycles from the begin of the task: what is to begin
  /// then begins late if the task is not that far. No processor takes part in them.
  [[nodiscard]] virtual bool keeps_time() const { return false; }
  /// Bytes that it takes in each process, besides those of the tasks there.
  [[nodiscard]] virtual u64 bytes() const { return 0; }
};

}  // namespace weft::workloads
