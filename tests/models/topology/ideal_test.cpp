// The network without links: everybody is next to everybody.
#include <gtest/gtest.h>

#include "models/topology/faulty.hpp"
#include "models/topology/regular_partition.hpp"
#include "tests/models/topology/brute_force.hpp"
#include "tests/models/topology/parts.hpp"

namespace weft::models::testing {
namespace {

TEST(IdealTopology, JoinsAllNodesWithoutALink) {
  const auto net = made("ideal", {{"nodes", i64{7}}});
  EXPECT_TRUE(net->joins_all());
  EXPECT_TRUE(net->direct());
  EXPECT_EQ(net->routers(), 7U);
  EXPECT_EQ(net->most_ports(), 0U);
  EXPECT_EQ(net->router_links(), 0U);
  EXPECT_EQ(net->diameter(), 1U);
  EXPECT_EQ(net->mean_distance(), 1.0);
  EXPECT_EQ(net->uniform_load_bound(), 1.0);
  for (u32 from = 0; from < 7; ++from) {
    for (u32 to = 0; to < 7; ++to) EXPECT_EQ(net->distance(NodeId(from), NodeId(to)), from == to ? 0U : 1U);
  }
  EXPECT_FALSE(made("torus", {{"dims", Ints{3, 3}}})->joins_all());
}

TEST(IdealTopology, SaysWhatItNeeds) {
  EXPECT_EQ(error_of("ideal", {}), "topology.nodes is missing (an ideal network needs it); use e.g. nodes = 64");
  EXPECT_EQ(error_of("ideal", {{"nodes", i64{0}}}),
            "topology.nodes = 0 is not possible (an ideal network has 1 to 1073741824 of them); use nodes = 1");
}

TEST(IdealTopology, IsSharedOutInBlocksHoweverUneven) {
  const auto net = made("ideal", {{"nodes", i64{7}}});
  const RegularPartition blocks = named_partition(*net, 3, "auto");
  EXPECT_EQ(blocks.method, "block");
  EXPECT_EQ(table(*net, blocks.part_of), (std::vector<u32>{0, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(table(*net, named_partition(*net, 3, "block").part_of), table(*net, blocks.part_of));
  EXPECT_FALSE(net->regular_partition(8).part_of);
  // Elsewhere blocks are a matter of tables.
  EXPECT_FALSE(named_partition(*made("torus", {{"dims", Ints{3, 3}}}), 3, "block").part_of);
}

}  // namespace
}  // namespace weft::models::testing
