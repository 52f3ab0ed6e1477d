// The rule by which UGAL takes the shortest path or another.
#include "models/routing/kind/ugal.hpp"

#include <gtest/gtest.h>
#include <map>

namespace weft::models {
namespace {

/// Outputs with given loads, and with remote congestion information.
struct GivenOccupancy final : Occupancy {
  std::map<u32, u32> loads;
  std::map<std::pair<u32, u32>, u32> remote;
  [[nodiscard]] u32 waiting(u32 /*port*/) const override { return 77; }
  [[nodiscard]] u32 taken(u32 /*port*/, u32 /*channel*/) const override { return 77; }
  [[nodiscard]] u32 load(u32 port) const override { return loads.contains(port) ? loads.at(port) : 0; }
  [[nodiscard]] u32 remote_waiting(u32 port, u32 far_port) const override {
    return remote.contains({port, far_port}) ? remote.at({port, far_port}) : 0;
  }
};

struct UgalRule : ::testing::Test {
  GivenOccupancy outputs;
  CandidatePath shortest{0, 5, 3}, other{1, 6, 5};

  [[nodiscard]] bool takes_shortest(bool uses_remote, i64 bias = 0, i64 threshold = 0) const {
    RouterSettings settings;
    for (const Setting& row : ugal_settings()) settings.own.set(row.name(), row.fallback);
    settings.own.set("ugal_bias_cells", bias);
    settings.own.set("ugal_threshold_cells", threshold);
    return Ugal(settings, uses_remote).takes_shortest(shortest, other, outputs);
  }
};

TEST_F(UgalRule, WeighsLoadsByLinksAndTakesTheShortestOfEqualWays) {
  EXPECT_TRUE(takes_shortest(false)) << "nothing waits anywhere";
  outputs.loads = {{0, 10}, {1, 6}};
  EXPECT_TRUE(takes_shortest(false)) << "30 and 30";
  outputs.loads[0] = 11;
  EXPECT_FALSE(takes_shortest(false)) << "33 and 30";
  other.links = 6;
  EXPECT_TRUE(takes_shortest(false)) << "33 and 36";
}

TEST_F(UgalRule, AddsTheBiasToTheOtherWay) {
  outputs.loads = {{0, 20}, {1, 6}};
  EXPECT_FALSE(takes_shortest(false, 29)) << "60 and 59";
  EXPECT_TRUE(takes_shortest(false, 30)) << "60 and 60";
}

TEST_F(UgalRule, TakesTheShortestWhereNoMoreThanTheThresholdWaits) {
  outputs.loads = {{0, 20}};
  EXPECT_FALSE(takes_shortest(false, 0, 19));
  EXPECT_TRUE(takes_shortest(false, 0, 20));
}

TEST_F(UgalRule, AddsNewsOfTheSecondPortOnlyIfNeighboursCount) {
  outputs.loads = {{0, 10}, {1, 10}};
  outputs.remote = {{{0, 5}, 8}};
  EXPECT_TRUE(takes_shortest(false)) << "30 and 50";
  EXPECT_FALSE(takes_shortest(true)) << "54 and 50";
  EXPECT_FALSE(takes_shortest(true, 0, 17)) << "the threshold is one of all that waits";
  EXPECT_TRUE(takes_shortest(true, 0, 18));
  outputs.remote[{1, 6}] = 1;
  EXPECT_TRUE(takes_shortest(true)) << "54 and 55";
  shortest.second = CandidatePath::no_port;
  outputs.remote[{0, CandidatePath::no_port}] = 1000;
  EXPECT_TRUE(takes_shortest(true)) << "there is no neighbour on the way who could know";
}

TEST_F(UgalRule, IsExactWithLoadsOfAnySize) {
  constexpr u32 most = ~u32{0};
  outputs.loads = {{0, most}, {1, most}};
  outputs.remote = {{{0, 5}, most}};
  EXPECT_TRUE(takes_shortest(false));
  EXPECT_FALSE(takes_shortest(true)) << "6 and 5 times that";
}

}  // namespace
}  // namespace weft::models
