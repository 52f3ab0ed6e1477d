// Communicators: which tasks of an application do a collective operation together, and programs of one in terms of the
// tasks of the whole application.
#pragma once

#include <memory>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

/// Tasks first, first + stride, first + 2 stride ...: ranks 0, 1, 2 ... of the communicator.
struct Communicator {
  u32 first = 0, stride = 1, size = 1;  ///< stride and size at least 1

  [[nodiscard]] u32 task(u32 rank) const {
    WEFT_ASSERT(rank < size);
    return first + stride * rank;
  }
  [[nodiscard]] bool has(u32 task) const {
    return task >= first && (task - first) % stride == 0 && (task - first) / stride < size;
  }
  /// Rank of a task that it has.
  [[nodiscard]] u32 rank(u32 task) const {
    WEFT_ASSERT(has(task));
    return (task - first) / stride;
  }
  friend bool operator==(const Communicator&, const Communicator&) = default;
};

/// What a rank does, in terms of tasks: peers are renumbered, and tags are `first_tag` more, so that operations that
/// may overlap do not meet.
[[nodiscard]] std::unique_ptr<TaskStream> on_communicator(std::unique_ptr<TaskStream> of_rank,
                                                          const Communicator& communicator, u32 first_tag = 0);

/// What the rank of `task` does in a program of `communicator.size` tasks, in terms of tasks as by on_communicator.
[[nodiscard]] std::unique_ptr<TaskStream> open_on_communicator(const Program& program, const Communicator& communicator,
                                                               TaskId task, u32 first_tag = 0);

/// All tasks in communicators of one size, as MPI_Comm_split makes them: blocks of size x stride tasks in a row, and of
/// each block the tasks that are `stride` apart. Stride 1: tasks in a row; stride tasks / size: g, g + stride ...
struct CommunicatorSplit {
  u32 tasks = 1, size = 1, stride = 1;

  /// That of a task below `tasks`.
  [[nodiscard]] Communicator of(u32 task) const {
    const u32 block = task - task % (size * stride);
    return {block + (task - block) % stride, stride, size};
  }
};

/// Throws ConfigError that names sizes or strides that fit if size x stride does not divide the tasks.
[[nodiscard]] CommunicatorSplit communicator_split(u32 tasks, u32 size, u32 stride);

/// A program of `split.size` tasks, done by all communicators at once.
[[nodiscard]] std::unique_ptr<Program> in_communicators(std::unique_ptr<const Program> program,
                                                        const CommunicatorSplit& split);

}  // namespace weft::workloads
