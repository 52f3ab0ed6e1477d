// Kernels of dense matrices, graphs, shuffles and unstructured grids, and random exchanges: messages and bytes by
// closed forms, and who is whose partner.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "tests/workloads/generator/kernel/kernel_specs.hpp"

namespace weft::workloads {
namespace {

using testing_kernels::error_of;
using testing_kernels::messages;
using testing_kernels::ops;
using testing_kernels::replay;
using testing_kernels::shaped;
using testing_kernels::spec;

TEST(Summa, MovesEachPanelRoundItsRowsAndColumns) {
  for (const auto& [columns, rows] : std::vector<std::pair<i64, i64>>{{4, 3}, {1, 5}, {6, 1}, {3, 3}, {1, 1}}) {
    for (const auto& [n, nb] : std::vector<std::pair<i64, i64>>{{96, 8}, {100, 16}, {7, 7}, {9, 4}}) {
      auto kernel = shaped("summa", {columns, rows});
      kernel.keys.set("matrix_order", n);
      kernel.keys.set("panel", nb);
      kernel.repetitions = 2;
      const auto result = replay(*make_kernel(kernel));
      const u64 steps = static_cast<u64>((n + nb - 1) / nb);
      EXPECT_EQ(result.unfinished_tasks + result.unmatched_messages, 0U);
      EXPECT_EQ(result.sent, 2 * steps * static_cast<u64>(rows * (columns - 1) + columns * (rows - 1)));
      EXPECT_EQ(result.bytes, 2 * static_cast<u64>(n * n * 8 * (columns - 1 + rows - 1)));
    }
  }
  auto small = shaped("summa", {8, 8});
  small.keys.set("matrix_order", i64{7});
  EXPECT_NE(error_of(small).find("use 8 or more"), std::string::npos);
}

TEST(Hpl, MovesWhatIsLeftOfTheMatrixInEachStep) {
  for (const auto& [columns, rows] : std::vector<std::pair<i64, i64>>{{4, 3}, {1, 5}, {6, 1}, {2, 2}}) {
    auto kernel = shaped("hpl", {columns, rows});
    kernel.keys.set("matrix_order", i64{90});
    kernel.keys.set("panel", i64{10});
    const u64 blocks = 9, block_bytes = 10 * 10 * 8;
    // Blocks one by one: block (i, k) of a panel is in row i mod P, block (k, j) of U in column j mod Q.
    u64 sent = 0, bytes = 0;
    for (u64 k = 0; k < blocks; ++k) {
      std::map<u64, u64> of_row, of_column;
      for (u64 i = k; i < blocks; ++i) ++of_row[i % static_cast<u64>(rows)];
      for (u64 j = k + 1; j < blocks; ++j) ++of_column[j % static_cast<u64>(columns)];
      for (const auto& [row, count] : of_row) {
        sent += static_cast<u64>(columns - 1);
        bytes += static_cast<u64>(columns - 1) * count * block_bytes;
      }
      for (const auto& [column, count] : of_column) {
        sent += static_cast<u64>(rows - 1);
        bytes += static_cast<u64>(rows - 1) * count * block_bytes;
      }
    }
    const auto result = replay(*make_kernel(kernel));
    EXPECT_EQ(result.unfinished_tasks + result.unmatched_messages, 0U);
    EXPECT_EQ(result.sent, sent);
    EXPECT_EQ(result.bytes, bytes);
  }
}

TEST(MapReduce, HasAMessageFromEachMapperToEachReducer) {
  for (const auto& [tasks, given, mappers] :
       std::vector<std::tuple<u32, i64, u64>>{{8, 0, 4}, {9, 0, 4}, {9, 7, 7}, {2, 1, 1}}) {
    auto kernel = spec("map-reduce", tasks);
    kernel.keys.set("mappers", given);
    kernel.repetitions = 3;
    std::set<std::pair<u32, u32>> pairs;
    for (u32 task = 0; task < tasks; ++task) {
      for (const Op& op : ops(kernel, task)) {
        if (op.kind == OpKind::send) pairs.emplace(task, op.peer);
      }
    }
    EXPECT_EQ(pairs.size(), mappers * (tasks - mappers));
    EXPECT_EQ(messages(kernel), 3 * mappers * (tasks - mappers));
    EXPECT_EQ(replay(*make_kernel(kernel)).unmatched_messages, 0U);
  }
  auto all = spec("map-reduce", 8);
  all.keys.set("mappers", i64{8});
  EXPECT_NE(error_of(all).find("use 7 or less"), std::string::npos);
}

TEST(Unstructured, HasTheSameNeighboursInEachRoundAsManyAsItsDegree) {
  for (const u32 tasks : {2U, 16U, 33U}) {
    auto kernel = spec("unstructured", tasks);
    kernel.keys.set("degree", i64{5});
    kernel.repetitions = 2;
    EXPECT_EQ(messages(kernel), u64{2} * 5 * 2 * (tasks / 2));
    const auto result = replay(*make_kernel(kernel));
    EXPECT_EQ(result.unfinished_tasks + result.unmatched_messages, 0U);
    for (u32 task = 0; task < tasks; ++task) {
      const auto all = ops(kernel, task);
      EXPECT_TRUE(std::equal(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2),
                             all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2)));
      if (tasks % 2 == 0) {
        EXPECT_EQ(all.size(), 2U * 2 * 5);
      }
    }
  }
}

TEST(Bfs, SendsTheEdgesOfEachLevelAndReducesAfterIt) {
  const u32 n = 8;
  auto kernel = spec("bfs", n);
  kernel.keys.set("edges", i64{80'000});
  kernel.keys.set("levels_percent", std::vector<i64>{0, 25, 75});
  const u64 reductions = 3 * n * 3;  // recursive doubling of 8 tasks: 3 messages each, after each of 3 levels
  const auto result = replay(*make_kernel(kernel));
  EXPECT_EQ(result.unfinished_tasks + result.unmatched_messages, 0U);
  EXPECT_EQ(result.sent, 2 * n * (n - 1) + reductions);
  // 20,000 and 60,000 edges of 8 bytes, an eighth of them to each task; the reductions have 8 bytes.
  EXPECT_EQ(result.bytes, n * (n - 1) * (2500 + 7500) * 8 + reductions * 8);
  kernel.keys.set("levels_percent", std::vector<i64>{50, 49});
  EXPECT_NE(error_of(kernel).find("make them 100"), std::string::npos);
}

TEST(RandomExchange, PairsUpAllTasksAnewInEachRound) {
  for (const u32 tasks : {2U, 7U, 64U}) {
    auto kernel = spec("random-exchange", tasks);
    kernel.keys.set("exchange", std::string("pairs"));
    kernel.repetitions = 6;
    EXPECT_EQ(messages(kernel), u64{6} * 2 * (tasks / 2));
    const auto result = replay(*make_kernel(kernel));
    EXPECT_EQ(result.unfinished_tasks + result.unmatched_messages, 0U);
    std::set<u32> partners;  // of task 0
    for (u32 task = 0; task < tasks; ++task) {
      const auto all = ops(kernel, task);
      for (std::size_t k = 0; k + 1 < all.size(); k += 2) {
        EXPECT_EQ(all[k].kind, OpKind::send);
        EXPECT_EQ(all[k + 1].kind, OpKind::receive);
        EXPECT_EQ(all[k].peer, all[k + 1].peer);
        EXPECT_EQ(all[k].tag, all[k + 1].tag);
        if (task == 0) partners.insert(all[k].peer);
      }
    }
    EXPECT_EQ(partners.size() > 1, tasks > 2);
  }
}

TEST(RandomExchange, SendsWavesOfSoManyRandomMessages) {
  auto kernel = spec("random-exchange", 10);
  kernel.keys.set("exchange", std::string("waves"));
  kernel.keys.set("wave_messages", i64{40});
  kernel.repetitions = 100;
  EXPECT_EQ(messages(kernel), 4000U);
  const auto result = replay(*make_kernel(kernel));
  EXPECT_EQ(result.unfinished_tasks + result.unmatched_messages, 0U);
  std::map<std::pair<u32, u32>, u32> pairs;
  for (u32 task = 0; task < 10; ++task) {
    u32 wave = 0;
    bool receiving = false;
    for (const Op& op : ops(kernel, task)) {
      // All sends of a wave before its receives.
      if (op.tag / 40 != wave) receiving = false;
      wave = op.tag / 40;
      receiving |= op.kind == OpKind::receive;
      EXPECT_TRUE(!receiving || op.kind == OpKind::receive);
      if (op.kind == OpKind::send) ++pairs[{task, op.peer}];
    }
  }
  EXPECT_EQ(pairs.size(), 90U);
  for (const auto& [pair, count] : pairs) EXPECT_NEAR(count, 4000.0 / 90, 36) << pair.first << " " << pair.second;
}

}  // namespace
}  // namespace weft::workloads
