// What is written is read again as the same program.
#include "workloads/goal/goal_writer.hpp"

#include <gtest/gtest.h>

#include "engine/error.hpp"
#include "tests/workloads/goal/goal_test_tools.hpp"
#include "workloads/kernel/kernel.hpp"

namespace weft::workloads {
namespace {

std::string written(const Program& program, u64* operations = nullptr) {
  std::string text;
  const u64 count = write_goal(program, [&text](std::string_view piece) { text += piece; });
  if (operations != nullptr) *operations = count;
  return text;
}

void expect_same_op(const GraphOp& a, const GraphOp& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.one_suffices, b.one_suffices);
  EXPECT_EQ(a.stream, b.stream);
  EXPECT_EQ(a.nic, b.nic);
  EXPECT_EQ(a.amount, b.amount);
  EXPECT_EQ(a.missing, b.missing);
  if (a.kind == GraphOp::Kind::compute || a.kind == GraphOp::Kind::join) return;
  EXPECT_EQ(a.peer, b.peer);
  EXPECT_EQ(a.tag, b.tag);
  EXPECT_EQ(a.communicator, b.communicator);
}

void expect_same_graphs(const Program& a, const Program& b) {
  ASSERT_EQ(a.tasks(), b.tasks());
  for (u32 task = 0; task < a.tasks(); ++task) {
    const TaskGraph one = a.graph(TaskId(task)), other = b.graph(TaskId(task));
    ASSERT_EQ(one.ops.size(), other.ops.size());
    for (u32 op = 0; op < one.ops.size(); ++op) {
      expect_same_op(one.ops[op], other.ops[op]);
      EXPECT_EQ(numbers(one.on_completion(op)), numbers(other.on_completion(op))) << task << " " << op;
      EXPECT_EQ(numbers(one.on_start(op)), numbers(other.on_start(op))) << task << " " << op;
    }
  }
}

TEST(GoalWriter, WritesAllThatGraphsHave) {
  const auto program = goal_text(
      "num_ranks 3\n"
      "rank 0 {\na: send 16b to 1 tag 7 comm 3 cpu 1 nic 2\nb: calc 50\nc: recv 0b from -1 tag -1\nd: join\n"
      "e: probe 5b from 2 tag 4 comm 1\nb requires a\nc irequires b\nd requires-any b c\nd irequires a\ne requires "
      "d\n}\n"
      "rank 1 {\nrecv 16b from 0 tag 7 comm 3\n}\n"
      "rank 2 {\n}\n",
      {}, {.nics = 3});
  u64 operations = 0;
  const std::string text = written(*program, &operations);
  EXPECT_EQ(operations, 6U);
  expect_same_graphs(*program, *goal_text(text, {}, {.nics = 3}));
  EXPECT_EQ(written(*goal_text(text, {}, {.nics = 3})), text);
}

TEST(GoalWriter, WritesFilesOfOtherProgramsAsTheyAre) {
  for (const char* const name : {"binary_tree_32.goal"}) {
    const auto program = goal_text(content_of(bundled_goal(name)));
    expect_same_graphs(*program, *goal_text(written(*program)));
  }
}

TEST(GoalWriter, ChainsTheOperationsOfLinearPrograms) {
  KernelSpec spec;
  spec.name = "wavefront";
  spec.tasks = 16;
  spec.message_bytes = 100;
  const auto kernel = make_kernel(spec);
  const auto read = goal_text(written(*kernel));
  ASSERT_EQ(read->tasks(), kernel->tasks());
  for (u32 task = 0; task < 16; ++task) {
    const TaskGraph graph = read->graph(TaskId(task));
    const auto stream = kernel->open(TaskId(task));
    for (u32 number = 0; number < graph.ops.size(); ++number) {
      const Op op = stream->next();
      const GraphOp& found = graph.ops[number];
      EXPECT_EQ(found.kind, op.kind == workloads::OpKind::send ? GraphOp::Kind::send : GraphOp::Kind::receive);
      EXPECT_EQ(found.peer, op.peer);
      EXPECT_EQ(found.amount, op.amount);
      EXPECT_EQ(found.missing, number == 0 ? 0U : 1U);
      const bool last = number + 1 == graph.ops.size();
      EXPECT_EQ(numbers(graph.on_completion(number)), last ? std::vector<u32>{} : std::vector<u32>{number + 1});
    }
    EXPECT_EQ(stream->next().kind, workloads::OpKind::end);
  }
}

TEST(GoalWriter, RefusesProgramsWithoutOperations) {
  const auto empty = goal_text("num_ranks 2\nrank 0 {\n}\nrank 1 {\n}\n");
  EXPECT_THROW(static_cast<void>(written(*empty)), ConfigError);
}

}  // namespace
}  // namespace weft::workloads
