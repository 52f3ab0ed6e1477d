// How much the tasks of an application send each other: what a mapping of tasks to nodes is made for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

class Program;

/// The communication matrix of some tasks, of its pairs those that communicate. What a task sends itself is left out.
struct TaskTraffic {
  /// Another task, with what one sends it and receives from it, in units of `unit_bytes`.
  struct Partner {
    u32 task = 0;
    u64 sends = 0, receives = 0;
  };
  u32 tasks = 0;
  double unit_bytes = 1;          ///< a power of two: all weights together are below 2^40
  std::vector<u64> first;         ///< [task], and the end of the last
  std::vector<Partner> partners;  ///< those of a task one after the other, by number

  [[nodiscard]] std::span<const Partner> of(u32 task) const {
    return std::span(partners).subspan(first[task], first[task + 1] - first[task]);
  }
};

/// Bytes from one task to another.
struct PairBytes {
  u32 from = 0, to = 0;
  double bytes = 0;
};

/// The traffic of pairs in any order; those of one pair add up. No weight above 0 becomes 0.
[[nodiscard]] TaskTraffic task_traffic(u32 tasks, std::vector<PairBytes> pairs);

/// What a file says, a traffic matrix as workload.matrix_path takes it, a row for each task. Throws InputError with
/// file and line, for another number of tasks too.
[[nodiscard]] TaskTraffic traffic_of_file(const std::string& path, u32 tasks);

/// What the tasks of a program send, found by going through their operations; an empty message is a byte. Throws
/// ConfigError where that is not known before the run (its tasks go by what they receive), or more than anybody would
/// wait for.
[[nodiscard]] TaskTraffic traffic_of_program(const Program& program);

}  // namespace weft::workloads
