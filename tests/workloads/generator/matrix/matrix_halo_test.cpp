// Partners of sparse matrices against a twin that looks at each entry by itself, and closed forms of Laplacians.
#include "workloads/generator/matrix/matrix_halo.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

#include "engine/base/error.hpp"
#include "workloads/generator/matrix/sparse_matrix.hpp"

namespace weft::workloads {
namespace {

using Places = std::vector<std::pair<u32, u32>>;

std::string text_of(u32 rows, u32 columns, const Places& places, bool symmetric = false) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate pattern {}\n{} {} {}\n",
                                 symmetric ? "symmetric" : "general", rows, columns, places.size());
  for (const auto& [row, column] : places) text += fmt::format("{} {}\n", row + 1, column + 1);
  return text;
}

MatrixHalo halo_of(const std::string& text, u32 tasks, const std::vector<u32>& partition = {}) {
  MatrixMarketReader reader(bytes_in_memory(text, "a.mtx"));
  return {reader, tasks, partition};
}

/// Blocks by counting lines one by one.
std::vector<u32> blocks(u32 lines, u32 tasks) {
  std::vector<u32> task_of;
  for (u32 task = 0; task < tasks; ++task)
    for (u32 line = 0; line < lines / tasks + (task < lines % tasks ? 1 : 0); ++line) task_of.push_back(task);
  return task_of;
}

/// What the halo must be: a set of columns for each pair of tasks.
void expect_twin(const MatrixHalo& halo, const Places& entries, const std::vector<u32>& row_tasks,
                 const std::vector<u32>& column_tasks, u32 tasks) {
  std::map<std::pair<u32, u32>, std::set<u32>> moved;  // from, to
  std::vector<u64> nonzeros(tasks);
  for (const auto& [row, column] : entries) {
    const u32 to = row_tasks[row], from = column_tasks[column];
    ++nonzeros[to];
    if (from != to) moved[{from, to}].insert(column);
  }
  std::size_t pairs = 0;
  u32 most = 0;
  for (u32 task = 0; task < tasks; ++task) {
    EXPECT_EQ(halo.nonzeros(task), nonzeros[task]);
    u32 last = 0;
    for (const MatrixHalo::Partner& to : halo.sends(task)) {
      EXPECT_EQ(to.entries, (moved[{task, to.task}].size()));
      most = std::max(most, to.entries);
      const u32 distance = (to.task + tasks - task) % tasks;
      EXPECT_GT(distance, last);
      last = distance;
      ++pairs;
    }
    last = 0;
    for (const MatrixHalo::Partner& from : halo.receives(task)) {
      EXPECT_EQ(from.entries, (moved[{from.task, task}].size()));
      const u32 distance = (task + tasks - from.task) % tasks;
      EXPECT_GT(distance, last);
      last = distance;
      ++pairs;
    }
  }
  EXPECT_EQ(pairs, 2 * moved.size());
  EXPECT_EQ(most, halo.most_entries());
}

TEST(MatrixHalo, IsWhatATwinFindsInRandomMatrices) {
  std::mt19937 random(7);
  for (u32 trial = 0; trial < 200; ++trial) {
    const u32 rows = 1 + random() % 60, columns = trial % 2 == 0 ? rows : 1 + random() % 60;
    const u32 tasks = 1 + random() % std::min(rows, columns);
    Places places;
    for (u32 entry = random() % 200; entry > 0; --entry) places.emplace_back(random() % rows, random() % columns);
    if (places.size() > u64{rows} * columns) places.resize(rows * columns);
    expect_twin(halo_of(text_of(rows, columns, places), tasks), places, blocks(rows, tasks), blocks(columns, tasks),
                tasks);
    // By a partition: of rows as well, if the matrix is square.
    std::vector<u32> partition;
    for (u32 column = 0; column < columns; ++column) partition.push_back(random() % tasks);
    expect_twin(halo_of(text_of(rows, columns, places), tasks, partition), places,
                rows == columns ? partition : blocks(rows, tasks), partition, tasks);
  }
}

TEST(MatrixHalo, MirrorsSymmetricMatrices) {
  std::mt19937 random(3);
  for (u32 trial = 0; trial < 50; ++trial) {
    const u32 rows = 1 + random() % 40, tasks = 1 + random() % rows;
    std::set<std::pair<u32, u32>> lower;
    for (u32 entry = random() % 100; entry > 0; --entry) {
      const u32 row = random() % rows;
      lower.emplace(row, random() % (row + 1));
    }
    const Places places(lower.begin(), lower.end());
    Places both = places;
    for (const auto& [row, column] : places)
      if (row != column) both.emplace_back(column, row);
    expect_twin(halo_of(text_of(rows, rows, places, true), tasks), both, blocks(rows, tasks), blocks(rows, tasks),
                tasks);
  }
}

TEST(MatrixHalo, OfALaplacianIsALineOfPointsToBothNeighbours) {
  const u32 side = 24, tasks = 6;
  Places places;
  for (u32 y = 0; y < side; ++y) {
    for (u32 x = 0; x < side; ++x) {
      const u32 point = x + side * y;
      places.emplace_back(point, point);
      if (x > 0) places.emplace_back(point, point - 1);
      if (y > 0) places.emplace_back(point, point - side);
    }
  }
  const MatrixHalo halo = halo_of(text_of(side * side, side * side, places, true), tasks);
  u64 nonzeros = 0;
  for (u32 task = 0; task < tasks; ++task) {
    const u32 ends = task == 0 || task == tasks - 1 ? 1 : 2;
    ASSERT_EQ(halo.sends(task).size(), ends);
    for (const auto& partner : halo.sends(task)) EXPECT_EQ(partner.entries, side);
    nonzeros += halo.nonzeros(task);
  }
  EXPECT_EQ(nonzeros, 5 * side * side - 4 * side);
}

TEST(MatrixHalo, RefusesMoreTasksThanRows) {
  try {
    static_cast<void>(halo_of(text_of(3, 8, {}), 4));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "3 rows of a.mtx are too few for 4 tasks (some would have none); use workload.tasks = 3");
  }
}

TEST(MatrixPartition, HasATaskForEachColumn) {
  const auto read = [](const std::string& text) { return read_matrix_partition(bytes_in_memory(text, "p"), 3, 2); };
  EXPECT_EQ(read("% tasks\n0\n\n1\n0\n"), (std::vector<u32>{0, 1, 0}));
  for (const auto& [text, why] :
       {std::pair{"0\n1\n", "p: has the tasks of 2 columns, the matrix has 3"}, std::pair{"0\n2\n", "p:2: no task"},
        std::pair{"0\n1\n0\n1\n", "p:4: more tasks than the 3 columns"}, std::pair{"0 1\n", "p:1: more than a task"}}) {
    try {
      static_cast<void>(read(text));
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  }
}

TEST(SparseMatrix, SendsThenReceivesThenComputesInEachIteration) {
  const auto halo = std::make_shared<const MatrixHalo>(halo_of(text_of(4, 4, {{0, 2}, {0, 3}, {2, 0}, {3, 3}}), 2));
  const auto program = sparse_matrix_program(
      halo, {.tasks = 2, .entry_bytes = 16, .nonzero_ps = 1500, .repetitions = 2, .limits = {}}, "a");
  const auto stream = program->open(TaskId(0));
  for (u32 iteration = 0; iteration < 2; ++iteration) {
    EXPECT_EQ(stream->next(), (Op{OpKind::send, 1, 0, 16}));
    EXPECT_EQ(stream->next(), (Op{OpKind::receive, 1, 0, 32}));
    EXPECT_EQ(stream->next(), (Op{OpKind::compute, 0, 0, 3}));
  }
  EXPECT_EQ(stream->next().kind, OpKind::end);
  TaskLimits small;
  small.message_bytes = 31;
  EXPECT_THROW(static_cast<void>(sparse_matrix_program(
                   halo, {.tasks = 2, .entry_bytes = 16, .nonzero_ps = 0, .repetitions = 1, .limits = small}, "a")),
               ConfigError);
}

}  // namespace
}  // namespace weft::workloads
