// HyperX networks: wiring and numbering, distances and bounds against search and counting, published instances, shapes
// that are refused.
#include "models/topology/kind/hyperx.hpp"

#include <map>

#include "tests/models/topology/brute_force.hpp"
#include "tests/models/topology/shapes.hpp"

namespace weft::models::testing {
namespace {

[[maybe_unused]] const bool hyperx_shapes_added = test_shapes({
    {"hyperx", {{"dims", Ints{1, 3, 1}}, {"nodes_per_router", i64{3}}, {"widths", Ints{5, 1, 7}}}},
    {"hyperx", {{"dims", Ints{2, 2, 2, 2, 2}}, {"nodes_per_router", i64{1}}, {"widths", Ints{}}}},
    {"hyperx", {{"dims", Ints{5, 2, 3}}, {"nodes_per_router", i64{2}}, {"widths", Ints{1, 3, 2}}}},
    {"hyperx", {{"dims", Ints{7}}, {"nodes_per_router", i64{1}}, {"widths", Ints{2}}}},
});

std::unique_ptr<Topology> hyperx(const Ints& dims, i64 nodes, const Ints& widths = {}) {
  return made("hyperx", {{"dims", dims}, {"nodes_per_router", nodes}, {"widths", widths}});
}
const HyperX& as_hyperx(const Topology& net) { return dynamic_cast<const HyperX&>(net); }

const std::vector<std::pair<Ints, Ints>> small_shapes{
    {{4}, {}}, {{2, 2}, {}}, {{4, 3}, {2, 1}}, {{3, 1, 4}, {1, 9, 3}}, {{2, 3, 2, 2}, {1, 2, 1, 4}}};

TEST(HyperX, IsWiredAndHasItsDistances) {
  for (const auto& [dims, widths] : small_shapes) {
    for (const i64 nodes : {1, 2, 5}) {
      const auto net = hyperx(dims, nodes, widths);
      expect_sound_wiring(*net);
      expect_true_distances(*net);
    }
  }
}

TEST(HyperX, JoinsRoutersThatDifferInOneDimensionByItsWidth) {
  for (const auto& [dims, widths] : small_shapes) {
    const auto made = hyperx(dims, 2, widths);
    const HyperX& net = as_hyperx(*made);
    for (u32 from = 0; from < net.routers(); ++from) {
      std::map<u32, u32> links;
      for (u32 p = 0; p < net.first_node_port(); ++p) {
        const Peer peer = net.peer(RouterId{from}, p);
        const u32 d = net.dimension_of(p);
        ASSERT_EQ(peer.id, net.moved(from, d, net.coordinate(peer.id, d)));
        ASSERT_EQ(net.port(d, net.coordinate(from, d), net.coordinate(peer.id, d), links[peer.id]), p);
        ++links[peer.id];
      }
      for (u32 to = 0; to < net.routers(); ++to) {
        u32 expected = 0;
        for (u32 d = 0; d < net.dimensions() && net.hops(from, to) == 1; ++d) {
          if (net.coordinate(from, d) != net.coordinate(to, d)) expected = net.width(d);
        }
        ASSERT_EQ(links[to], expected) << net.name() << ": " << from << " to " << to;
      }
    }
  }
}

/// Load of each link where all pairs of nodes have one packet, in the order of dimensions.
std::map<std::pair<u32, u32>, double> loads_of_all_pairs(const HyperX& net) {
  std::map<std::pair<u32, u32>, double> loads;  // by the two routers, of one of the parallel links
  for (u32 from = 0; from < net.nodes(); ++from) {
    for (u32 to = 0; to < net.nodes(); ++to) {
      u32 at = net.router_of(NodeId{from}).value();
      for (u32 d = 0; d < net.dimensions(); ++d) {
        const u32 next = net.moved(at, d, net.coordinate(net.router_of(NodeId{to}).value(), d));
        if (next != at) loads[{at, next}] += 1.0 / net.width(d);
        at = next;
      }
    }
  }
  return loads;
}

TEST(HyperX, BoundsTheLoadByItsBusiestLink) {
  for (const auto& [dims, widths] : small_shapes) {
    for (const i64 nodes : {1, 3, 8}) {
      const auto made = hyperx(dims, nodes, widths);
      double most = 0;
      for (const auto& [link, load] : loads_of_all_pairs(as_hyperx(*made))) most = std::max(most, load);
      EXPECT_NEAR(made->uniform_load_bound(), std::min(1.0, (made->nodes() - 1) / most), 1e-12) << made->name();
    }
  }
}

TEST(HyperX, HasTheFiguresOfPublishedInstances) {
  // A hypercube; a flattened butterfly 8-ary 4-flat (Kim, Dally, Abts 2007: 4,096 nodes, radix 29).
  const auto cube = hyperx({2, 2, 2, 2}, 1);
  EXPECT_EQ(cube->router_links(), 32U);
  EXPECT_EQ(cube->diameter(), 2U + 4);
  const auto flat = hyperx({8, 8, 8}, 8);
  EXPECT_EQ(flat->nodes(), 4096U);
  EXPECT_EQ(flat->routers(), 512U);
  EXPECT_EQ(flat->ports(RouterId{0}), 29U);
  EXPECT_EQ(flat->router_links(), 512U * 21 / 2);
  EXPECT_EQ(flat->diameter(), 2U + 3);
  EXPECT_DOUBLE_EQ(flat->mean_distance(), 2 + 3 * 7.0 / 8 * 4096 / 4095);
  EXPECT_DOUBLE_EQ(flat->uniform_load_bound(), 4095.0 / 4096);
  EXPECT_EQ(flat->name(), "8x8x8 HyperX of 8 nodes a router");
  EXPECT_EQ(hyperx({4, 3}, 1, {1, 2})->name(), "4x3 HyperX of 1 node a router, 1:2 links to a neighbour");
}

TEST(HyperX, TellsItsFacts) {
  const auto facts = hyperx({8, 5}, 4, {1, 2})->facts();
  const std::map<std::string, std::string> by_name(facts.begin(), facts.end());
  EXPECT_EQ(by_name.at("ports of a router, those of its nodes included"), "19");
  EXPECT_EQ(by_name.at("links across the middle"), "80 (dimension 0)");  // 96 across dimension 1
  EXPECT_EQ(by_name.at("links across the middle for each node of the smaller half"), "1");
  EXPECT_EQ(by_name.at("load at which two routers' nodes fill the links between them"), "0.25");
}

TEST(HyperX, NumbersPortsByDimensionAndCoordinate) {
  const auto net = hyperx({4, 3}, 2, {1, 2});
  EXPECT_EQ(net->ports(RouterId{0}), 3U + 4 + 2);
  // Router 6 has the coordinates (2, 1).
  EXPECT_EQ(net->peer(RouterId{6}, 0).id, 4U);
  EXPECT_EQ(net->peer(RouterId{6}, 2).id, 7U);
  EXPECT_EQ(net->peer(RouterId{6}, 3).id, 2U);
  EXPECT_EQ(net->peer(RouterId{6}, 4).id, 2U);
  EXPECT_EQ(net->peer(RouterId{6}, 6).id, 10U);
  EXPECT_EQ(net->port_name(RouterId{6}, 2), "dimension 0 to 3");
  EXPECT_EQ(net->port_name(RouterId{6}, 6), "dimension 1 to 2 link 1");
  EXPECT_EQ(net->port_name(RouterId{6}, 8), "node port 1");
  EXPECT_EQ(net->link_classes(), (std::vector<std::string>{"link", "node", "global"}));
  EXPECT_EQ(net->link_class(RouterId{6}, 2), 0U);
  EXPECT_EQ(net->link_class(RouterId{6}, 3), 2U);
  EXPECT_EQ(net->link_class(RouterId{6}, 7), Topology::node_link_class());
  EXPECT_EQ(net->group_nodes(), 2U);
}

TEST(HyperX, IsSharedOutAcrossItsLastDimension) {
  const auto net = hyperx({4, 6}, 1);
  const RegularPartition thirds = net->regular_partition(3);
  EXPECT_TRUE(thirds.even);
  for (u32 r = 0; r < net->routers(); ++r) {
    EXPECT_EQ(thirds.part_of(r), as_hyperx(*net).coordinate(r, 1) / 2);
  }
  EXPECT_TRUE(net->regular_partition(12).even);
  EXPECT_FALSE(net->regular_partition(5).even);
  EXPECT_FALSE(net->regular_partition(25).part_of);
}

TEST(HyperX, RefusesImpossibleShapes) {
  const auto error = [](const Ints& dims, i64 nodes, const Ints& widths = {}) {
    return error_of("hyperx", {{"dims", dims}, {"nodes_per_router", nodes}, {"widths", widths}});
  };
  EXPECT_EQ(error({4, 4}, 2, {1}),
            "topology.widths = [1] is not possible (1 numbers for 2 dimensions); use widths = [1, 1]");
  EXPECT_EQ(
      error({4}, 2, {0}),
      "topology.widths = [0] is not possible (1 to 1024 links join two routers of a dimension); use widths = [1]");
  EXPECT_EQ(
      error({4, 4}, 0),
      "topology.nodes_per_router = 0 is not possible (a HyperX has 1 to 65536 of them); use nodes_per_router = 1");
  EXPECT_NE(error({1}, 4).find("(a network has at least 2 routers); use dims = [2]"), std::string::npos);
  EXPECT_NE(error(Ints(17, 2), 4).find("(a HyperX has 1 to 16 dimensions)"), std::string::npos);
  EXPECT_NE(error({65536, 2}, 65536).find("more than 2147483648 nodes); use nodes_per_router = 16384"),
            std::string::npos);
  EXPECT_EQ(error_of("hyperx", {}).find("topology.dims is missing"), 0U);
  EXPECT_EQ(error_of("hyperx", {{"dims", Ints{4, 4}}}).find("topology.nodes_per_router is missing"), 0U);
}

TEST(HyperX, SuggestsShapesWhosePortsCanBeNumbered) {
  constexpr i64 most = 1 << 30;
  for (const auto& [dims, nodes, widths, key] :
       std::vector<std::tuple<Ints, i64, Ints, std::string>>{{{30'000, 2}, 16'000, {}, "nodes_per_router"},
                                                             {{20'000, 2}, 10'000, {3, 1024}, "widths"},
                                                             {{most}, 1, {}, "dims"},
                                                             {{most, 2}, 1, {1024, 1}, "dims"},
                                                             {{46'341, 46'340}, 1, {1, 1024}, "dims"},
                                                             {{46'341}, 1, {}, "dims"}}) {
    const Parameters keys{{"dims", dims}, {"nodes_per_router", nodes}, {"widths", widths}};
    const std::string text = error_of("hyperx", keys);
    ASSERT_EQ(text.find("topology." + key + " = "), 0U) << text;
    EXPECT_NE(text.find("more than 2147483648 ports in all routers together"), std::string::npos) << text;
    Parameters better = keys;
    Ints numbers;
    for (std::size_t at = text.find("use "); at < text.size(); ++at) {
      if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) continue;
      numbers.push_back(std::stoll(text.substr(at)));
      while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
    }
    if (key == "nodes_per_router") {
      better.set(key, numbers.at(0));
    } else {
      better.set(key, numbers);
    }
    EXPECT_EQ(error_of("hyperx", better), "") << text;
  }
  EXPECT_EQ(error_of("hyperx", {{"dims", Ints{46'340}}, {"nodes_per_router", i64{1}}, {"widths", Ints{}}}), "");
}

}  // namespace
}  // namespace weft::models::testing
