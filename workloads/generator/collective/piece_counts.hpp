// Bytes of the pieces of operations whose pieces differ: MPI's "v" forms.
#pragma once

#include <memory>
#include <vector>

#include "engine/base/text/byte_source.hpp"
#include "engine/base/types.hpp"

namespace weft::workloads {

/// A number of bytes for each task, or for each pair of tasks.
class PieceCounts {
 public:
  /// [task], or, of `tasks` x `tasks` values, [from x tasks + to].
  PieceCounts(std::vector<u64> bytes, u32 tasks);
  /// Bytes of each pair as one task knows them: what it sends to each, and receives from each. For others it is not
  /// asked.
  PieceCounts(u32 task, std::vector<u64> sent, std::vector<u64> received);
  /// Bytes of each pair, from 0 to twice `mean`, equally likely, drawn from `seed`. Nothing is stored.
  PieceCounts(u64 mean, u32 tasks, u64 seed) : tasks_(tasks), span_(2 * mean + 1), seed_(seed) {}

  [[nodiscard]] u32 tasks() const { return tasks_; }
  /// Whether there is one for each pair; else it is one for each task.
  [[nodiscard]] bool of_pairs() const { return before_.empty(); }
  /// Bytes of a task.
  [[nodiscard]] u64 of(u32 task) const { return bytes_[task]; }
  /// Bytes that task `from` has for task `to`: where there is a number for each task, that of `to`.
  [[nodiscard]] u64 of(u32 from, u32 to) const {
    if (!of_pairs()) return bytes_[to];
    if (!received_.empty()) return from == task_ ? bytes_[to] : received_[from];
    return bytes_.empty() ? drawn(from, to) : bytes_[u64{from} * tasks_ + to];
  }
  /// Bytes of `count` tasks from `first` on, after the last one again from task 0.
  [[nodiscard]] u64 of_row(u32 first, u32 count) const;
  /// The most of a task or pair; a bound where pairs are drawn.
  [[nodiscard]] u64 most() const;

 private:
  [[nodiscard]] u64 drawn(u32 from, u32 to) const;

  std::vector<u64> bytes_, before_;  ///< before_: of all tasks below, where there is one for each task
  u32 tasks_;
  u32 task_ = 0;               ///< of those that one task knows
  std::vector<u64> received_;  ///< by it
  u64 span_ = 0, seed_ = 0;
};

struct CollectiveSpec;
/// Bytes of the pieces of all tasks together, one for each.
[[nodiscard]] u64 bytes_of_all(const CollectiveSpec& spec);

/// Laws by which bytes are drawn.
enum class CountsLaw : u8 { uniform, zipf };

/// Drawn from `seed`. uniform: from 0 to twice the mean, of each task or of each pair; zipf: of the tasks in random
/// order, the kth has a share 1 / k^exponent of the mean times the tasks, in whole bytes, whoever the other of a pair
/// is. Throws ConfigError for sums beyond 2^53 bytes.
[[nodiscard]] std::shared_ptr<const PieceCounts> drawn_counts(CountsLaw law, double exponent, u64 mean, u32 tasks,
                                                              bool pairs, u64 seed);

/// A text of whole numbers in any lines, `tasks` of them or, if `pairs`, `tasks` x `tasks` of them, sender after
/// sender; lines that begin with `#` are comments. Throws InputError "file:line: ..." for what is no number or too
/// much.
[[nodiscard]] std::shared_ptr<const PieceCounts> read_counts(std::unique_ptr<ByteSource> source, u32 tasks, bool pairs);

}  // namespace weft::workloads
