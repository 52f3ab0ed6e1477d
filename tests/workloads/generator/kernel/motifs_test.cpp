// Motifs of applications: messages, bytes and computing equal closed forms for many shapes.
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <map>

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

using Lengths = std::vector<i64>;

/// Messages of an allreduce by recursive doubling: P log2 P, and two more of each pair where P is no power of two.
u64 doubling_messages(u64 tasks) {
  const u64 core = std::bit_floor(tasks);
  return core * static_cast<u64>(std::countr_zero(core)) + 2 * (tasks - core);
}

TEST(Lammps, SwapsSlabsThatGrowFromDimensionToDimension) {
  for (const Lengths& shape : {Lengths{3, 3, 3}, Lengths{2, 4, 5}, Lengths{1, 3, 2}, Lengths{1, 1, 1}}) {
    for (const bool reverse : {true, false}) {
      KernelSpec kernel = shaped("lammps", shape);
      kernel.repetitions = 6;
      kernel.keys.set("block", Lengths{5, 7, 9});
      kernel.keys.set("width", i64{2});
      kernel.keys.set("element_bytes", i64{4});
      kernel.keys.set("reverse", reverse);
      kernel.keys.set("reduction_steps", i64{3});
      kernel.keys.set("compute_ns", i64{10});
      const u64 x = 5, y = 7, z = 9, width = 2, atom = 12, tasks = product_of(shape);
      // Together the slabs are the shell around the block: it reaches edges and corners too.
      const u64 slabs[] = {width * y * z, width * (x + 2 * width) * z, width * (x + 2 * width) * (y + 2 * width)};
      EXPECT_EQ(2 * (slabs[0] + slabs[1] + slabs[2]), (x + 2 * width) * (y + 2 * width) * (z + 2 * width) - x * y * z);
      u64 sent = 0, bytes = 0;
      for (u32 d = 0; d < 3; ++d) {
        if (shape[d] == 1) continue;
        sent += 2 * tasks;
        bytes += 2 * tasks * slabs[d] * atom;
      }
      const u64 times = reverse ? 2 : 1, reductions = 2 * doubling_messages(tasks);
      const Replay result = checked(kernel);
      EXPECT_EQ(result.sent, 6 * times * sent + reductions);
      EXPECT_EQ(result.bytes, 6 * times * bytes + 8 * reductions);
      EXPECT_EQ(result.computing_ns, 6 * 10 * tasks);
    }
  }
}

TEST(Lammps, WaitsForEachSwapBeforeTheNext) {
  KernelSpec kernel = shaped("lammps", {3, 1, 1});
  kernel.keys.set("block", Lengths{1, 1, 1});
  const u64 atom = 24;
  EXPECT_EQ(ops(kernel, 0), (std::vector<Op>{{OpKind::send, 2, 0, atom},
                                             {OpKind::receive, 1, 0, atom},
                                             {OpKind::send, 1, 1, atom},
                                             {OpKind::receive, 2, 1, atom},
                                             {OpKind::send, 2, 7, atom},
                                             {OpKind::receive, 1, 7, atom},
                                             {OpKind::send, 1, 6, atom},
                                             {OpKind::receive, 2, 6, atom}}));
  kernel.keys.set("width", i64{2});
  EXPECT_NE(error_of(kernel).find("use 1 or less"), std::string::npos);
}

TEST(Nekbone, SharesPointsOfFacesEdgesAndCorners) {
  for (const Lengths& shape : {Lengths{3, 2, 4}, Lengths{1, 5, 2}, Lengths{2, 2, 2}, Lengths{3, 3, 3}}) {
    KernelSpec kernel = shaped("nekbone", shape);
    kernel.repetitions = 4;
    kernel.keys.set("block", Lengths{1, 2, 3});
    kernel.keys.set("order", i64{5});
    kernel.keys.set("compute_ns", i64{7});
    const u64 points[] = {6, 11, 16};  // along the edges of a block
    u64 sent = 0, bytes = 0;
    for (u32 mask = 1; mask < 8; ++mask) {
      u64 pairs = u64{1} << std::popcount(mask), size = 8;
      for (u32 d = 0; d < 3; ++d) {
        const bool moves = (mask >> d & 1) != 0;
        pairs *= static_cast<u64>(moves ? shape[d] - 1 : shape[d]);
        size *= moves ? 1 : points[d];
      }
      sent += pairs;
      bytes += pairs * size;
    }
    const u64 reductions = 3 * doubling_messages(product_of(shape));
    const Replay result = checked(kernel);
    EXPECT_EQ(result.sent, 4 * (sent + reductions));
    EXPECT_EQ(result.bytes, 4 * (bytes + 8 * reductions));
    EXPECT_EQ(result.computing_ns, 4 * 7 * product_of(shape));
  }
}

TEST(Milc, ExchangesHalfOfTheFacesTwiceWithEightNeighbours) {
  for (const Lengths& shape : {Lengths{2, 2, 2, 2}, Lengths{3, 1, 4, 2}, Lengths{5, 3, 1, 1}}) {
    KernelSpec kernel = shaped("milc", shape);
    kernel.repetitions = 3;
    kernel.keys.set("block", Lengths{4, 5, 3, 7});
    kernel.keys.set("width", i64{3});
    kernel.keys.set("compute_ns", i64{11});
    const u64 volume = 4 * 5 * 3 * 7, block[] = {4, 5, 3, 7}, tasks = product_of(shape);
    u64 sent = 0, bytes = 0;
    for (u32 d = 0; d < 4; ++d) {
      if (shape[d] == 1) continue;
      sent += 2 * 2 * tasks;
      bytes += 2 * 2 * tasks * ((3 * volume / block[d] + 1) / 2) * 48;
    }
    const u64 reductions = 2 * doubling_messages(tasks);
    const Replay result = checked(kernel);
    EXPECT_EQ(result.sent, 3 * (sent + reductions));
    EXPECT_EQ(result.bytes, 3 * (bytes + 8 * reductions));
    EXPECT_EQ(result.computing_ns, 3 * 2 * 11 * tasks);
  }
}

TEST(Hacc, MovesAllPointsThatAreNotAtTheirPlaceInFiveExchangesOfATransform) {
  for (const Lengths& shape : {Lengths{2, 3, 4}, Lengths{1, 2, 1}, Lengths{3, 3, 3}, Lengths{1, 1, 7}}) {
    for (const i64 backward : {0, 2}) {
      KernelSpec kernel = shaped("hacc", shape);
      kernel.repetitions = 2;
      kernel.keys.set("block", Lengths{3, 5, 7});
      kernel.keys.set("backward", backward);
      kernel.keys.set("particle_bytes", i64{10});
      const u64 points = 3 * 5 * 7, tasks = product_of(shape), block[] = {3, 5, 7};
      u64 sent = 0, bytes = 0;
      for (u32 d = 0; d < 3; ++d) {
        const u64 side = static_cast<u64>(shape[d]), lines = tasks / side, times = d == 2 ? 1 : 2;
        sent += times * lines * side * (side - 1);
        // Each task's share of the blocks of a line stays: side times all points but one block's worth.
        bytes += times * lines * (side - 1) * points * 16;
      }
      const u64 transforms = 1 + static_cast<u64>(backward);
      u64 copies = 0, copied = 0;
      for (u32 mask = 1; mask < 8; ++mask) {
        u64 pairs = u64{1} << std::popcount(mask), size = 10;
        for (u32 d = 0; d < 3; ++d) {
          const bool moves = (mask >> d & 1) != 0;
          pairs *= static_cast<u64>(moves && shape[d] == 1 ? 0 : shape[d]);
          size *= moves ? 1 : block[d];
        }
        copies += pairs;
        copied += pairs * size;
      }
      const Replay result = checked(kernel);
      EXPECT_EQ(result.sent, 2 * (transforms * sent + copies));
      EXPECT_EQ(result.bytes, 2 * (transforms * bytes + copied));
    }
  }
}

TEST(NBody, BringsEachBlockToAllTasksOnTheWholeRing) {
  for (const u32 tasks : {1U, 2U, 3U, 8U, 13U}) {
    for (const bool overlap : {false, true}) {
      KernelSpec kernel = spec("n-body", tasks);
      kernel.repetitions = 3;
      kernel.keys.set("bodies", i64{10});
      kernel.keys.set("body_bytes", i64{28});
      kernel.keys.set("compute_ns", i64{7});
      kernel.keys.set("overlap", overlap);
      const Replay result = checked(kernel);
      EXPECT_EQ(result.sent, u64{3} * tasks * (tasks - 1));
      EXPECT_EQ(result.bytes, result.sent * 280);
      EXPECT_EQ(result.computing_ns, u64{3} * 7 * tasks * tasks);
    }
  }
}

/// P blocks have P^2 / 2 pairs, each with itself half a one: by the third law none is computed twice.
TEST(NBody, ComputesEachPairOfBlocksOnceOnTheHalfRing) {
  for (const u32 tasks : {1U, 2U, 3U, 4U, 7U, 16U}) {
    KernelSpec kernel = spec("n-body", tasks);
    kernel.repetitions = 2;
    kernel.keys.set("bodies", i64{10});
    kernel.keys.set("compute_ns", i64{100});
    kernel.keys.set("ring", std::string("half"));
    const u64 moved = u64{tasks} * (tasks / 2), home = tasks > 1 ? tasks : 0;
    const Replay result = checked(kernel);
    EXPECT_EQ(result.sent, 2 * (moved + home));
    EXPECT_EQ(result.bytes, 2 * (moved * 560 + home * 240));
    EXPECT_EQ(result.computing_ns, u64{100} * tasks * tasks);
  }
}

TEST(NBody, SendsForcesHomeAndBlocksOnBeforeComputingWhereTheyMay) {
  KernelSpec kernel = spec("n-body", 5);
  kernel.keys.set("bodies", i64{1});
  kernel.keys.set("compute_ns", i64{9});
  kernel.keys.set("ring", std::string("half"));
  EXPECT_EQ(ops(kernel, 4), (std::vector<Op>{{OpKind::compute, 0, 0, 5},
                                             {OpKind::send, 0, 0, 56},
                                             {OpKind::receive, 3, 0, 56},
                                             {OpKind::compute, 0, 0, 9},
                                             {OpKind::send, 0, 1, 56},
                                             {OpKind::receive, 3, 1, 56},
                                             {OpKind::compute, 0, 0, 9},
                                             {OpKind::send, 2, 2, 24},
                                             {OpKind::receive, 1, 2, 24}}));
  kernel.keys.set("overlap", true);
  EXPECT_NE(error_of(kernel).find("use ring = \"whole\""), std::string::npos);
  kernel.keys.set("ring", std::string("whole"));
  kernel.tasks = 2;
  EXPECT_EQ(ops(kernel, 0), (std::vector<Op>{{OpKind::send, 1, 0, 32},
                                             {OpKind::compute, 0, 0, 9},
                                             {OpKind::receive, 1, 0, 32},
                                             {OpKind::compute, 0, 0, 9}}));
}

TEST(Incast, SendsAllToOneAndLetsThemGoOn) {
  for (const u32 tasks : {1U, 2U, 9U, 100U}) {
    KernelSpec kernel = spec("incast", tasks);
    kernel.repetitions = 3;
    kernel.keys.set("compute_ns", i64{5});
    Replay result = checked(kernel);
    EXPECT_EQ(result.sent, u64{3} * (tasks - 1));
    EXPECT_EQ(result.bytes, u64{300} * (tasks - 1));
    EXPECT_EQ(result.computing_ns, u64{15} * (tasks - 1));
    kernel.keys.set("request_bytes", i64{16});
    result = checked(kernel);
    EXPECT_EQ(result.sent, u64{6} * (tasks - 1));
    EXPECT_EQ(result.bytes, u64{348} * (tasks - 1));
  }
}

TEST(Reductions, GoByTheAlgorithmThatTheConfigNames) {
  KernelSpec kernel = shaped("nekbone", {2, 2, 2});
  const u64 exchanged = checked(kernel).sent - 3 * doubling_messages(8);
  kernel.keys.set("reduction", std::string("ring"));
  EXPECT_EQ(checked(kernel).sent, exchanged + u64{3} * 2 * 8 * 7);  // blocks of one byte, 2 (P - 1) from each task
  kernel.keys.set("reduction", std::string("rign"));
  EXPECT_EQ(error_of(kernel),
            "workload.reduction \"rign\" is no algorithm of allreduce (weft describe allreduce lists them); did you "
            "mean \"ring\"?");
  kernel.keys.set("reduction", std::string("auto"));
  kernel.keys.set("block", Lengths{1, 1, 1});
  kernel.keys.set("reduction_bytes", i64{4000});
  kernel.limits.message_bytes = 3999;
  EXPECT_NE(error_of(kernel).find("workload.reduction_bytes: "), std::string::npos);
}

}  // namespace
}  // namespace weft::workloads
