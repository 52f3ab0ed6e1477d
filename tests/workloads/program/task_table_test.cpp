// Tables of what tasks keep by keys, held beside plain ones.
#include "workloads/program/host/task_table.hpp"

#include <gtest/gtest.h>
#include <list>
#include <random>

namespace weft::workloads {
namespace {

struct Plain {
  TaskKey key;
  u32 value;
  bool listed_only;
};

std::vector<u32> listed(const TaskTable<u32>& table, const TaskList& list) {
  std::vector<u32> values;
  for (u32 entry = list.first; entry != TaskList::none; entry = table.after(entry)) values.push_back(table[entry]);
  return values;
}

TEST(TaskTable, FindsTheOldestOfAKeyAndKeepsTheOrderOfATask) {
  std::mt19937 random(7);
  constexpr u32 tasks = 3;
  TaskTable<u32> table;
  TaskList lists[tasks];
  std::list<Plain> plain[tasks];
  for (u32 step = 0; step < 20000; ++step) {
    const u32 task = random() % tasks;
    const TaskKey key{task, static_cast<u32>(random() % 5), static_cast<u32>(random() % 3), 0,
                      static_cast<u32>(random() % 2)};
    const bool fill = step / 2000 % 2 == 0;
    if (random() % 10 < (fill ? 7 : 3)) {
      const bool listed_only = random() % 8 == 0;
      table.push(lists[task], key, step, listed_only);
      plain[task].push_back({key, step, listed_only});
      continue;
    }
    const auto first = std::find_if(plain[task].begin(), plain[task].end(),
                                    [&](const Plain& p) { return p.key == key && !p.listed_only; });
    const u32 found = table.find(key);
    ASSERT_EQ(found == TaskList::none, first == plain[task].end());
    if (found == TaskList::none) continue;
    ASSERT_EQ(table[found], first->value);
    ASSERT_EQ(table.key(found), key);
    table.remove(lists[task], found);
    plain[task].erase(first);
    if (step % 50 != 0) continue;
    std::vector<u32> values;
    for (const Plain& p : plain[task]) values.push_back(p.value);
    ASSERT_EQ(listed(table, lists[task]), values);
  }
}

TEST(TaskTable, EntriesBehindOthersOfTheirKeyAreTakenOut) {
  for (const std::vector<u32>& order : {std::vector<u32>{1, 3, 2, 0}, {3, 2, 1, 0}, {2, 0, 3, 1}, {0, 1, 2, 3}}) {
    TaskTable<u32> table;
    TaskList list;
    std::vector<u32> entries, left = {0, 1, 2, 3};
    for (u32 value = 0; value < 4; ++value) entries.push_back(table.push(list, {1, 2}, value));
    for (const u32 gone : order) {
      table.remove(list, entries[gone]);
      std::erase(left, gone);
      EXPECT_EQ(listed(table, list), left);
      const u32 found = table.find({1, 2});
      ASSERT_EQ(found == TaskList::none, left.empty());
      if (!left.empty()) {
        EXPECT_EQ(table[found], left.front());
      }
    }
    // One that comes afterwards is the last of its key.
    table.push(list, {1, 2}, 8);
    table.push(list, {1, 2}, 9);
    table.remove(list, table.find({1, 2}));
    EXPECT_EQ(table[table.find({1, 2})], 9U);
  }
}

TEST(TaskTable, EntriesOfAListAloneAreRemovedToo) {
  TaskTable<u32> table;
  TaskList list;
  const u32 first = table.push(list, {1, 2}, 10, true);
  table.push(list, {1, 2}, 11);
  EXPECT_EQ(table[table.find({1, 2})], 11U);
  table.remove(list, first);
  EXPECT_EQ(listed(table, list), std::vector<u32>{11});
}

TEST(TaskTable, TakesNoMoreMemoryInSteadyState) {
  TaskTable<u32> table;
  TaskList list;
  for (u32 k = 0; k < 100; ++k) table.push(list, {0, k}, k);
  const u64 before = table.bytes();
  for (u32 k = 0; k < 100000; ++k) {
    table.remove(list, table.find({0, k}));
    table.push(list, {0, k + 100}, k);
  }
  EXPECT_EQ(table.bytes(), before);
}

}  // namespace
}  // namespace weft::workloads
