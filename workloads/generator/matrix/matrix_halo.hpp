// Which entries of x the tasks of a sparse matrix-vector product y = A x need of each other.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "workloads/generator/matrix/matrix_market.hpp"

namespace weft::workloads {

/// Lines of a matrix in blocks of neighbours, one for each task, the first ones a line longer where it does not divide
/// evenly.
struct MatrixBlocks {
  u64 lines = 1;
  u32 tasks = 1;

  [[nodiscard]] u32 task_of(u64 line) const {
    const u64 least = lines / tasks, longer = lines % tasks, in_longer = longer * (least + 1);
    return static_cast<u32>(line < in_longer ? line / (least + 1) : longer + (line - in_longer) / least);
  }
};

/// Partners of all tasks, with how many entries of x go between them: memory in proportion to the pairs.
class MatrixHalo {
 public:
  struct Partner {
    u32 task = 0, entries = 0;
    friend bool operator==(const Partner&, const Partner&) = default;
  };

  /// Reads the entries of `matrix`. Rows are in blocks; so are the entries of x, by columns, unless `partition` gives
  /// the task of each column: then the rows of a square matrix go with the column of the same number. Throws InputError
  /// for what the reader refuses, ConfigError for fewer rows or columns than tasks (with how many tasks fit).
  MatrixHalo(MatrixMarketReader& matrix, u32 tasks, const std::vector<u32>& partition = {});

  /// Tasks that need entries of this task's, first those behind it round the ring of all tasks.
  [[nodiscard]] std::span<const Partner> sends(u32 task) const { return sends_.of(task); }
  /// Tasks whose entries this one needs, first those before it.
  [[nodiscard]] std::span<const Partner> receives(u32 task) const { return receives_.of(task); }
  /// In its rows; those that stand for two count twice.
  [[nodiscard]] u64 nonzeros(u32 task) const { return nonzeros_[task]; }
  /// Entries of x that go from a task to another, at most.
  [[nodiscard]] u32 most_entries() const { return most_entries_; }

 private:
  struct Lists {
    std::vector<u64> first;  ///< [task]: in `partners`
    std::vector<Partner> partners;
    [[nodiscard]] std::span<const Partner> of(u32 task) const {
      return std::span(partners).subspan(first[task], first[task + 1] - first[task]);
    }
  };
  void make_lists(const std::vector<u64>& needed, u32 tasks, const MatrixBlocks& columns,
                  const std::vector<u32>& partition);

  Lists sends_, receives_;
  std::vector<u64> nonzeros_;
  u32 most_entries_ = 0;
};

/// A file with the task of each column, a number a line; % and # begin comments. Throws InputError for anything else, a
/// task that there is not, or another number of lines than `columns`.
[[nodiscard]] std::vector<u32> read_matrix_partition(std::unique_ptr<ByteSource> source, u64 columns, u32 tasks);

}  // namespace weft::workloads
