// Indirect cubes: wiring and distances against search, the order of ports, shapes that are refused.
#include "models/topology/kind/indirect_cube.hpp"

#include "tests/models/topology/brute_force.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> icube(Ints dims, i64 nodes, i64 links) {
  return made("indirect-cube", {{"dims", std::move(dims)}, {"nodes_per_switch", nodes}, {"parallel_links", links}});
}

TEST(IndirectCube, IsWiredAsSearchSays) {
  for (const auto& [dims, nodes, links] : std::vector<std::tuple<Ints, i64, i64>>{
           {{4, 4}, 4, 1}, {{4, 4}, 4, 4}, {{3, 2}, 2, 2}, {{2, 2, 2}, 1, 3}, {{5, 1, 3}, 2, 1}, {{7}, 3, 2}}) {
    const auto net = icube(dims, nodes, links);
    expect_sound_wiring(*net);
    expect_true_distances(*net);
  }
}

TEST(IndirectCube, NumbersPortsByDirectionLinkAndNode) {
  const auto made = icube({4, 3}, 5, 2);
  const auto& net = dynamic_cast<const IndirectCube&>(*made);
  EXPECT_EQ(net.ports(RouterId{0}), 2U * 2 * 2 + 5);
  EXPECT_EQ(net.peer(RouterId{5}, 1).id, 6U);  // up in x, second link
  EXPECT_EQ(net.peer(RouterId{5}, 1).port, 3U);
  EXPECT_EQ(net.peer(RouterId{5}, 2).id, 4U);
  EXPECT_EQ(net.peer(RouterId{5}, 4).id, 9U);  // up in y
  EXPECT_EQ(net.peer(RouterId{5}, 6).id, 1U);
  EXPECT_EQ(net.peer(RouterId{5}, 8).id, 25U);  // first node
  EXPECT_EQ(net.link_port(1, true, 1), 7U);
  EXPECT_EQ(net.port_name(RouterId{5}, 7), "dimension 1- link 1");
  EXPECT_EQ(net.port_name(RouterId{5}, 9), "node port 1");
}

TEST(IndirectCube, HasTheMeanDistancesOfThePublishedSimulator) {
  EXPECT_NEAR(icube({4, 4}, 4, 1)->mean_distance(), 4.03, 0.02);
  EXPECT_NEAR(icube({4, 4, 4}, 2, 1)->mean_distance(), 5.03, 0.02);
}

TEST(IndirectCube, BoundsTheLoadByTheLinksOfADimension) {
  EXPECT_DOUBLE_EQ(icube({4, 4}, 4, 1)->uniform_load_bound(),
                   0.5 * 63 / 64);  // 2 links up and down for 4 nodes of 1 hop
  EXPECT_DOUBLE_EQ(icube({8, 4}, 4, 2)->uniform_load_bound(), 0.5 * 127 / 128);
  EXPECT_DOUBLE_EQ(icube({4, 4}, 4, 4)->uniform_load_bound(), 1.0);
}

TEST(IndirectCube, HasOneLinkToANeighbourUnlessToldOtherwise) {
  const auto net = made("indirect-cube", {{"dims", Ints{4}}, {"nodes_per_switch", i64{2}}});
  EXPECT_EQ(net->ports(RouterId{0}), 4U);
  EXPECT_EQ(net->router_links(), 4U);
}

TEST(IndirectCube, RefusesImpossibleShapes) {
  EXPECT_EQ(error_of("indirect-cube", {}).find("topology.dims is missing"), 0U);
  EXPECT_EQ(error_of("indirect-cube", {{"dims", Ints{4, 4}}}),
            "topology.nodes_per_switch is missing (an indirect cube needs it); use e.g. nodes_per_switch = 4");
  EXPECT_EQ(error_of("indirect-cube", {{"dims", Ints{4, 4}}, {"nodes_per_switch", i64{0}}}),
            "topology.nodes_per_switch = 0 is not possible (an indirect cube has 1 to 65536 of them); use "
            "nodes_per_switch = 1");
  EXPECT_NE(error_of("indirect-cube", {{"dims", Ints{65536, 1024}}, {"nodes_per_switch", i64{64}}})
                .find("use nodes_per_switch = 32"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::models::testing
