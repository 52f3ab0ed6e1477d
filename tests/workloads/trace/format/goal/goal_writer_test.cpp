// What is written is read again as the same program.
#include "workloads/trace/format/goal/goal_writer.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tests/workloads/trace/format/goal/goal_test_tools.hpp"
#include "workloads/generator/kernel/kernel.hpp"

namespace weft::workloads {
namespace {

std::string written(const Program& program, u64* operations = nullptr) {
  std::string text;
  const u64 count = write_goal(program, [&text](std::string_view piece) { text += piece; });
  if (operations != nullptr) *operations = count;
  return text;
}

std::string written_binary(const Program& program) {
  std::string bytes;
  write_goal_binary(program, [&bytes](std::string_view piece) { bytes += piece; });
  return bytes;
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
  EXPECT_THROW(static_cast<void>(written_binary(*empty)), ConfigError);
}

TEST(GoalBinaryWriter, WritesWhatTxt2binWrites) {
  EXPECT_EQ(content_of(bundled_goal("testing_comp_simple4.bin")),
            written_binary(*goal_text(content_of(bundled_goal("testing_comp_simple4.goal")))));
  if (const std::string path = shared_file("traces/goal/perm_across_128_2000.bin"); !path.empty()) {
    const std::string bytes = content_of(path);
    EXPECT_EQ(bytes, written_binary(*goal_binary(bytes)));
  }
}

TEST(GoalBinaryWriter, TextAndBinaryAreTheSameGraphsThereAndBack) {
  const std::string text =
      "num_ranks 3\n"
      "rank 0 {\nl0: send 16b to 1 tag 7 cpu 1 nic 2\nl1: calc 50\nl1 irequires l0\nl2: recv 0b from -1 tag -1\n"
      "l2 requires l0\nl2 requires l1\n}\n"
      "rank 1 {\nl0: recv 16b from 0 tag 7\nl1: send 0b to 0\nl1 requires l0\n}\n"
      "rank 2 {\n}\n";
  const auto program = goal_text(text, {}, {.nics = 3});
  const std::string bytes = written_binary(*program);
  const auto read = goal_binary(bytes, {}, {.nics = 3});
  expect_same_graphs(*program, *read);
  EXPECT_EQ(text, written(*read));
  EXPECT_EQ(bytes, written_binary(*goal_text(written(*read), {}, {.nics = 3})));
}

TEST(GoalBinaryWriter, TagsTellCommunicatorsApart) {
  const auto one =
      goal_text("num_ranks 2\nrank 0 {\nsend 1b to 1 tag 9 comm 4\nrecv 1b from 1 tag -1 comm 4\n}\nrank 1 {\n}\n");
  EXPECT_EQ(9U, goal_binary(written_binary(*one))->graph(TaskId(0)).ops[0].tag);
  const auto two = goal_text(
      "num_ranks 2\nrank 0 {\nsend 1b to 1 tag 9 comm 4\nsend 1b to 1 tag 9\n}\n"
      "rank 1 {\nrecv 1b from 0 tag 9\nrecv 1b from 0 tag 9 comm 4\n}\n");
  const auto read = goal_binary(written_binary(*two));
  const TaskGraph from = read->graph(TaskId(0)), to = read->graph(TaskId(1));
  EXPECT_NE(from.ops[0].tag, from.ops[1].tag);
  EXPECT_EQ(from.ops[0].tag, to.ops[1].tag);
  EXPECT_EQ(from.ops[1].tag, to.ops[0].tag);
}

TEST(GoalBinaryWriter, SaysWhatItHasNoWordFor) {
  const auto failure = [](const std::string& operations) {
    const auto program = goal_text("num_ranks 1\nrank 0 {\n" + operations + "\n}\n");
    return error_of<ConfigError>([&] { static_cast<void>(written_binary(*program)); });
  };
  EXPECT_NE(std::string::npos, failure("a: calc 1\nprobe 1b from 0").find("task 0 of 't.goal' has probes"));
  EXPECT_NE(std::string::npos, failure("join").find("joins"));
  EXPECT_NE(std::string::npos, failure("a: calc 1\nb: calc 2\nb requires-any a").find("one of what they require"));
  EXPECT_NE(std::string::npos, failure("send 1b to 0 comm 2\nrecv 1b from 0 tag -1").find("several communicators"));
}

}  // namespace
}  // namespace weft::workloads
