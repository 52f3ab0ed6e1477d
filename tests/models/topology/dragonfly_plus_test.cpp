// Dragonflies+: wiring in every arrangement, figures of known shapes and against search, shapes that are refused.
#include "models/topology/kind/dragonfly_plus.hpp"

#include <map>

#include "tests/models/topology/brute_force.hpp"
#include "tests/models/topology/shapes.hpp"

namespace weft::models::testing {
namespace {

struct FlyPlus {
  i64 p, leaves, spines, h, q = 1, groups = 0;
  std::string arrangement = "relative";

  [[nodiscard]] TopologySpec spec() const {
    TopologySpec result{"dragonfly-plus",
                        {{"nodes_per_router", p},
                         {"leaves", leaves},
                         {"spines", spines},
                         {"global_links", h},
                         {"parallel_links", q},
                         {"arrangement", arrangement}}};
    if (groups != 0) result.keys.set("groups", groups);
    return result;
  }
};

std::unique_ptr<Topology> built(const FlyPlus& shape) { return make_topology(shape.spec()); }
const DragonflyPlus& as_fly_plus(const Topology& net) { return dynamic_cast<const DragonflyPlus&>(net); }

/// One or several links between groups and inside them, ports without a link, spines with several links to a group,
/// spines and leaves of which there is one.
std::vector<FlyPlus> fly_plus_shapes() {
  return {{2, 2, 2, 1},       {1, 3, 2, 2}, {2, 4, 4, 1, 2}, {3, 2, 3, 2, 1, 4}, {1, 2, 2, 6, 2, 3},
          {2, 2, 2, 3, 1, 2}, {1, 1, 1, 3}, {2, 1, 4, 1},    {1, 3, 1, 4, 3},    {1, 2, 3, 3, 1, 5}};
}
std::vector<TopologySpec> awkward_fly_plus() {
  std::vector<TopologySpec> specs;
  for (const FlyPlus& shape : fly_plus_shapes()) specs.push_back(shape.spec());
  return specs;
}
[[maybe_unused]] const bool dragonfly_plus_shapes_added = test_shapes(awkward_fly_plus());

/// What links of either class carry at the load bound: no more than they can, and as much as that for one class or for
/// the nodes.
void expect_tight_load_bound(const Topology& net) {
  const DragonflyPlus& fly = as_fly_plus(net);
  double global = 0, up = 0;
  for (u32 from = 0; from < net.nodes(); ++from) {
    for (u32 to = 0; to < net.nodes(); ++to) {
      global += fly.group_of(NodeId{from}) != fly.group_of(NodeId{to}) ? 1 : 0;
      up += net.router_of(NodeId{from}) != net.router_of(NodeId{to}) ? 1 : 0;
    }
  }
  double global_links = 0, up_links = 0;
  for (u32 r = 0; r < net.routers(); ++r) {
    for (u32 port = 0; port < net.ports(RouterId{r}); ++port) {
      if (net.peer(RouterId{r}, port).kind != Peer::Kind::router) continue;
      const bool crosses = net.link_class(RouterId{r}, port) == 2;
      global_links += crosses ? 1 : 0;
      up_links += !crosses && fly.is_leaf(RouterId{r}) ? 1 : 0;
    }
  }
  const double load = net.uniform_load_bound(), each = load / (net.nodes() - 1.0);
  EXPECT_NEAR(std::max({load, each * global / global_links, each * up / up_links}), 1, 1e-12) << net.name();
}

TEST(DragonflyPlus, OfAnyArrangementIsWiredAndHasItsDistances) {
  for (const char* arrangement : {"relative", "absolute", "circulant", "palm-tree"}) {
    for (FlyPlus shape : fly_plus_shapes()) {
      shape.arrangement = arrangement;
      const auto net = built(shape);
      expect_sound_wiring(*net);
      expect_true_distances(*net);
      expect_tight_load_bound(*net);
    }
  }
}

TEST(DragonflyPlus, JoinsAnyTwoGroupsByAsManyLinksAndALeafToEverySpine) {
  for (const FlyPlus& shape : fly_plus_shapes()) {
    const auto net = built(shape);
    const DragonflyPlus& fly = as_fly_plus(*net);
    std::map<std::pair<u32, u32>, u32> links;  // by routers inside a group, by groups between them
    for (u32 r = 0; r < net->routers(); ++r) {
      for (u32 port = 0; port < net->ports(RouterId{r}); ++port) {
        const Peer peer = net->peer(RouterId{r}, port);
        if (peer.kind != Peer::Kind::router) continue;
        const u32 here = fly.group(RouterId{r}), there = fly.group(RouterId{peer.id});
        EXPECT_EQ(net->link_class(RouterId{r}, port), here == there ? 0U : 2U);
        ++links[here == there ? std::pair{r, peer.id} : std::pair{net->routers() + here, net->routers() + there}];
      }
    }
    const u32 pairs_inside = 2 * fly.shape().leaves * fly.shape().spines * fly.groups();
    EXPECT_EQ(links.size(), pairs_inside + fly.groups() * (fly.groups() - 1)) << net->name();
    for (const auto& [ends, count] : links) {
      EXPECT_EQ(count, ends.first < net->routers() ? fly.shape().parallel_links : fly.links_between()) << net->name();
    }
  }
}

TEST(DragonflyPlus, SaysWhichSpinesHaveTheLinksBetweenTwoGroups) {
  for (const char* arrangement : {"relative", "absolute", "circulant", "palm-tree"}) {
    for (FlyPlus shape : fly_plus_shapes()) {
      shape.arrangement = arrangement;
      const auto net = built(shape);
      const DragonflyPlus& fly = as_fly_plus(*net);
      for (u32 from = 0; from < fly.groups(); ++from) {
        for (u32 to = 0; to < fly.groups(); ++to) {
          if (from == to) continue;
          u32 next = 0;  // links are numbered by spine
          for (u32 spine = 0; spine < fly.shape().spines; ++spine) {
            const GlobalLinks::Range range = fly.links_of_spine(from, to, spine);
            ASSERT_TRUE(range.count == 0 || range.first == next) << net->name();
            for (; next < range.first + range.count; ++next) {
              const auto [at, port] = fly.global_port(from, to, next);
              ASSERT_EQ(at, spine) << net->name();
              ASSERT_EQ(fly.group(RouterId{net->peer(fly.spine(from, spine), port).id}), to) << net->name();
            }
          }
          ASSERT_EQ(next, fly.links_between()) << net->name();
        }
      }
    }
  }
}

TEST(DragonflyPlus, HasTheFiguresOfItsShape) {
  // 17 groups of 4 leaves with 4 nodes each and 4 spines with 4 links: all ports in use, switches of 8 ports.
  const auto net = built({4, 4, 4, 4});
  EXPECT_EQ(net->name(), "relative dragonfly+ 4,4,4,4");
  EXPECT_EQ(net->nodes(), 272U);
  EXPECT_EQ(net->routers(), 136U);
  EXPECT_EQ(net->group_nodes(), 16U);
  EXPECT_EQ(net->router_links(), 17U * 16 + 17 * 16 / 2);
  EXPECT_EQ(net->ports(RouterId{0}), 8U);
  EXPECT_EQ(net->ports(RouterId{4}), 8U);
  EXPECT_EQ(net->diameter(), 5U);
  EXPECT_DOUBLE_EQ(net->mean_distance(), (3 * 2 + 12 * 4 + 256 * 5) / 271.0);
  EXPECT_DOUBLE_EQ(net->uniform_load_bound(), 1);
  EXPECT_EQ(net->distance(NodeId{0}, NodeId{3}), 2U);
  EXPECT_EQ(net->distance(NodeId{0}, NodeId{4}), 4U);
  EXPECT_EQ(net->distance(NodeId{0}, NodeId{16}), 5U);
  // With half of the links up, twice as many nodes as these can carry: 8 nodes on 4 links, less what stays at the leaf.
  EXPECT_DOUBLE_EQ(built({8, 2, 4, 4})->uniform_load_bound(), 4 / (8 * (272.0 - 8) / 271));
  EXPECT_EQ(built({1, 2, 2, 6, 2, 3})->name(), "relative dragonfly+ 1,2,2,6, 2 links to a spine of 3 groups");
}

TEST(DragonflyPlus, NumbersPortsAndNodesByLeaf) {
  const auto net = built({2, 3, 2, 4, 2, 0, "palm-tree"});
  const DragonflyPlus& fly = as_fly_plus(*net);
  EXPECT_EQ(net->router_of(NodeId{11}), fly.leaf(1, 2));
  EXPECT_EQ(net->port_of(NodeId{11}), 4U + 1);
  EXPECT_EQ(net->peer(fly.leaf(1, 2), 3).id, fly.spine(1, 1).value());
  EXPECT_EQ(net->peer(fly.leaf(1, 2), 3).port, 5U);
  EXPECT_EQ(net->port_name(fly.leaf(1, 2), 3), "up to spine 1, link 1");
  EXPECT_EQ(net->port_name(fly.leaf(1, 2), 5), "node port 1");
  EXPECT_EQ(net->port_name(fly.spine(1, 1), 5), "down to leaf 2, link 1");
  EXPECT_EQ(net->port_name(fly.spine(1, 1), 9), "global port 3");
  // The last global port of group 1, number 7, leads to group 1 - 7 - 1 modulo 9, to its port 9 - 2 - 7.
  EXPECT_EQ(net->peer(fly.spine(1, 1), 9).id, fly.spine(2, 0).value());
  EXPECT_EQ(net->peer(fly.spine(1, 1), 9).port, 6U);
}

TEST(DragonflyPlus, IsSharedOutByGroups) {
  const auto net = built({1, 2, 4, 2});
  const RegularPartition thirds = net->regular_partition(3);
  EXPECT_EQ(thirds.method, "groups");
  EXPECT_TRUE(thirds.even);
  for (u32 r = 0; r < net->routers(); ++r) EXPECT_EQ(thirds.part_of(r), r / 18);
  EXPECT_FALSE(net->regular_partition(2).even);
  EXPECT_FALSE(net->regular_partition(10).part_of);
}

TEST(DragonflyPlus, RefusesImpossibleShapes) {
  const auto error = [](Parameters more) {
    for (const char* key : {"nodes_per_router", "leaves", "spines", "global_links"}) {
      if (!more.has(key)) more.set(key, i64{2});
    }
    return error_of("dragonfly-plus", more);
  };
  EXPECT_EQ(error({}), "");
  EXPECT_EQ(error({{"groups", i64{6}}}),
            "topology.groups = 6 is not possible (2 spines of 2 global links reach 4 other groups); use groups = 5");
  EXPECT_EQ(error({{"groups", i64{1}}}),
            "topology.groups = 1 is not possible (a dragonfly+ has at least 2 groups); use groups = 2");
  EXPECT_EQ(error({{"spines", i64{0}}}),
            "topology.spines = 0 is not possible (a dragonfly+ has 1 to 65536 of them); use spines = 1");
  EXPECT_EQ(
      error({{"leaves", i64{65536}}, {"parallel_links", i64{2}}}),
      "topology.leaves = 65536 is not possible (with parallel_links = 2 a router would have more than 65536 links "
      "in its group); use leaves = 32768");
  EXPECT_EQ(error({{"parallel_links", i64{0}}}),
            "topology.parallel_links = 0 is not possible (a dragonfly+ has 1 to 1024 of them); use parallel_links = 1");
  EXPECT_NE(error({{"leaves", i64{65536}}, {"global_links", i64{60000}}}).find("2147483648 nodes); use groups = 16384"),
            std::string::npos);
  EXPECT_NE(error({{"nodes_per_router", i64{1}}, {"leaves", i64{1}}, {"spines", i64{65536}}})
                .find("2147483648 routers); use groups = 32767"),
            std::string::npos);
  EXPECT_NE(error({{"leaves", i64{65536}}, {"nodes_per_router", i64{65536}}}).find("use nodes_per_router = 16384"),
            std::string::npos);
  EXPECT_NE(error({{"spines", i64{65536}}, {"global_links", i64{65536}}}).find("use global_links = 32768"),
            std::string::npos);
  EXPECT_EQ(error_of("dragonfly-plus", {}).find("topology.nodes_per_router is missing"), 0U);
}

}  // namespace
}  // namespace weft::models::testing
