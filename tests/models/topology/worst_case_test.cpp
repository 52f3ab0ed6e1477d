// What shortest routes carry least of, as each kind of topology says it.
#include <gtest/gtest.h>

#include "models/topology/faulty.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {
namespace {

std::unique_ptr<Topology> example_of(const std::string& kind) {
  return make_topology({kind, TopologyRegistry::instance().find(kind)->example});
}
std::pair<u32, u32> worst(const Topology& net, u32 from) {
  const NodeRange range = net.worst_case(NodeId(from)).value_or(NodeRange{});
  return {range.first, range.count};
}
using Range = std::pair<u32, u32>;

TEST(WorstCaseOfTopology, StaysInsideEveryNetworkAndLoadsNoNodeMoreThanAnother) {
  u32 known = 0;
  for (const std::string& kind : TopologyRegistry::instance().names()) {
    SCOPED_TRACE(kind);
    const auto net = example_of(kind);
    if (!net->worst_case(NodeId(0))) continue;
    ++known;
    std::vector<double> wanted(net->nodes(), 0);
    for (u32 node = 0; node < net->nodes(); ++node) {
      const auto [first, count] = worst(*net, node);
      ASSERT_GT(count, 0U);
      ASSERT_LE(u64{first} + count, net->nodes());
      for (u32 k = 0; k < count; ++k) wanted[first + k] += 1.0 / count;
    }
    for (const double packets : wanted) EXPECT_NEAR(packets, 1, 1e-9);
  }
  EXPECT_GE(known, 10U);
}

TEST(WorstCaseOfTopology, IsTornadoOnCubes) {
  const auto net = make_topology({"torus", {{"dims", std::vector<i64>{8, 5}}}});
  EXPECT_EQ(worst(*net, 0), Range(3 + 8 * 2, 1));
  EXPECT_EQ(worst(*net, 7 + 8 * 4), Range(2 + 8 * 1, 1));
}

TEST(WorstCaseOfTopology, IsHalfTheMachineAwayInTreesAndTheNextNodeInFullMeshes) {
  const auto tree = example_of("thin-tree");
  const u32 nodes = tree->nodes();
  EXPECT_EQ(worst(*tree, 1), Range(nodes / 2 + 1, 1));
  EXPECT_EQ(worst(*tree, nodes - 1), Range(nodes / 2 - 1, 1));
  const auto mesh = make_topology({"full-mesh", {{"nodes", i64{9}}}});
  EXPECT_EQ(worst(*mesh, 3), Range(4, 1));
  EXPECT_EQ(worst(*mesh, 8), Range(0, 1));
}

TEST(WorstCaseOfTopology, IsTheNextGroupWhereThereAreGroups) {
  const auto net = example_of("dragonfly");
  const u32 group = net->group_nodes();
  EXPECT_EQ(worst(*net, 1), Range(group, group));
  EXPECT_EQ(worst(*net, net->nodes() - 1), Range(0, group));
}

TEST(WorstCaseOfTopology, IsNotKnownOfSomeAndTheSameWithFaults) {
  EXPECT_FALSE(example_of("circulant")->worst_case(NodeId(0)));
  FaultSpec spec;
  spec.links = {0, 0};
  const FaultyTopology broken(example_of("dragonfly"), spec);
  EXPECT_EQ(worst(broken, 1), worst(broken.whole(), 1));
  EXPECT_GT(worst(broken, 1).second, 1U);
}

}  // namespace
}  // namespace weft::models
