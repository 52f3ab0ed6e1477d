// Several jobs side by side, and patterns of processes that sit on nodes in any order.
#include "workloads/pattern/jobs.hpp"

#include <gtest/gtest.h>

#include "engine/error.hpp"
#include "workloads/pattern/placed.hpp"

namespace weft::workloads {
namespace {

u64 bits_of(u32 node, u64 draw) { return engine::random_bits(7, node, draw, engine::Use::test); }

TEST(Jobs, StayAmongTheirOwnNodesAndLeaveTheRestIdle) {
  const PatternSpec spec{16, {}, 1};
  const Jobs jobs({{4, "uniform", 100}, {8, "bit-complement", 100}}, spec);
  for (u32 node = 0; node < 16; ++node) {
    const u32 job = node < 4 ? 0 : node < 12 ? 1 : Jobs::idle;
    EXPECT_EQ(jobs.job_of(NodeId(node)), job);
    EXPECT_EQ(jobs.sends(NodeId(node)), job != Jobs::idle);
    if (job == Jobs::idle) continue;
    for (u64 draw = 0; draw < 100; ++draw)
      EXPECT_EQ(jobs.job_of(jobs.destination(NodeId(node), bits_of(node, draw))), job);
  }
  EXPECT_EQ(jobs.destination(NodeId(5), 0), NodeId(4 + 6));
}

TEST(Jobs, SendTheirShareOfPackets) {
  const Jobs jobs({{4, "uniform", 25}, {4, "uniform", 0}}, {8, {}, 1});
  u32 sent = 0;
  for (u64 draw = 0; draw < 10'000; ++draw) sent += jobs.destination(NodeId(1), bits_of(1, draw)) != NodeId(1) ? 1 : 0;
  EXPECT_NEAR(sent, 2500, 175);  // four standard deviations
  EXPECT_FALSE(jobs.sends(NodeId(5)));
}

TEST(Jobs, RefuseMoreNodesThanThereAre) {
  EXPECT_THROW(Jobs({{4, "uniform", 100}, {5, "uniform", 100}}, {8, {}, 1}), ConfigError);
}

TEST(Placed, SendsFromNodeToNodeAsThePlacesDo) {
  const std::vector<NodeId> node_of{NodeId(2), NodeId(0), NodeId(3), NodeId(1)};
  const Placed placed(make_pattern("bit-complement", {4, {}, 1}), node_of);
  for (u32 place = 0; place < 4; ++place) EXPECT_EQ(placed.destination(node_of[place], 0), node_of[3 - place]);
}

}  // namespace
}  // namespace weft::workloads
