// Sizes, starts and files of flows: means and quantiles by closed forms, and what files must not be.
#include <cmath>
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "workloads/program/flow_program.hpp"

namespace weft::workloads {
namespace {

FlowSizes sizes_of(const std::string& name, double scale = 1) {
  return flow_sizes({{"flow_sizes", name}, {"flow_scale", scale}, {"flow_bytes", i64{5000}}});
}

template <class Action>
std::string refusal_of_flows(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FlowSizes, HaveTheMeansOfTheirPoints) {
  // Sums of (a + b) / 2 (F(b) - F(a)) over the points of the published tables, in bytes.
  EXPECT_NEAR(sizes_of("web-search").mean(), 1'711'250, 1);
  EXPECT_NEAR(sizes_of("hadoop").mean(), 120'420.75, 1);
  EXPECT_NEAR(sizes_of("data-mining").mean(), 12'658'198.6, 1);
  EXPECT_EQ(sizes_of("fixed").mean(), 5000);
  EXPECT_NEAR(sizes_of("web-search", 0.01).mean(), 17'112.5, 0.1);
}

TEST(FlowSizes, AreDrawnWithTheirMeanAndTheirQuantiles) {
  for (const char* const name : {"web-search", "hadoop"}) {
    const FlowSizes sizes = sizes_of(name);
    constexpr u64 draws = 200'000;
    double sum = 0, squares = 0;
    u64 small = 0, most = 0;
    for (u64 k = 0; k < draws; ++k) {
      const u64 bytes = sizes.draw(engine::remix(11, k));
      sum += static_cast<double>(bytes);
      squares += static_cast<double>(bytes) * static_cast<double>(bytes);
      small += bytes <= (name == std::string("hadoop") ? 1000U : 80'000U) ? 1 : 0;
      most = std::max(most, bytes);
    }
    const double mean = sum / draws, error = std::sqrt((squares / draws - mean * mean) / draws);
    EXPECT_NEAR(mean, sizes.mean(), 4 * error) << name;
    EXPECT_NEAR(static_cast<double>(small) / draws, name == std::string("hadoop") ? 0.6 : 0.53, 0.005);
    EXPECT_LE(most, sizes.most());
  }
  EXPECT_EQ(sizes_of("fixed").draw(engine::remix(1, 1)), 5000U);
}

TEST(FlowSizes, OfFilesAreRefusedWithTheLine) {
  const auto refusal = [](const std::string& text) {
    return refusal_of_flows([&] { (void)read_flow_sizes(text, "s.txt"); });
  };
  EXPECT_EQ(read_flow_sizes("100 10\n200 100\n", "s").front().fraction, 0.1);
  EXPECT_NE(refusal("100 0.5\n50 1\n").find("s.txt:2: sizes and fractions do not ascend"), std::string::npos);
  EXPECT_NE(refusal("100 0.5\n").find("the last fraction is 0.5"), std::string::npos);
  EXPECT_NE(refusal("").find("no line"), std::string::npos);
  EXPECT_NE(refusal("1 0.1 2\n").find("s.txt:1: 3 words"), std::string::npos);
  EXPECT_NE(refusal("1e99 1\n").find("too large"), std::string::npos);
}

TEST(FlowFiles, OfLinesAndOfHtsimAreTheSameFlows) {
  const auto lines = read_flows("# ns\n2000 1 0 64\n0 0 3 1000\n", "f", 4);
  const auto matrix = read_flows(
      "Nodes 4\nConnections 2\nTriggers 0\n0->3 id 1 start 0 size 1000 prio 2\n1->0 id 2 start 2000000 size 64\n", "f",
      4);
  ASSERT_EQ(lines.size(), 2U);
  ASSERT_EQ(matrix.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(lines[k].start_ns, matrix[k].start_ns);
    EXPECT_EQ(lines[k].from, matrix[k].from);
    EXPECT_EQ(lines[k].to, matrix[k].to);
    EXPECT_EQ(lines[k].bytes, matrix[k].bytes);
  }
  EXPECT_EQ(lines[1].start_ns, 2000);
}

TEST(FlowFiles, AreRefusedWithTheLine) {
  const auto refusal = [](const std::string& text) {
    return refusal_of_flows([&] { (void)read_flows(text, "f", 4); });
  };
  EXPECT_NE(refusal("0 1 1 5\n").find("f:1: node 1 sends to itself"), std::string::npos);
  EXPECT_NE(refusal("0 1 4 5\n").find("f:1: node 4 is too large"), std::string::npos);
  EXPECT_NE(refusal("0 1 2 0\n").find("a flow of 0 bytes"), std::string::npos);
  EXPECT_NE(refusal("0 1 2\n").find("write `start_ns source destination bytes`"), std::string::npos);
  EXPECT_NE(refusal("1e30 1 2 5\n").find("too late"), std::string::npos);
  EXPECT_NE(refusal("\n").find("no flows"), std::string::npos);
  EXPECT_NE(refusal("Nodes 9\n0->1 start 0 size 1\n").find("use a larger network"), std::string::npos);
  EXPECT_NE(refusal("Connections 2\n0->1 start 0 size 1\n").find("1 connections where 2"), std::string::npos);
  EXPECT_NE(refusal("0->1 trigger 3 size 1\n").find("'trigger' is not simulated"), std::string::npos);
  EXPECT_NE(refusal("0->1 start 0\n").find("without a size"), std::string::npos);
  EXPECT_NE(refusal("0->1 size 3\n").find("without a start"), std::string::npos);
  EXPECT_NE(refusal("0->x start 0 size 1\n").find("'x' is none of the 4 nodes"), std::string::npos);
  EXPECT_NE(refusal("0->1 start 0 size\n").find("'size' without a value"), std::string::npos);
  EXPECT_NE(refusal("0->1 start 0 size 1 color 2\n").find("unknown word 'color'"), std::string::npos);
  EXPECT_NE(refusal("Nodes 4\nfailure switch_type TOR\n").find("[faults]"), std::string::npos);
}

TEST(RandomFlows, StartByAPoissonProcessAndShareTheirNumberOut) {
  RandomFlowSpec spec;
  spec.tasks = 5;
  spec.flows = 50'003;
  spec.mean_cycles = 100;
  const auto program = make_random_flows(spec, sizes_of("fixed"), "f", make_pattern("uniform", {5, {}, 1}));
  u64 all = 0;
  for (u32 task = 0; task < 5; ++task) {
    const auto flows = program->flows(TaskId(task));
    u64 count = 0, at = 0, late = 0;
    double squares = 0;
    for (Flow flow; flows->next(flow); ++count) {
      EXPECT_GE(flow.start_cycle, at);
      EXPECT_NE(flow.to, task);
      const double gap = static_cast<double>(flow.start_cycle - at);
      late += gap > 100 ? 1 : 0;
      squares += gap * gap;
      at = flow.start_cycle;
    }
    EXPECT_EQ(count, task < 3 ? 10'001U : 10'000U);
    all += count;
    EXPECT_NEAR(static_cast<double>(at) / static_cast<double>(count), 100, 4);
    EXPECT_NEAR(squares / static_cast<double>(count), 2 * 100 * 100, 1500);
    EXPECT_NEAR(static_cast<double>(late) / static_cast<double>(count), std::exp(-1), 0.02);
  }
  EXPECT_EQ(all, spec.flows);
}

TEST(RandomFlows, AreOperationsThatWaitForTheirStart) {
  RandomFlowSpec spec;
  spec.tasks = 3;
  spec.flows = 9;
  spec.mean_cycles = 50;
  const auto program = make_random_flows(spec, sizes_of("hadoop"), "f", make_pattern("uniform", {3, {}, 1}));
  const auto flows = program->flows(TaskId(1));
  const auto operations = program->open(TaskId(1));
  for (Flow flow; flows->next(flow);) {
    EXPECT_EQ(operations->next(), (Op{OpKind::until, 0, 0, flow.start_cycle}));
    EXPECT_EQ(operations->next(), (Op{OpKind::isend, flow.to, 0, flow.bytes}));
  }
  EXPECT_EQ(operations->next().kind, OpKind::end);
}

TEST(RandomFlows, AreWaitedForWhenTheyGoInTurn) {
  RandomFlowSpec spec;
  spec.tasks = 3;
  spec.flows = 9;
  spec.mean_cycles = 50;
  spec.order = FlowOrder::in_turn;
  const auto program = make_random_flows(spec, sizes_of("hadoop"), "f", make_pattern("uniform", {3, {}, 1}));
  const auto operations = program->open(TaskId(1));
  EXPECT_EQ(operations->next().kind, OpKind::until);
  EXPECT_EQ(operations->next().kind, OpKind::send);
  EXPECT_FALSE(program->has_requests());
}

TEST(RandomFlows, AreSharedOutToTheTasksThatSend) {
  RandomFlowSpec spec;
  spec.tasks = 16;
  spec.flows = 1'601;
  spec.mean_cycles = 50;
  const auto program = make_random_flows(spec, sizes_of("fixed"), "f", make_pattern("transpose", {16, {4, 4}, 1}));
  u64 all = 0;
  for (u32 task = 0; task < 16; ++task) {
    u64 count = 0;
    const auto flows = program->flows(TaskId(task));
    for (Flow flow; flows->next(flow);) ++count;
    if (task % 5 == 0) {
      EXPECT_EQ(count, 0U);
    } else {
      EXPECT_NEAR(static_cast<double>(count), 1601 / 12.0, 1);
    }
    all += count;
  }
  EXPECT_EQ(all, spec.flows);
}

}  // namespace
}  // namespace weft::workloads
