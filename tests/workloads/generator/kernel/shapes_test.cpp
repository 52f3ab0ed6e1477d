// Shapes of virtual meshes: given ones, those that follow from the number of tasks, and those that do not fit.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "engine/base/sizes.hpp"
#include "tests/workloads/generator/kernel/kernel_specs.hpp"

namespace weft::workloads {
namespace {

using testing_kernels::error_of;
using testing_kernels::messages;
using testing_kernels::ops;
using testing_kernels::receive;
using testing_kernels::replay;
using testing_kernels::send;
using testing_kernels::shaped;
using testing_kernels::spec;

using Shape = std::vector<i64>;

const Shape lines[] = {{1}, {2}, {7}}, rectangles[] = {{1, 5}, {5, 1}, {2, 3}, {8, 2}, {3, 7}},
            boxes[] = {{2, 3, 4}, {5, 1, 2}, {1, 1, 6}, {4, 3, 2}};

std::vector<Shape> all_shapes() {
  std::vector<Shape> all;
  for (const auto& some :
       {std::vector(std::begin(lines), std::end(lines)), std::vector(std::begin(rectangles), std::end(rectangles)),
        std::vector(std::begin(boxes), std::end(boxes))})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

/// Pairs of neighbours in one direction, summed over dimensions.
u64 links(const Shape& shape, bool wrap) {
  u64 sum = 0;
  for (const i64 side : shape) {
    u64 all = 1;
    for (const i64 other : shape) all *= static_cast<u64>(other);
    sum += wrap && side > 1 ? all : all / static_cast<u64>(side) * static_cast<u64>(side - 1);
  }
  return sum;
}

TEST(NearestSquareFactors, AreThoseOfMpiDimsCreate) {
  using Factors = std::vector<u32>;
  EXPECT_EQ(nearest_square_factors(512, 2), (Factors{32, 16}));
  EXPECT_EQ(nearest_square_factors(512, 3), (Factors{8, 8, 8}));
  EXPECT_EQ(nearest_square_factors(4096, 2), (Factors{64, 64}));
  EXPECT_EQ(nearest_square_factors(4096, 3), (Factors{16, 16, 16}));
  EXPECT_EQ(nearest_square_factors(6, 2), (Factors{3, 2}));
  EXPECT_EQ(nearest_square_factors(7, 3), (Factors{7, 1, 1}));
  EXPECT_EQ(nearest_square_factors(60, 3), (Factors{5, 4, 3}));
  EXPECT_EQ(nearest_square_factors(1, 6), Factors(6, 1));
  EXPECT_EQ(nearest_square_factors(4'294'967'295U, 2), (Factors{65537, 65535}));
  EXPECT_EQ(nearest_square_factors(4'294'967'291U, 2), (Factors{4'294'967'291U, 1}));  // a prime
}

/// Least difference of the largest and the smallest of `parts` factors of `count`, all tried.
u32 least_spread(u32 count, u32 parts, u32 smallest, u32 largest) {
  if (parts == 0) return count == 1 ? largest - smallest : ~u32{0};
  u32 best = ~u32{0};
  for (u32 factor = 1; factor <= count; ++factor) {
    if (count % factor != 0) continue;
    best =
        std::min(best, least_spread(count / factor, parts - 1, std::min(smallest, factor), std::max(largest, factor)));
  }
  return best;
}

TEST(NearestSquareFactors, AreAsCloseToEachOtherAsAnyAre) {
  for (u32 count = 1; count <= 240; ++count) {
    for (u32 parts = 1; parts <= 4; ++parts) {
      const std::vector<u32> factors = nearest_square_factors(count, parts);
      ASSERT_EQ(factors.size(), parts);
      EXPECT_TRUE(std::ranges::is_sorted(factors, std::greater<>()));
      EXPECT_EQ(std::accumulate(factors.begin(), factors.end(), 1U, std::multiplies<>()), count);
      EXPECT_EQ(factors.front() - factors.back(), least_spread(count, parts, ~u32{0}, 0)) << count << " in " << parts;
    }
  }
}

TEST(Shapes, OfAllKernelsOnMeshesRunToTheirEnd) {
  for (const std::string& name : KernelRegistry::instance().names()) {
    const KernelKind& kind = *KernelRegistry::instance().find(name);
    for (const Shape& shape : all_shapes()) {
      if (std::ranges::find(kind.dimensions, shape.size()) == kind.dimensions.end()) continue;
      for (const bool wrap : {false, true}) {
        if (wrap && !kind.wrap) continue;
        KernelSpec kernel = shaped(name, shape);
        kernel.wrap = wrap;
        const auto result = replay(*make_kernel(kernel));
        EXPECT_EQ(result.unfinished_tasks, 0U) << name;
        EXPECT_EQ(result.unmatched_messages, 0U) << name;
        EXPECT_EQ(result.sent > 0, kernel.tasks > 1) << name;
      }
    }
  }
}

TEST(Shapes, HaveAsManyMessagesAsTheirNeighboursSay) {
  for (const Shape& shape : all_shapes()) {
    EXPECT_EQ(messages(shaped("mesh", shape)), 2 * links(shape, false));
    EXPECT_EQ(messages(shaped("direction-distribution", shape)), 2 * links(shape, false));
    EXPECT_EQ(messages(shaped("wavefront", shape)), links(shape, false));
    EXPECT_EQ(messages(shaped("waterfall", shape)), links(shape, false));
    for (const char* const name : {"mesh", "direction-distribution"}) {
      KernelSpec torus = shaped(name, shape);
      torus.wrap = true;
      EXPECT_EQ(messages(torus), 2 * links(shape, true));
    }
    KernelSpec diagonal = shaped("mesh", shape);
    diagonal.diagonals = true;
    u64 around = 1;
    for (const i64 side : shape) around *= static_cast<u64>(3 * side - 2);
    EXPECT_EQ(messages(diagonal), around - diagonal.tasks);
  }
}

TEST(Shapes, ThatAreNotGivenAreTheMostNearlySquareOnes) {
  for (const char* const name : {"W2", "M2", "WF", "stencil", "sweep3d", "fft"}) {
    for (const u32 task : {0U, 1U, 33U, 511U}) EXPECT_EQ(ops(spec(name, 512), task), ops(shaped(name, {32, 16}), task));
  }
  for (const u32 task : {0U, 7U, 59U}) EXPECT_EQ(ops(spec("W3", 60), task), ops(shaped("W3", {5, 4, 3}), task));
  EXPECT_EQ(make_kernel(spec("M2", 512))->name(), "mesh 32x16");
  EXPECT_EQ(make_kernel(spec("mesh", 12, 1))->name(), "mesh 12");
}

TEST(Shapes, SayTheDimensionsToo) {
  EXPECT_EQ(make_kernel(shaped("mesh", {4, 2, 3}))->name(), "mesh 4x2x3");
  EXPECT_EQ(make_kernel(shaped("waterfall", {6}))->name(), "waterfall 6 of 1");
}

TEST(Shapes, NumberTheFirstDimensionFastest) {
  EXPECT_EQ(ops(shaped("M2", {4, 2}), 5),
            (std::vector<Op>{send(6), send(4), send(1), receive(6), receive(4), receive(1)}));
  EXPECT_EQ(ops(shaped("W3", {3, 2, 2}), 4), (std::vector<Op>{receive(1), receive(3), send(5), send(10)}));
  KernelSpec ring = shaped("mesh", {4, 3});
  ring.wrap = true;
  EXPECT_EQ(ops(ring, 0),
            (std::vector<Op>{send(1), send(3), send(4), send(8), receive(1), receive(3), receive(4), receive(8)}));
}

TEST(Shapes, ThatDoNotFitAreRefusedWithOneThatDoes) {
  KernelSpec kernel = shaped("W2", {32, 15});
  kernel.tasks = 512;
  EXPECT_NE(error_of(kernel).find("workload.shape = [32, 15] does not fit kernel \"W2\" (it is of 480 tasks, and there "
                                  "are 512); use for example shape = [32, 16]"),
            std::string::npos);
  EXPECT_NE(error_of(shaped("W2", {4, 4, 4})).find("3 dimensions, it accepts 2); use for example shape = [8, 8]"),
            std::string::npos);
  kernel = shaped("mesh", {8, 8});
  kernel.dimensions = 3;
  EXPECT_NE(error_of(kernel).find("(workload.dimensions = 3); use for example shape = [4, 4, 4]"), std::string::npos);
  EXPECT_NE(error_of(shaped("BU", {8, 8})).find("its tasks form no mesh"), std::string::npos);
  kernel = spec("mesh", 8);
  kernel.shape = {1 << 20, 1 << 20};
  EXPECT_NE(error_of(kernel).find("more than 2^32 tasks, and there are 8); use for example shape = [4, 2]"),
            std::string::npos);
}

TEST(Computing, ComesBetweenReceivesAndSends) {
  const Op computing{OpKind::compute, 0, 0, 700};
  const auto with_time = [](KernelSpec kernel) {
    kernel.keys.set("compute_ns", i64{700});
    return kernel;
  };
  EXPECT_EQ(ops(with_time(spec("W2", 9)), 4), (std::vector<Op>{receive(1), receive(3), computing, send(5), send(7)}));
  EXPECT_EQ(ops(with_time(spec("WF", 4)), 1), (std::vector<Op>{receive(0), computing, send(3)}));
  EXPECT_EQ(ops(with_time(spec("mesh", 2, 1)), 1), (std::vector<Op>{send(0), receive(0), computing}));
}

}  // namespace
}  // namespace weft::workloads
