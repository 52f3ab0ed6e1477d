// Kernels with sizes and times of their own: messages and bytes equal closed forms for many shapes.
#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "tests/workloads/generator/kernel/kernel_specs.hpp"

namespace weft::workloads {
namespace {

using testing_kernels::checked;
using testing_kernels::error_of;
using testing_kernels::ops;
using testing_kernels::product_of;
using testing_kernels::Replay;
using testing_kernels::shaped;
using testing_kernels::spec;

using Sides = std::vector<i64>;

TEST(Stencil, ExchangesFacesEdgesAndCornersOfBlocks) {
  const i64 width = 2, element = 4;
  for (const Sides& shape : {Sides{5}, Sides{4, 3}, Sides{1, 6}, Sides{2, 3, 4}, Sides{3, 3, 3}, Sides{2, 2, 2}}) {
    Sides block{10, 20, 30};
    block.resize(shape.size());
    for (const bool wrap : {false, true}) {
      for (const bool corners : {false, true}) {
        KernelSpec kernel = shaped("stencil", shape);
        kernel.wrap = wrap;
        kernel.repetitions = 3;
        kernel.keys.set("block", block);
        kernel.keys.set("width", width);
        kernel.keys.set("element_bytes", element);
        kernel.keys.set("corners", corners);
        kernel.keys.set("compute_ns", i64{50});
        u64 sent = 0, bytes = 0;
        for (u32 mask = 1; mask < 1U << shape.size(); ++mask) {
          if (!corners && std::popcount(mask) > 1) continue;
          u64 pairs = u64{1} << std::popcount(mask), size = static_cast<u64>(element);
          for (u32 d = 0; d < shape.size(); ++d) {
            const bool moves = (mask >> d & 1) != 0;
            const auto side = static_cast<u64>(shape[d]);
            pairs *= !moves ? side : wrap && side > 1 ? side : side - 1;
            size *= static_cast<u64>(moves ? width : block[d]);
          }
          sent += pairs;
          bytes += pairs * size;
        }
        const Replay result = checked(kernel);
        EXPECT_EQ(result.sent, 3 * sent);
        EXPECT_EQ(result.bytes, 3 * bytes);
        EXPECT_EQ(result.computing_ns, 3 * 50 * product_of(shape));
      }
    }
  }
}

TEST(Stencil, ComputesAfterItWaitsOrBefore) {
  KernelSpec kernel = shaped("stencil", {2});
  kernel.keys.set("compute_ns", i64{50});
  const Op to{OpKind::send, 0, 1, 100}, from{OpKind::receive, 0, 0, 100}, computing{OpKind::compute, 0, 0, 50};
  EXPECT_EQ(ops(kernel, 1), (std::vector<Op>{to, from, computing}));
  kernel.keys.set("overlap", true);
  EXPECT_EQ(ops(kernel, 1), (std::vector<Op>{to, computing, from}));
}

TEST(Stencil, RefusesKeysOfBlocksWithoutABlockAndBlocksThatDoNotFit) {
  KernelSpec kernel = shaped("stencil", {4, 4});
  kernel.keys.set("width", i64{3});
  EXPECT_NE(error_of(kernel).find("workload.width has no effect without workload.block"), std::string::npos);
  kernel.keys.set("block", Sides{8, 2});
  EXPECT_NE(error_of(kernel).find("use 2 or less"), std::string::npos);
  kernel.keys.set("block", Sides{8});
  EXPECT_NE(error_of(kernel).find("use for example block = [8, 8]"), std::string::npos);
  kernel.keys.set("block", Sides{1 << 24, 1 << 24});
  kernel.keys.set("element_bytes", i64{1 << 24});
  EXPECT_EQ(error_of(kernel), "");
  kernel.limits.message_bytes = 1000;
  EXPECT_NE(error_of(kernel).find("workload.block: "), std::string::npos);
}

TEST(Sweep3d, SendsTheFacesOfAllBlocksFromEveryCorner) {
  for (const Sides& shape : {Sides{1, 1}, Sides{3, 2}, Sides{1, 4}, Sides{5, 3}}) {
    for (const auto& [k_block, angle_block] :
         {std::pair{10, 3}, std::pair{7, 4}, std::pair{100, 100}, std::pair{1, 1}}) {
      KernelSpec kernel = shaped("sweep3d", shape);
      kernel.repetitions = 2;
      kernel.keys.set("block", Sides{4, 5, 30});
      kernel.keys.set("k_block", i64{k_block});
      kernel.keys.set("angle_block", i64{angle_block});
      kernel.keys.set("compute_ns", i64{1000});
      const auto px = static_cast<u64>(shape[0]), py = static_cast<u64>(shape[1]);
      const u64 x_links = (px - 1) * py, y_links = px * (py - 1), planes = 30, angles = 6;
      const u64 k = std::min<u64>(30, static_cast<u64>(k_block)), a = std::min<u64>(6, static_cast<u64>(angle_block));
      const u64 blocks = ((planes + k - 1) / k) * ((angles + a - 1) / a);
      const Replay result = checked(kernel);
      EXPECT_EQ(result.sent, 2 * 8 * blocks * (x_links + y_links));
      EXPECT_EQ(result.bytes, 2 * 8 * planes * angles * 8 * (5 * x_links + 4 * y_links));
      if (planes % k == 0 && angles % a == 0) {
        EXPECT_EQ(result.computing_ns, 2 * 8 * blocks * 1000 * px * py);
      }
    }
  }
}

TEST(Sweep3d, GoesFromCornerToCornerWithTheLastBlockOfPlanesWhereItIs) {
  KernelSpec kernel = shaped("sweep3d", {2, 1});
  kernel.keys.set("block", Sides{1, 1, 5});
  kernel.keys.set("k_block", i64{4});
  kernel.keys.set("angles", i64{1});
  std::vector<Op> expected;
  for (const u32 octant : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
    const u32 corner = octant / 2;
    const OpKind kind = corner == 0 || corner == 3 ? OpKind::send : OpKind::receive;
    const u64 first = octant % 2 == 0 ? 4 : 1;
    expected.push_back({kind, 1, octant, 8 * first});
    expected.push_back({kind, 1, octant, 8 * (5 - first)});
  }
  EXPECT_EQ(ops(kernel, 0), expected);
}

TEST(Fft, MovesAllPointsThatAreNotAtTheirPlace) {
  for (const Sides& shape : {Sides{1, 1}, Sides{4, 2}, Sides{3, 5}, Sides{6, 1}, Sides{1, 6}}) {
    for (const Sides& points : {Sides{16, 16, 16}, Sides{7, 11, 13}}) {
      for (const bool inverse : {false, true}) {
        KernelSpec kernel = shaped("fft", shape);
        kernel.keys.set("points", points);
        kernel.keys.set("inverse", inverse);
        kernel.keys.set("compute_ns", i64{10});
        const auto part = [](i64 count, i64 parts, i64 place) {
          return static_cast<u64>(count / parts + (place < count % parts ? 1 : 0));
        };
        // What stays where it is: the same part in both decompositions.
        u64 stays_in_rows = 0, stays_in_columns = 0;
        for (i64 p = 0; p < shape[0]; ++p)
          stays_in_rows += part(points[0], shape[0], p) * part(points[1], shape[0], p) * static_cast<u64>(points[2]);
        for (i64 p = 0; p < shape[1]; ++p)
          stays_in_columns += part(points[1], shape[1], p) * part(points[2], shape[1], p) * static_cast<u64>(points[0]);
        const u64 times = inverse ? 2 : 1, tasks = kernel.tasks;
        const Replay result = checked(kernel);
        EXPECT_EQ(result.sent, times * tasks * static_cast<u64>(shape[0] + shape[1] - 2));
        EXPECT_EQ(result.bytes, times * 16 * (2 * product_of(points) - stays_in_rows - stays_in_columns));
        EXPECT_EQ(result.computing_ns, times * 3 * 10 * tasks);
      }
    }
  }
}

TEST(Fft, TransposesRowsThenColumns) {
  KernelSpec kernel = shaped("fft", {2, 2});
  kernel.keys.set("points", Sides{2, 2, 2});
  EXPECT_EQ(ops(kernel, 0), (std::vector<Op>{{OpKind::send, 1, 0, 16},
                                             {OpKind::receive, 1, 0, 16},
                                             {OpKind::send, 2, 1, 16},
                                             {OpKind::receive, 2, 1, 16}}));
  kernel = shaped("fft", {8, 4});
  kernel.keys.set("points", Sides{16, 4, 2});
  EXPECT_NE(error_of(kernel).find("use for example points = [16, 8, 4]"), std::string::npos);
}

TEST(MasterWorker, DealsAllPiecesAndCollectsAllResults) {
  for (const u32 tasks : {1U, 2U, 7U, 30U}) {
    for (const i64 ahead : {1, 2, 5, 1000}) {
      KernelSpec kernel = spec("master-worker", tasks);
      kernel.repetitions = 4;
      kernel.keys.set("ahead", ahead);
      kernel.keys.set("result_bytes", i64{7});
      kernel.keys.set("compute_ns", i64{10});
      kernel.keys.set("service", std::string("fixed"));
      const u64 pieces = u64{4} * (tasks - 1);
      const Replay result = checked(kernel);
      EXPECT_EQ(result.sent, 2 * pieces);
      EXPECT_EQ(result.bytes, pieces * (100 + 7));
      EXPECT_EQ(result.computing_ns, pieces * 10);
    }
  }
}

TEST(MasterWorker, DrawsTimesFromTheSeed) {
  const auto times = [](const std::string& law, u64 seed) {
    KernelSpec kernel = spec("master-worker", 2);
    kernel.repetitions = 20'000;
    kernel.seed = seed;
    kernel.keys.set("compute_ns", i64{1'000'000});
    kernel.keys.set("service", law);
    std::vector<double> drawn;
    for (const Op& op : ops(kernel, 1)) {
      if (op.kind == OpKind::compute) drawn.push_back(static_cast<double>(op.amount));
    }
    return drawn;
  };
  for (const auto& [law, deviation] : {std::pair{"exponential", 1.0}, std::pair{"uniform", 1 / std::sqrt(3.0)}}) {
    const std::vector<double> drawn = times(law, 1);
    double sum = 0, squares = 0;
    for (const double ns : drawn) {
      sum += ns / 1e6;
      squares += ns / 1e6 * ns / 1e6;
    }
    const double mean = sum / 20'000;
    EXPECT_NEAR(mean, 1, 0.03) << law;  // 4 deviations of the mean are 0.028
    EXPECT_NEAR(std::sqrt(squares / 20'000 - mean * mean), deviation, 0.05) << law;
    EXPECT_EQ(drawn, times(law, 1));
    EXPECT_NE(drawn, times(law, 2));
  }
}

/// Messages and bytes of multigrid, level by level.
std::pair<u64, u64> multigrid_traffic(const Sides& shape, const Sides& block, bool wrap, u32 levels, u64 element) {
  u64 sent = 0, bytes = 0;
  for (u32 level = 0; level < levels; ++level) {
    std::vector<u64> members, sides;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      u64 side = static_cast<u64>(block[d]), apart = 1;
      for (u32 step = 0; step < level; ++step) {
        if (side > 1)
          side /= 2;
        else
          apart *= 2;
      }
      sides.push_back(side);
      members.push_back((static_cast<u64>(shape[d]) + apart - 1) / apart);
    }
    for (std::size_t d = 0; d < shape.size(); ++d) {
      u64 messages = 2 * (wrap && members[d] > 1 ? members[d] : members[d] - 1), face = element;
      for (std::size_t other = 0; other < shape.size(); ++other) {
        if (other == d) continue;
        messages *= members[other];
        face *= sides[other];
      }
      const u64 visits = level + 1 == levels ? 1 : 2;
      sent += visits * messages;
      bytes += visits * messages * face;
    }
  }
  return {sent, bytes};
}

TEST(Multigrid, HalvesFacesAndThenLeavesTasksOut) {
  for (const Sides& shape : {Sides{8}, Sides{4, 2}, Sides{2, 2, 2}, Sides{5, 3, 2}, Sides{3, 7}}) {
    for (const i64 side : {1, 4, 6}) {
      const Sides block(shape.size(), side);
      const u32 most = static_cast<u32>(std::bit_width(static_cast<u64>(*std::ranges::min_element(shape) * side)));
      for (const bool wrap : {false, true}) {
        for (const u32 levels : {0U, 1U, most}) {
          KernelSpec kernel = shaped("multigrid", shape);
          kernel.wrap = wrap;
          kernel.repetitions = 2;
          kernel.keys.set("block", block);
          kernel.keys.set("levels", i64{levels});
          kernel.keys.set("smoothing", i64{3});
          const auto [sent, bytes] = multigrid_traffic(shape, block, wrap, levels == 0 ? most : levels, 8);
          const Replay result = checked(kernel);
          EXPECT_EQ(result.sent, 2 * 3 * sent);
          EXPECT_EQ(result.bytes, 2 * 3 * bytes);
        }
      }
      KernelSpec kernel = shaped("multigrid", shape);
      kernel.keys.set("block", block);
      kernel.keys.set("levels", i64{most + 1});
      EXPECT_NE(error_of(kernel).find("use " + std::to_string(most) + " or less"), std::string::npos);
    }
  }
}

TEST(Multigrid, ComputesInProportionToElements) {
  KernelSpec kernel = shaped("multigrid", {2, 2});
  kernel.keys.set("block", Sides{4, 4});
  kernel.keys.set("compute_ns", i64{1600});
  // Levels of 4x4, 2x2 and 1x1 elements of each of 4 tasks, then one element of task 0.
  EXPECT_EQ(checked(kernel).computing_ns, u64{2} * 4 * (1600 + 400 + 100) + 100);
}

TEST(RandomExchange, PairsEverybodyInEveryRound) {
  for (const u32 tasks : {1U, 2U, 3U, 5U, 16U, 17U, 100U}) {
    KernelSpec kernel = spec("random-exchange", tasks);
    kernel.repetitions = 9;
    const Replay result = checked(kernel);
    EXPECT_EQ(result.sent, tasks == 1 ? 0 : u64{9} * tasks);
    for (u32 task = 0; task < tasks && tasks > 1; ++task) {
      const std::vector<Op> all = ops(kernel, task);
      ASSERT_EQ(all.size(), 18U);
      for (u32 round = 0; round < 9; ++round) {
        EXPECT_EQ(all[2 * round].kind, OpKind::send);
        EXPECT_EQ(all[2 * round + 1].kind, OpKind::receive);
        EXPECT_EQ(all[2 * round].tag, round);
      }
    }
  }
}

TEST(RandomExchange, SendsToAllOthersEquallyOften) {
  for (const u32 tasks : {3U, 5U, 6U, 8U, 13U, 16U, 300U}) {
    KernelSpec kernel = spec("random-exchange", tasks);
    kernel.repetitions = 6000;
    for (const u32 task : {0U, tasks - 1}) {
      std::map<u32, u64> sent;
      for (const Op& op : ops(kernel, task)) {
        if (op.kind == OpKind::send) ++sent[op.peer];
      }
      const double expected = 6000.0 / (tasks - 1);
      double chi_square = 0;
      for (u32 other = 0; other < tasks; ++other) {
        if (other == task) continue;
        const double off = static_cast<double>(sent[other]) - expected;
        chi_square += off * off / expected;
      }
      // 5 deviations above its mean, for few degrees of freedom beyond that once in 2,000 draws.
      EXPECT_LT(chi_square, tasks - 2 + 5 * std::sqrt(2.0 * (tasks - 2)) + 5) << tasks;
    }
    KernelSpec other = kernel;
    other.seed = 2;
    EXPECT_NE(ops(kernel, 0), ops(other, 0));
  }
}

}  // namespace
}  // namespace weft::workloads
