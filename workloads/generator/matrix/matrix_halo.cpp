// Collects who needs what while the entries stream by; see the header.
#include "workloads/generator/matrix/matrix_halo.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/line_scanner.hpp"

namespace weft::workloads {
namespace {

/// Pairs of a task and a column that it needs of another task, each once. Doubles are thrown out whenever there are as
/// many new ones as known ones, so that memory is in proportion to what is different.
class NeededColumns {
 public:
  void add(u32 task, u32 column) {
    pairs_.push_back(u64{task} << 32 | column);
    if (pairs_.size() >= limit_) {
      sort();
      limit_ = std::max<std::size_t>(least_limit, 2 * pairs_.size());
    }
  }
  /// In the order of tasks, then columns.
  std::vector<u64> take() {
    sort();
    return std::move(pairs_);
  }

 private:
  static constexpr std::size_t least_limit = std::size_t{1} << 20;
  void sort() {
    std::ranges::sort(pairs_);
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  }
  std::vector<u64> pairs_;
  std::size_t limit_ = least_limit;
};

void check_lines(const MatrixMarketReader& matrix, u64 lines, const char* what, u32 tasks) {
  if (lines >= tasks) return;
  throw ConfigError(fmt::format("{} {} of {} are too few for {} tasks (some would have none); use workload.tasks = {}",
                                lines, what, matrix.name(), tasks, lines));
}

}  // namespace

MatrixHalo::MatrixHalo(MatrixMarketReader& matrix, u32 tasks, const std::vector<u32>& partition) {
  const bool rows_are_given = !partition.empty() && matrix.rows() == matrix.columns();
  if (!rows_are_given) check_lines(matrix, matrix.rows(), "rows", tasks);
  if (partition.empty()) check_lines(matrix, matrix.columns(), "columns", tasks);
  const MatrixBlocks rows{matrix.rows(), tasks}, columns{matrix.columns(), tasks};
  const auto of_row = [&](u32 row) { return rows_are_given ? partition[row] : rows.task_of(row); };
  const auto of_column = [&](u32 column) { return partition.empty() ? columns.task_of(column) : partition[column]; };
  NeededColumns needed;
  nonzeros_.resize(tasks);
  const auto add = [&](u32 row, u32 column) {
    const u32 task = of_row(row);
    ++nonzeros_[task];
    if (of_column(column) != task) needed.add(task, column);
  };
  for (u32 row = 0, column = 0; matrix.next(row, column);) {
    add(row, column);
    if (matrix.is_symmetric() && row != column) add(column, row);
  }
  make_lists(needed.take(), tasks, columns, partition);
}

void MatrixHalo::make_lists(const std::vector<u64>& needed, u32 tasks, const MatrixBlocks& columns,
                            const std::vector<u32>& partition) {
  const auto after = [tasks](u32 from, u32 to) { return to >= from ? to - from : to + tasks - from; };
  std::vector<u64> sending(tasks + std::size_t{1});
  std::vector<u32> owners;
  auto at = needed.begin();
  for (u32 task = 0; task < tasks; ++task) {
    receives_.first.push_back(receives_.partners.size());
    owners.clear();
    for (; at != needed.end() && *at >> 32 == task; ++at) {
      const auto column = static_cast<u32>(*at);
      owners.push_back(partition.empty() ? columns.task_of(column) : partition[column]);
    }
    // First those before the task: the nearest one first.
    std::ranges::sort(owners, {}, [&](u32 owner) { return after(owner, task); });
    for (std::size_t first = 0; first < owners.size();) {
      std::size_t last = first;
      while (last < owners.size() && owners[last] == owners[first]) ++last;
      const auto entries = static_cast<u32>(last - first);
      receives_.partners.push_back({owners[first], entries});
      most_entries_ = std::max(most_entries_, entries);
      ++sending[owners[first] + 1];
      first = last;
    }
  }
  receives_.first.push_back(receives_.partners.size());
  for (u32 task = 0; task < tasks; ++task) sending[task + 1] += sending[task];
  sends_.first = sending;
  sends_.partners.resize(receives_.partners.size());
  for (u32 task = 0; task < tasks; ++task) {
    for (const Partner& from : receives(task)) sends_.partners[sending[from.task]++] = {task, from.entries};
  }
  for (u32 task = 0; task < tasks; ++task) {
    const auto begin = sends_.partners.begin();
    std::sort(begin + static_cast<i64>(sends_.first[task]), begin + static_cast<i64>(sends_.first[task + 1]),
              [&](const Partner& a, const Partner& b) { return after(task, a.task) < after(task, b.task); });
  }
}

std::vector<u32> read_matrix_partition(std::unique_ptr<ByteSource> source, u64 columns, u32 tasks) {
  LineReader lines(std::move(source));
  std::vector<u32> partition;
  for (std::string_view line; lines.next_but("%#", line);) {
    const std::string_view word = next_word(line);
    u64 task = 0;
    if (!whole_number(word, tasks - u64{1}, task))
      lines.reject("no task", word, fmt::format("a number from 0 to {}", tasks - u64{1}));
    if (const std::string_view more = next_word(line); !more.empty())
      lines.reject("more than a task on a line", more, "a task");
    if (partition.size() == columns)
      lines.reject(fmt::format("more tasks than the {} columns of the matrix", columns), word, "the end of the file");
    partition.push_back(static_cast<u32>(task));
  }
  if (partition.size() == columns) return partition;
  throw InputError(fmt::format("{}: has the tasks of {} columns, the matrix has {}; expected a line for each",
                               lines.name(), partition.size(), columns));
}

}  // namespace weft::workloads
