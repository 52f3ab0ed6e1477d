// Kernels: every registered one runs to its end, sends what is received and as many messages as its formula says.
#include "workloads/generator/kernel/kernel.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "tests/workloads/generator/kernel/kernel_specs.hpp"

namespace weft::workloads {
namespace {

using testing_kernels::error_of;
using testing_kernels::messages;
using testing_kernels::ops;
using testing_kernels::receive;
using testing_kernels::replay;
using testing_kernels::send;
using testing_kernels::spec;

/// Every combination of dimensions and switches that a kernel knows.
std::vector<KernelSpec> variants(const std::string& name, u32 tasks) {
  const KernelKind& kind = *KernelRegistry::instance().find(name);
  std::vector<KernelSpec> result;
  auto dimensions = kind.dimensions;
  if (dimensions.empty()) dimensions = {0};
  for (const u32 dimension : dimensions) {
    for (u32 switches = 0; switches < 8; ++switches) {
      KernelSpec variant = spec(name, tasks, dimension);
      variant.return_sweep = (switches & 1) != 0;
      variant.wrap = (switches & 2) != 0;
      variant.diagonals = (switches & 4) != 0;
      variant.repetitions = 1 + switches % 3;
      if ((variant.return_sweep && !kind.return_sweep) || (variant.wrap && !kind.wrap)) continue;
      if (variant.diagonals && (!kind.diagonals || dimension > 3)) continue;
      result.push_back(variant);
    }
  }
  return result;
}

class EveryKernel : public testing::TestWithParam<std::string> {};

TEST_P(EveryKernel, RunsToItsEndAndReceivesWhatItSends) {
  const u32 powers[] = {1, 64};  // 64 tasks are a square, a cube and a power of two
  for (const u32 tasks : powers) {
    for (auto variant : variants(GetParam(), tasks)) {
      if (variant.dimensions == 4 || variant.dimensions == 5) variant.tasks = tasks == 1 ? 1 : 1U << variant.dimensions;
      const auto result = replay(*make_kernel(variant));
      EXPECT_EQ(result.unfinished_tasks, 0U) << variant.dimensions << " dimensions";
      EXPECT_EQ(result.unmatched_messages, 0U) << variant.dimensions << " dimensions";
      EXPECT_EQ(result.sent > 0, tasks > 1);
    }
  }
}

TEST_P(EveryKernel, OpensTheSameStreamTwiceAndStaysAtItsEnd) {
  const auto program = make_kernel(spec(GetParam(), 64));
  const auto one = program->open(TaskId(5));
  const auto two = program->open(TaskId(5));
  Op last = one->next();
  EXPECT_EQ(last, two->next());
  while (last.kind != OpKind::end) {
    last = one->next();
    EXPECT_EQ(last, two->next());
  }
  EXPECT_EQ(one->next(), Op{});
  EXPECT_EQ(one->next(), Op{});
  EXPECT_FALSE(program->name().empty());
}

TEST_P(EveryKernel, HasStreamsThatOutliveTheProgram) {
  auto program = make_kernel(spec(GetParam(), 64));
  const auto stream = program->open(TaskId(0));
  program.reset();
  EXPECT_NE(stream->next(), Op{});
}

TEST_P(EveryKernel, RefusesNoTasksAndNoRepetitions) {
  EXPECT_THROW((void)make_kernel(spec(GetParam(), 0)), ConfigError);
  auto none = spec(GetParam(), 64);
  none.repetitions = 0;
  EXPECT_THROW((void)make_kernel(none), ConfigError);
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryKernel, testing::ValuesIn(KernelRegistry::instance().names()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(KernelMessages, AreAsManyAsTheClosedFormsSay) {
  for (const u64 s : {2U, 3U, 5U}) {
    const auto square = static_cast<u32>(s * s);
    const auto cube = static_cast<u32>(s * s * s);
    EXPECT_EQ(messages(spec("M2", square)), 4 * s * (s - 1));
    EXPECT_EQ(messages(spec("M3", cube)), 6 * s * s * (s - 1));
    EXPECT_EQ(messages(spec("W2", square)), 2 * s * (s - 1));
    EXPECT_EQ(messages(spec("W3", cube)), 3 * s * s * (s - 1));
    EXPECT_EQ(messages(spec("WF", square)), 2 * s * (s - 1));
    EXPECT_EQ(messages(spec("direction-distribution", square)), 4 * s * (s - 1));
  }
  for (const u64 levels : {0U, 1U, 3U, 6U}) {
    const u64 n = u64{1} << levels;
    EXPECT_EQ(messages(spec("BU", static_cast<u32>(n))), n * levels);
    EXPECT_EQ(messages(spec("BT", static_cast<u32>(n))), n - 1);
    EXPECT_EQ(messages(spec("IBT", static_cast<u32>(n))), n - 1);
  }
  for (const u64 n : {1U, 2U, 7U, 30U}) EXPECT_EQ(messages(spec("distribution", static_cast<u32>(n))), n * (n - 1));
}

TEST(KernelMessages, GrowWithTheSwitchesAsTheClosedFormsSay) {
  const u64 s = 4;
  auto torus = spec("M3", 64);
  torus.wrap = true;
  EXPECT_EQ(messages(torus), 6 * 64U);
  torus.diagonals = true;
  EXPECT_EQ(messages(torus), 26 * 64U);
  auto diagonal = spec("M2", 16);
  diagonal.diagonals = true;
  EXPECT_EQ(messages(diagonal), (3 * s - 2) * (3 * s - 2) - s * s);
  diagonal = spec("M3", 64);
  diagonal.diagonals = true;
  EXPECT_EQ(messages(diagonal), (3 * s - 2) * (3 * s - 2) * (3 * s - 2) - s * s * s);
  auto back = spec("W3", 64);
  back.return_sweep = true;
  EXPECT_EQ(messages(back), 2 * 3 * s * s * (s - 1));
  for (const char* name : {"WF", "M2", "BU", "distribution", "direction-distribution"}) {
    auto often = spec(name, 16);
    const u64 once = messages(often);
    often.repetitions = 40;
    EXPECT_EQ(messages(often), 40 * once) << name;
  }
}

TEST(Mesh, SendsAndReceivesInTheDocumentedOrder) {
  const std::vector<Op> middle = {send(5), send(3), send(7), send(1), receive(5), receive(3), receive(7), receive(1)};
  EXPECT_EQ(ops(spec("M2", 9), 4), middle);
  const std::vector<Op> centre = {send(14),    send(12),    send(16),    send(10),    send(22),    send(4),
                                  receive(14), receive(16), receive(22), receive(12), receive(10), receive(4)};
  EXPECT_EQ(ops(spec("M3", 27), 13), centre);
  auto torus = spec("M2", 9);
  torus.wrap = true;
  const std::vector<Op> corner = {send(1), send(2), send(3), send(6), receive(1), receive(2), receive(3), receive(6)};
  EXPECT_EQ(ops(torus, 0), corner);
}

TEST(Mesh, WithDiagonalsReachesAllEightNeighbours) {
  auto kernel = spec("M2", 9);
  kernel.diagonals = true;
  const auto all = ops(kernel, 4);
  std::set<u32> peers;
  for (const Op& op : all) peers.insert(op.peer);
  EXPECT_EQ(peers, (std::set<u32>{0, 1, 2, 3, 5, 6, 7, 8}));
  EXPECT_EQ(all.size(), 16U);
}

TEST(Wavefront, WaitsThenSendsInTheDocumentedOrder) {
  EXPECT_EQ(ops(spec("W2", 9), 4), (std::vector<Op>{receive(1), receive(3), send(5), send(7)}));
  auto back = spec("W2", 9);
  back.return_sweep = true;
  EXPECT_EQ(ops(back, 4),
            (std::vector<Op>{receive(1), receive(3), send(5), send(7), receive(5), receive(7), send(1), send(3)}));
  EXPECT_EQ(ops(spec("W3", 27), 13),
            (std::vector<Op>{receive(4), receive(10), receive(12), send(14), send(16), send(22)}));
}

TEST(Waterfall, TagsEachIteration) {
  auto kernel = spec("WF", 9);
  kernel.repetitions = 2;
  EXPECT_EQ(ops(kernel, 4), (std::vector<Op>{receive(3, 0), receive(1, 0), send(5, 0), send(7, 0), receive(3, 1),
                                             receive(1, 1), send(5, 1), send(7, 1)}));
}

TEST(Butterfly, ExchangesOverDoublingDistances) {
  EXPECT_EQ(ops(spec("BU", 8), 5),
            (std::vector<Op>{send(4, 0), receive(4, 0), send(7, 1), receive(7, 1), send(1, 2), receive(1, 2)}));
}

TEST(BinaryTree, CollectsAtTaskZeroAndTheInverseSpreadsFromIt) {
  EXPECT_EQ(ops(spec("BT", 8), 0), (std::vector<Op>{receive(1), receive(2), receive(4)}));
  EXPECT_EQ(ops(spec("BT", 8), 4), (std::vector<Op>{receive(5), receive(6), send(0)}));
  EXPECT_EQ(ops(spec("BT", 8), 7), (std::vector<Op>{send(6)}));
  EXPECT_EQ(ops(spec("IBT", 8), 0), (std::vector<Op>{send(4), send(2), send(1)}));
  EXPECT_EQ(ops(spec("IBT", 8), 4), (std::vector<Op>{receive(0), send(6), send(5)}));
}

TEST(Distributions, SendEverythingBeforeTheyWait) {
  EXPECT_EQ(ops(spec("distribution", 4), 2),
            (std::vector<Op>{send(3), send(0), send(1), receive(1), receive(0), receive(3)}));
  auto ring = spec("direction-distribution", 4, 1);
  ring.wrap = true;
  ring.repetitions = 2;
  ring.keys.set("direction_order", std::string("flood"));
  EXPECT_EQ(ops(ring, 0),
            (std::vector<Op>{send(1), send(3), send(1), send(3), receive(3), receive(1), receive(3), receive(1)}));
}

TEST(DirectionDistribution, WaitsForEachDirectionOrDimensionBeforeTheNext) {
  auto torus = spec("direction-distribution", 9);
  torus.wrap = true;
  // Task 4 of 3 x 3: X+ is 5, X- 3, Y+ 7, Y- 1; what travels in a direction comes from the opposite neighbour.
  EXPECT_EQ(ops(torus, 4),
            (std::vector<Op>{send(5), receive(3), send(3), receive(5), send(7), receive(1), send(1), receive(7)}));
  torus.keys.set("direction_order", std::string("dimensions"));
  EXPECT_EQ(ops(torus, 4),
            (std::vector<Op>{send(5), send(3), receive(3), receive(5), send(7), send(1), receive(1), receive(7)}));
  auto corner = spec("direction-distribution", 9);
  EXPECT_EQ(ops(corner, 0), (std::vector<Op>{send(1), receive(1), send(3), receive(3)}));
  corner.diagonals = true;
  corner.keys.set("diagonal_neighbours", std::string("positive"));
  EXPECT_EQ(ops(corner, 4), (std::vector<Op>{send(5), receive(3), send(3), receive(5), send(7), receive(1), send(1),
                                             receive(7), send(8), receive(0), send(0), receive(8)}));
}

TEST(DirectionDistribution, HasAsManyMessagesInEachOrder) {
  for (const char* const order : {"directions", "dimensions", "flood"}) {
    for (const auto& [which, in_3d] :
         std::vector<std::pair<std::string, u64>>{{"all", 26}, {"corners", 14}, {"positive", 8}}) {
      auto torus = spec("direction-distribution", 64, 3);
      torus.wrap = torus.diagonals = true;
      torus.keys.set("direction_order", std::string(order));
      torus.keys.set("diagonal_neighbours", which);
      EXPECT_EQ(messages(torus), in_3d * 64) << order << " " << which;
      const auto result = replay(*make_kernel(torus));
      EXPECT_EQ(result.unfinished_tasks + result.unmatched_messages, 0U);
    }
  }
}

TEST(Mesh, HasTheDiagonalsThatAreAskedFor) {
  const auto around = [](u32 dimensions, const std::string& which) {
    auto mesh = spec(dimensions == 3 ? "M3" : "M2", dimensions == 3 ? 27 : 9);
    mesh.diagonals = true;
    mesh.keys.set("diagonal_neighbours", which);
    std::set<u32> peers;
    for (const Op& op : ops(mesh, dimensions == 3 ? 13 : 4)) peers.insert(op.peer);
    return peers;
  };
  // "In the positive diagonal: each node communicates with the nodes located at +-1 in all dimensions".
  EXPECT_EQ(around(3, "positive"), (std::set<u32>{0, 4, 10, 12, 14, 16, 22, 26}));
  EXPECT_EQ(around(2, "positive"), (std::set<u32>{0, 1, 3, 5, 7, 8}));
  EXPECT_EQ(around(3, "corners"), (std::set<u32>{0, 2, 6, 8, 18, 20, 24, 26, 4, 10, 12, 14, 16, 22}));
  EXPECT_EQ(around(2, "corners"), around(2, "all"));
  EXPECT_EQ(around(3, "all").size(), 26U);
}

/// Bytes that all tasks of a kernel send.
u64 bytes_sent(const KernelSpec& kernel) {
  u64 bytes = 0;
  for (u32 task = 0; task < kernel.tasks; ++task) {
    for (const Op& op : ops(kernel, task)) bytes += op.kind == OpKind::send ? op.amount : 0;
  }
  return bytes;
}

TEST(StageLengths, GrowAndShrinkAsInGatherScatterAllgatherAndReduceScatter) {
  for (const u32 levels : {1U, 3U, 5U}) {
    const u64 n = u64{1} << levels, s = 24;
    const auto with = [&](const char* name, const char* law) {
      auto kernel = spec(name, static_cast<u32>(n));
      kernel.message_bytes = s;
      kernel.keys.set("stage_lengths", std::string(law));
      EXPECT_EQ(replay(*make_kernel(kernel)).unmatched_messages, 0U);
      return bytes_sent(kernel);
    };
    EXPECT_EQ(with("BT", "fixed"), (n - 1) * s);
    EXPECT_EQ(with("BT", "doubling"), levels * n / 2 * s);  // gather: N / 2 blocks a stage
    EXPECT_EQ(with("IBT", "halving"), levels * n / 2 * s);  // scatter
    EXPECT_EQ(with("BU", "fixed"), n * levels * s);
    EXPECT_EQ(with("BU", "doubling"), n * (n - 1) * s);  // allgather
    EXPECT_EQ(with("BU", "halving"), n * (n - 1) * s);   // reduce-scatter
  }
  auto gather = spec("BT", 8);
  gather.message_bytes = 10;
  gather.keys.set("stage_lengths", std::string("doubling"));
  const auto root = ops(gather, 0);
  ASSERT_EQ(root.size(), 3U);
  EXPECT_EQ(root[0].amount, 10U);
  EXPECT_EQ(root[1].amount, 20U);
  EXPECT_EQ(root[2].amount, 40U);
}

TEST(StageLengths, BeyondTheLimitAreRefused) {
  auto kernel = spec("BU", 64);
  kernel.message_bytes = 1000;
  kernel.limits.message_bytes = 20'000;
  EXPECT_EQ(error_of(kernel), "");
  kernel.keys.set("stage_lengths", std::string("doubling"));
  EXPECT_NE(error_of(kernel).find("workload.message_bytes, or fewer tasks"), std::string::npos);
}

TEST(Computation, ComesBeforeTheSendsOfTreesAndTheExchangesOfButterflies) {
  const auto computing = [](const char* name, u32 task) {
    auto kernel = spec(name, 8);
    kernel.keys.set("compute_ns", i64{700});
    u64 count = 0;
    OpKind last = OpKind::end;
    for (const Op& op : ops(kernel, task)) {
      if (last == OpKind::compute) {
        EXPECT_EQ(op.kind, OpKind::send);
      }
      if (op.kind == OpKind::compute) {
        EXPECT_EQ(op.amount, 700U);
        ++count;
      }
      last = op.kind;
    }
    return count;
  };
  EXPECT_EQ(computing("BT", 0), 0U);
  EXPECT_EQ(computing("BT", 4), 1U);
  EXPECT_EQ(computing("BT", 7), 1U);
  EXPECT_EQ(computing("IBT", 0), 3U);
  EXPECT_EQ(computing("IBT", 4), 2U);
  EXPECT_EQ(computing("IBT", 7), 0U);
  EXPECT_EQ(computing("BU", 5), 3U);
}

TEST(KernelAliases, AreTheSamePrograms) {
  const std::map<std::string, std::pair<std::string, u32>> aliases = {{"W2", {"wavefront", 2}},
                                                                      {"W3", {"wavefront", 3}},
                                                                      {"M2", {"mesh", 2}},
                                                                      {"M3", {"mesh", 3}},
                                                                      {"BU", {"butterfly", 0}},
                                                                      {"BT", {"binary-tree", 0}},
                                                                      {"IBT", {"inverse-binary-tree", 0}},
                                                                      {"WF", {"waterfall", 2}}};
  for (const auto& [alias, full] : aliases) {
    for (const u32 task : {0U, 21U, 63U}) {
      EXPECT_EQ(ops(spec(alias, 64), task), ops(spec(full.first, 64, full.second), task)) << alias;
    }
  }
}

TEST(KernelErrors, NameTheNearestKernelAndTaskCounts) {
  EXPECT_NE(error_of(spec("buterfly", 8)).find("did you mean \"butterfly\""), std::string::npos);
  EXPECT_NE(error_of(spec("BU", 48)).find("use 32 or 64 tasks"), std::string::npos);
  EXPECT_NE(error_of(spec("IBT", 4'000'000'000U)).find("use 2147483648 tasks"), std::string::npos);
}

TEST(KernelErrors, RefuseDimensionsAndSwitchesThatWouldDoNothing) {
  EXPECT_NE(error_of(spec("W3", 64, 2)).find("workload.dimensions = 2"), std::string::npos);
  EXPECT_NE(error_of(spec("mesh", 16, 4)).find("it accepts 1, 2, 3"), std::string::npos);
  auto kernel = spec("BU", 64);
  kernel.return_sweep = true;
  EXPECT_NE(error_of(kernel).find("workload.return_sweep"), std::string::npos);
  kernel = spec("W2", 64);
  kernel.wrap = true;
  EXPECT_NE(error_of(kernel).find("workload.wrap"), std::string::npos);
}

TEST(KernelStreams, OfAMillionTasksCostNoMoreThanThoseOfFew) {
  const auto program = make_kernel(spec("distribution", 1U << 20));
  const auto stream = program->open(TaskId((1U << 20) - 1));
  EXPECT_EQ(stream->next(), send(0));
  EXPECT_EQ(stream->next(), send(1));
}

}  // namespace
}  // namespace weft::workloads
