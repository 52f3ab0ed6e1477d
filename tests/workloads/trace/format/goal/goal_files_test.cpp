// GOAL files of other programs: read, counted, checked; text and binary of the same program are the same graphs.
#include <fmt/format.h>

#include "tests/workloads/trace/format/goal/goal_test_tools.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::workloads {
namespace {

struct Counts {
  u64 tasks, sends, receives, computes, requirements, bytes;
  friend bool operator==(const Counts&, const Counts&) = default;
};

Counts counts_of(const TraceSummary& s) {
  return {s.tasks, s.messages, s.receives, s.computes, s.requirements, s.bytes};
}

void expect_counts(const std::string& path, const std::string& format, const Counts& expected) {
  const TraceSummary summary = summarise_trace(path);
  EXPECT_EQ(format, summary.format);
  EXPECT_TRUE(summary.graphs);
  EXPECT_EQ(expected, counts_of(summary))
      << fmt::format("{}: {} tasks, {} sends, {} receives, {} computes, {} requirements, {} bytes", path, summary.tasks,
                     summary.messages, summary.receives, summary.computes, summary.requirements, summary.bytes);
  const TraceCheck check = check_trace(path);
  EXPECT_TRUE(check.completes()) << path;
  EXPECT_EQ(0u, check.left_over) << path;
  EXPECT_EQ(expected.sends, check.messages) << path;
}

TEST(GoalFiles, TheBundledOnesAreWhole) {
  expect_counts(bundled_goal("binary_tree_32.goal"), "goal", {32, 31, 31, 0, 26, 31});
  expect_counts(bundled_goal("ring-chain-s17.goal"), "goal", {4, 4, 4, 0, 3, 68});
  expect_counts(bundled_goal("pair-51.goal"), "goal", {2, 1, 1, 0, 0, 51});
  expect_counts(bundled_goal("testing_comp_simple4.goal"), "goal", {16, 1, 1, 1, 1, 8'000'000});
  expect_counts(bundled_goal("testing_comp_simple4.bin"), "goal-binary", {16, 1, 1, 1, 1, 8'000'000});
}

TEST(GoalFiles, TheSharedOnesAreWhole) {
  const std::string sweep = shared_file("traces/goal/sweep3d-4.goal");
  const std::string permutation = shared_file("traces/goal/perm_across_128_2000.bin");
  if (sweep.empty() || permutation.empty()) GTEST_SKIP() << "WEFT_SHARED has no GOAL files";
  EXPECT_EQ(4u, summarise_trace(sweep).tasks);
  EXPECT_TRUE(check_trace(sweep).completes());
  EXPECT_EQ(128u, summarise_trace(permutation).tasks);
  EXPECT_TRUE(check_trace(permutation).completes());
}

TEST(GoalFiles, TextAndBinaryOfAProgramAreEqual) {
  const auto text = goal_text(content_of(bundled_goal("testing_comp_simple4.goal")));
  const auto binary = goal_binary(content_of(bundled_goal("testing_comp_simple4.bin")));
  ASSERT_EQ(text->tasks(), binary->tasks());
  for (u32 task = 0; task < text->tasks(); ++task) {
    const TaskGraph a = text->graph(TaskId(task)), b = binary->graph(TaskId(task));
    ASSERT_EQ(a.ops.size(), b.ops.size());
    EXPECT_EQ(numbers(a.dependents), numbers(b.dependents));
    for (std::size_t number = 0; number < a.ops.size(); ++number) {
      GraphOp op = a.ops[number];
      op.line = 0;
      EXPECT_EQ(0, std::memcmp(&op, &b.ops[number], sizeof(GraphOp))) << task << " " << number;
    }
  }
}

TEST(GoalFiles, AreKnownByTheirContentWhateverTheyAreCalled) {
  const ScratchFolder folder;
  const std::string text = "/* made by hand */\n\n// two\nnum_ranks 1\nrank 0 {\ncalc 5\n}\n";
  EXPECT_EQ("goal", summarise_trace(folder.write("a.trc", zst(text))).format);
  EXPECT_EQ("goal-binary",
            summarise_trace(folder.write("b.trc", xz(content_of(bundled_goal("testing_comp_simple4.bin"))))).format);
  EXPECT_EQ("trc", summarise_trace(folder.write("c.goal", "c 0 5\n")).format);
  // A text is not read as what it is not.
  EXPECT_TRUE(error_of<InputError>([&] {
                (void)summarise_trace(folder.write("d.trc", "c 0 5\n"), {.store = {.format = "goal"}});
              }).ends_with("d.trc:1: unexpected (got 'c'); expected num_ranks and the number of ranks"));
  EXPECT_NE(std::string::npos, error_of<InputError>([&] {
                                 (void)open_trace(find_trace(folder.write("e", text)));
                               }).find("a program of graphs"));
  EXPECT_EQ(1u, count_trace_tasks(folder.file("e")));
}

TraceCheck check_goal(const std::string& text) {
  const ScratchFolder folder;
  return check_trace(folder.write("c.goal", text));
}

TEST(GoalCheck, TellsTheReceiveThatWaitsAndWhatIsLeftOver) {
  const TraceCheck check = check_goal(
      "num_ranks 2\nrank 0 {\na: recv 5b from 1 tag 3 comm 2\nb: send 7b to 1\nb requires a\n}\n"
      "rank 1 {\nsend 5b to 0 tag 3\nsend 5b to 0 tag 3\nb: recv 1b from -1 tag -1\n}\n");
  ASSERT_EQ(2u, check.stuck.size());
  EXPECT_EQ(0u, check.stuck[0].task);
  EXPECT_EQ(1u, check.stuck[0].record);
  EXPECT_EQ(3u, check.stuck[0].line);
  EXPECT_EQ(2u, check.stuck[0].communicator);
  EXPECT_EQ(GraphOp::any, check.stuck[1].from);
  EXPECT_EQ(10u, check.stuck[1].line);
  EXPECT_EQ(2u, check.left_over);
  ASSERT_EQ(1u, check.left_over_examples.size());
  EXPECT_EQ(2u, check.left_over_examples[0].count);
  EXPECT_EQ(5u, check.left_over_examples[0].bytes);
}

TEST(GoalCheck, LengthsNeedNotAgreeAndTheFirstPostedTakesTheFirst) {
  // The any-receive is posted first and takes what the exact one would need; there is a second message for that.
  EXPECT_TRUE(check_goal("num_ranks 2\nrank 0 {\nsend 9b to 1 tag 1\nsend 8b to 1 tag 1\n}\n"
                         "rank 1 {\na: recv 1b from -1 tag -1\nb: recv 1b from 0 tag 1\n}\n")
                  .completes());
}

TEST(GoalCheck, ProbesSeeMessagesThatNobodyTook) {
  const std::string sends = "num_ranks 2\nrank 0 {\nsend 9b to 1 tag 1\n}\nrank 1 {\n";
  EXPECT_TRUE(check_goal(sends + "p: probe 9b from -1 tag 1\nr: recv 9b from 0 tag 1\nr requires p\n}\n").completes());
  EXPECT_FALSE(check_goal(sends + "p: probe 9b from -1 tag 1\nr: recv 9b from 0 tag 1\np requires r\n}\n").completes());
}

TEST(GoalCheck, OneOfSeveralLetsAJoinGoOn) {
  // Rank 0 answers as soon as one message is there; rank 1 sends the other one only after that.
  const auto waits = [](const std::string& requirements) {
    return check_goal("num_ranks 2\nrank 0 {\na: recv 1b from 1 tag 1\nb: recv 1b from 1 tag 2\nw: join\n" +
                      requirements +
                      "c: send 1b to 1\nc requires w\n}\n"
                      "rank 1 {\nsend 1b to 0 tag 2\na: recv 1b from 0\nb: send 1b to 0 tag 1\nb requires a\n}\n");
  };
  EXPECT_TRUE(waits("w requires-any a b\n").completes());
  EXPECT_FALSE(waits("w requires a\nw requires b\n").completes());
}

TEST(GoalCheck, TasksMayStartWhatOthersWaitFor) {
  // A ring in which each waits for the one before: only the first may go ahead.
  EXPECT_TRUE(check_trace(bundled_goal("ring-chain-s17.goal")).completes());
  EXPECT_FALSE(check_goal("num_ranks 2\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb requires a\n}\n"
                          "rank 1 {\na: recv 1b from 0\nb: send 1b to 0\nb requires a\n}\n")
                   .completes());
  EXPECT_TRUE(check_goal("num_ranks 2\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb irequires a\n}\n"
                         "rank 1 {\na: recv 1b from 0\nb: send 1b to 0\nb requires a\n}\n")
                  .completes());
}

}  // namespace
}  // namespace weft::workloads
