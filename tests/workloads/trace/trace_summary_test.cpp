// Summary, dry replay and writer of traces, on hand-made cases and on real traces where they are at hand.
#include "workloads/trace/trace_summary.hpp"

#include <fstream>

#include "tests/workloads/trace/trace_test_tools.hpp"
#include "workloads/trace/format/trc_writer.hpp"

namespace weft::workloads {
namespace {

/// Operations given outright.
class ListProgram : public Program {
 public:
  explicit ListProgram(std::vector<std::vector<Op>> ops) : ops_(std::move(ops)) {}
  [[nodiscard]] u32 tasks() const override { return static_cast<u32>(ops_.size()); }
  [[nodiscard]] std::string name() const override { return "list"; }
  [[nodiscard]] std::unique_ptr<TaskStream> open(TaskId task) const override {
    struct Stream : TaskStream {
      explicit Stream(std::vector<Op> all) : ops(std::move(all)) {}
      Op next() override { return at < ops.size() ? ops[at++] : Op{}; }
      std::vector<Op> ops;
      std::size_t at = 0;
    };
    return std::make_unique<Stream>(ops_[task.value()]);
  }

 private:
  std::vector<std::vector<Op>> ops_;
};

u64 write_file(const Program& program, const std::string& path) {
  std::ofstream file(path);
  return write_trc(program, [&file](std::string_view text) { file << text; });
}

TEST(TraceSummary, CountsMessagesComputeAndPartners) {
  const ScratchFolder folder;
  const TraceSummary summary = summarise_trace(folder.write(
      "a.trc",
      "s 0 1 0 10\ns 0 1 0 30\nr 0 1 0 10\nr 0 1 0 30\ns 1 2 0 2\nr 1 2 0 2\nc 0 5\nc 0 7\nc 2 3\ns 2 2 0 9\n"));
  EXPECT_EQ(3u, summary.tasks);
  EXPECT_EQ(9u, summary.records);
  EXPECT_EQ(3u, summary.messages);
  EXPECT_EQ(3u, summary.receives);
  EXPECT_EQ(42u, summary.bytes);
  EXPECT_EQ(2u, summary.message_bytes.min);
  EXPECT_DOUBLE_EQ(14.0, summary.message_bytes.mean);
  EXPECT_EQ(30u, summary.message_bytes.max);
  EXPECT_EQ(3u, summary.computes);
  EXPECT_EQ(0u, summary.compute_ns.min);
  EXPECT_DOUBLE_EQ(5.0, summary.compute_ns.mean);
  EXPECT_EQ(12u, summary.compute_ns.max);
  EXPECT_EQ(1u, summary.partners.min);
  EXPECT_EQ(2u, summary.partners.max);
  EXPECT_DOUBLE_EQ(4.0 / 3.0, summary.partners.mean);
  EXPECT_EQ(1u, summary.self_sends);
  EXPECT_EQ(0u, summary.idle_tasks);
}

TEST(TraceSummary, SumsThatNoNumberCanShowAreRefused) {
  const ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 16; ++i) text += "c 3 1152921504606846976\n";  // 16 * 2^60
  try {
    (void)summarise_trace(folder.write("long.trc", text));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("task 3"), std::string::npos) << error.what();
  }
}

TEST(TraceCheck, ACompleteExchangeCompletesWithNothingLeft) {
  const ScratchFolder folder;
  // Both receive before the other's line of sending; 0 bytes match 1 byte; the second message overtakes the first.
  const TraceCheck check =
      check_trace(folder.write("ok.trc", "r 1 0 7 0\ns 0 1 1 5\ns 0 1 2 6\ns 1 0 7 1\nr 0 1 2 6\nr 0 1 1 5\n"));
  EXPECT_TRUE(check.completes());
  EXPECT_EQ(3u, check.messages);
  EXPECT_EQ(0u, check.left_over);
}

TEST(TraceCheck, NamesTheReceivesThatNeverEndAndTheMessagesThatNobodyReceives) {
  const ScratchFolder folder;
  const TraceCheck check = check_trace(folder.write(
      "stuck.trc",
      "# one\nc 1 5\ns 2 2 0 0\nr 0 1 4 100\ns 1 2 0 1\ns 0 1 4 101\ns 0 1 4 101\ns 0 2 9 1\nr 1 2 0 1\n"));
  EXPECT_FALSE(check.completes());
  ASSERT_EQ(2u, check.stuck.size());
  EXPECT_EQ(1u, check.stuck[0].task);
  EXPECT_EQ(2u, check.stuck[0].record);
  EXPECT_EQ(4u, check.stuck[0].line);
  EXPECT_EQ(0u, check.stuck[0].from);
  EXPECT_EQ(4u, check.stuck[0].tag);
  EXPECT_EQ(100u, check.stuck[0].bytes);
  EXPECT_EQ(2u, check.stuck[1].task);
  EXPECT_EQ(9u, check.stuck[1].line);
  EXPECT_EQ(3u, check.messages);
  EXPECT_EQ(3u, check.left_over);
  ASSERT_EQ(2u, check.left_over_examples.size());
  EXPECT_EQ(1u, check.left_over_examples[0].to);
  EXPECT_EQ(101u, check.left_over_examples[0].bytes);
  EXPECT_EQ(2u, check.left_over_examples[0].count);
  EXPECT_EQ(9u, check.left_over_examples[1].tag);
}

TEST(TraceCheck, FindsACycleOfReceives) {
  const Op get_from_1{OpKind::receive, 1, 0, 8}, get_from_0{OpKind::receive, 0, 0, 8};
  const Op put_to_1{OpKind::send, 1, 0, 8}, put_to_0{OpKind::send, 0, 0, 8};
  EXPECT_TRUE(check_program(ListProgram({{put_to_1, get_from_1}, {get_from_0, put_to_0}})).completes());
  EXPECT_EQ(2u, check_program(ListProgram({{get_from_1, put_to_1}, {get_from_0, put_to_0}})).stuck.size());
}

TEST(TrcWriter, WhatItWritesReadsBackEqual) {
  const ScratchFolder folder;
  const std::vector<std::vector<Op>> ops = {
      {{OpKind::compute, 0, 0, 123456789012}, {OpKind::send, 1, 0xFFFF'FFFF, u64{1} << 40}, {OpKind::receive, 1, 5, 0}},
      {{OpKind::receive, 0, 0xFFFF'FFFF, u64{1} << 40}, {OpKind::send, 0, 5, 0}},
      {}};
  EXPECT_EQ(6u, write_file(ListProgram(ops), folder.file("out.trc")));
  EXPECT_EQ(1u, folder.entries());
  const auto program = open_program(folder.file("out.trc"));
  ASSERT_EQ(3u, program->tasks());
  EXPECT_EQ(ops[0], ops_of(*program, 0));
  EXPECT_EQ(ops[1], ops_of(*program, 1));
  EXPECT_EQ((std::vector<Op>{{OpKind::compute, 0, 0, 0}}), ops_of(*program, 2));
}

TEST(TrcWriter, RefusesWhatATraceCannotHold) {
  const TextSink nowhere = [](std::string_view) {};
  const ListProgram huge({{{OpKind::send, 1, 0, u64{1} << 41}}, {}});
  EXPECT_THROW(write_trc(huge, nowhere), ConfigError);
  EXPECT_THROW(write_trc(ListProgram({{}, {}}), nowhere), ConfigError);
}

/// Messages and ranks as the description of the data states them; every one completes with nothing left over.
TEST(RealTraces, HaveThePublishedMessageCountsAndComplete) {
  struct Known {
    const char* file;
    u32 tasks;
    u64 messages;
  };
  const Known traces[] = {{"is.W.64", 64, 57402}, {"cg.W.8", 8, 21940}, {"is.W.32", 32, 16378}, {"is.A.64", 64, 57402}};
  for (const Known& known : traces) {
    const std::string path = shared_file(std::string("traces/npb-extended/") + known.file + ".trc.xz");
    if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
    const TraceSummary summary = summarise_trace(path);
    EXPECT_EQ(known.tasks, summary.tasks) << known.file;
    EXPECT_EQ(known.messages, summary.messages) << known.file;
    EXPECT_EQ(known.messages, summary.receives) << known.file;
    const TraceCheck check = check_trace(path);
    EXPECT_TRUE(check.completes()) << known.file;
    EXPECT_EQ(known.messages, check.messages) << known.file;
    EXPECT_EQ(0u, check.left_over) << known.file;
  }
}

TEST(RealTraces, ATraceKnownToBeTruncatedIsStuck) {
  const std::string path = shared_file("traces/insee-trc/apps2/trace512.trc");
  if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const TraceCheck check = check_trace(path);
  EXPECT_FALSE(check.completes());
  EXPECT_GT(check.stuck.front().line, 0u);
}

TEST(RealTraces, RoundTripThroughTheWriterUnchanged) {
  const std::string path = shared_file("traces/npb-extended/cg.S.16.trc.xz");
  if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const ScratchFolder folder;
  const auto original = open_program(path);
  EXPECT_EQ(summarise_trace(path).records, write_file(*original, folder.file("copy.trc")));
  const auto copy = open_program(folder.file("copy.trc"));
  ASSERT_EQ(16u, copy->tasks());
  for (u32 task = 0; task < 16; ++task) EXPECT_EQ(ops_of(*original, task), ops_of(*copy, task));
}

}  // namespace
}  // namespace weft::workloads
