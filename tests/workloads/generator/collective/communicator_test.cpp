// Communicators: which tasks are in which, what a program of ranks is in terms of tasks, and which splits are refused.
#include "workloads/generator/collective/communicator.hpp"

#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "tests/workloads/generator/collective/data_flow.hpp"

namespace weft::workloads::collective_test {
namespace {

std::vector<u32> tasks_of(const Communicator& communicator) {
  std::vector<u32> tasks;
  for (u32 rank = 0; rank < communicator.size; ++rank) tasks.push_back(communicator.task(rank));
  return tasks;
}

std::vector<Op> all_ops(std::unique_ptr<TaskStream> stream) {
  std::vector<Op> ops;
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) ops.push_back(op);
  EXPECT_EQ(stream->next(), Op{});
  return ops;
}

std::string split_error(u32 tasks, u32 size, u32 stride) {
  try {
    static_cast<void>(communicator_split(tasks, size, stride));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Communicator, NumbersItsTasks) {
  const Communicator every_third{4, 3, 3};
  EXPECT_EQ(tasks_of(every_third), (std::vector<u32>{4, 7, 10}));
  for (u32 task = 0; task < 20; ++task) {
    EXPECT_EQ(every_third.has(task), task == 4 || task == 7 || task == 10) << task;
    if (every_third.has(task)) {
      EXPECT_EQ(every_third.task(every_third.rank(task)), task);
    }
  }
}

TEST(CommunicatorSplit, PutsEachTaskIntoOne) {
  EXPECT_EQ(tasks_of(communicator_split(12, 4, 1).of(6)), (std::vector<u32>{4, 5, 6, 7}));
  EXPECT_EQ(tasks_of(communicator_split(12, 4, 3).of(7)), (std::vector<u32>{1, 4, 7, 10}));
  EXPECT_EQ(tasks_of(communicator_split(24, 4, 3).of(20)), (std::vector<u32>{14, 17, 20, 23}));
  for (const auto& [tasks, size, stride] : {std::tuple{24U, 4U, 3U}, {24U, 1U, 24U}, {24U, 24U, 1U}, {30U, 5U, 2U}}) {
    const CommunicatorSplit split = communicator_split(tasks, size, stride);
    std::set<std::vector<u32>> all;
    for (u32 task = 0; task < tasks; ++task) {
      EXPECT_TRUE(split.of(task).has(task));
      all.insert(tasks_of(split.of(task)));
    }
    EXPECT_EQ(all.size(), tasks / size);
    std::set<u32> seen;
    for (const std::vector<u32>& one : all) seen.insert(one.begin(), one.end());
    EXPECT_EQ(seen.size(), tasks);
    EXPECT_EQ(*seen.rbegin(), tasks - 1);
  }
}

TEST(CommunicatorSplit, NamesWhatFits) {
  EXPECT_EQ(split_error(16, 5, 1),
            "workload.group_tasks = 5 does not fit 16 tasks (all groups must have as many tasks); use group_tasks = 4 "
            "or 8");
  EXPECT_EQ(split_error(16, 8, 4),
            "workload.group_tasks = 8 does not fit 16 tasks with group_stride = 4 (all groups must have as many "
            "tasks); use group_tasks = 4");
  EXPECT_EQ(split_error(16, 2, 3),
            "workload.group_stride = 3 does not fit 16 tasks (they are cut into blocks of group_tasks x group_stride "
            "tasks); use group_stride = 2 or 4");
  EXPECT_EQ(split_error(16, 4, 4), "");
}

TEST(ProgramsOfCommunicators, AreThoseOfTheirRanks) {
  const CollectiveSpec barrier = spec("barrier", "linear", 3);
  const auto program = make_collective(barrier);
  EXPECT_EQ(all_ops(open_on_communicator(*program, {4, 3, 3}, TaskId(4), 10)),
            (std::vector<Op>{{OpKind::receive, 7, 10, 0},
                             {OpKind::receive, 10, 10, 0},
                             {OpKind::send, 7, 11, 0},
                             {OpKind::send, 10, 11, 0}}));
  const auto split = in_communicators(make_collective(barrier), communicator_split(12, 3, 2));
  EXPECT_EQ(split->tasks(), 12U);
  EXPECT_EQ(split->name(), "barrier (linear) of 3 in each of 4 communicators");
  EXPECT_EQ(all_ops(split->open(TaskId(9))), (std::vector<Op>{{OpKind::send, 7, 0, 0}, {OpKind::receive, 7, 1, 0}}));
}

TEST(ProgramsOfCommunicators, OutliveTheProgramTheyAreOf) {
  auto split = in_communicators(make_collective(spec("allreduce", "ring", 4, 100)), communicator_split(8, 4, 2));
  auto stream = split->open(TaskId(5));
  split.reset();
  EXPECT_EQ(all_ops(std::move(stream)).size(), 12U);
}

}  // namespace
}  // namespace weft::workloads::collective_test
