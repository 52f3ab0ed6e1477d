// Clos networks of 3 and of 5 stages: wiring and distances against search, what they are the same as, shapes that are
// refused.
#include "tests/models/topology/brute_force.hpp"

namespace weft::models::testing {
namespace {

std::unique_ptr<Topology> clos(i64 down, i64 up, i64 leaves) {
  return made("clos", {{"leaf_down", down}, {"leaf_up", up}, {"leaves", leaves}});
}

TEST(Clos, IsWiredAsSearchSays) {
  for (const auto& [down, up, leaves] : std::vector<std::array<i64, 3>>{{8, 4, 8}, {3, 2, 4}, {2, 5, 3}, {1, 1, 2}}) {
    const auto net = clos(down, up, leaves);
    expect_sound_wiring(*net);
    expect_true_distances(*net);
    EXPECT_EQ(net->routers(), leaves + up);
    EXPECT_EQ(net->router_links(), static_cast<u64>(leaves * up));
  }
}

TEST(Clos, JoinsEveryLeafToEverySpineByOneLink) {
  const auto net = clos(4, 3, 5);
  for (u32 leaf = 0; leaf < 5; ++leaf) {
    for (u32 up = 0; up < 3; ++up) {
      const Peer spine = net->peer(RouterId{leaf}, up);
      EXPECT_EQ(spine.id, 5 + up);
      EXPECT_EQ(spine.port, leaf);
    }
  }
  EXPECT_EQ(net->port_name(RouterId{1}, 2), "up to spine 2");
  EXPECT_EQ(net->port_name(RouterId{1}, 3), "node port 0");
  EXPECT_EQ(net->port_name(RouterId{6}, 4), "down to leaf 4");
}

TEST(Clos, IsTheTreeOfTwoLevels) {
  const auto net = clos(8, 4, 8), tree = made("thin-tree", {{"down", i64{8}}, {"up", i64{4}}, {"levels", i64{2}}});
  EXPECT_EQ(net->nodes(), tree->nodes());
  EXPECT_DOUBLE_EQ(net->mean_distance(), tree->mean_distance());
  EXPECT_DOUBLE_EQ(net->uniform_load_bound(), tree->uniform_load_bound());
  EXPECT_EQ(net->name(), "Clos C(4,8,8)");
}

TEST(Clos, SaysWhetherItBlocks) {
  const auto blocking = [](i64 down, i64 up) {
    for (const auto& [label, value] : clos(down, up, 4)->facts()) {
      if (label == "circuits between nodes") return value;
    }
    return std::string();
  };
  EXPECT_EQ(blocking(4, 7), "strictly non-blocking (m >= 2n - 1)");
  EXPECT_EQ(blocking(4, 6), "rearrangeably non-blocking (m >= n)");
  EXPECT_EQ(blocking(4, 3), "blocking (m < n)");
}

TEST(Clos, RefusesWhatItsKeysDoNotDescribe) {
  const Parameters small{{"leaf_down", i64{4}}, {"leaf_up", i64{2}}, {"leaves", i64{1}}};
  EXPECT_EQ(error_of("clos", small),
            "topology.leaves = 1 is not possible (a Clos network has 2 to 65536 of them); use leaves = 2");
  EXPECT_EQ(error_of("clos", {}).find("topology.leaf_down is missing"), 0U);
  EXPECT_NE(error_of("clos", {{"leaf_down", i64{65536}}, {"leaf_up", i64{1}}, {"leaves", i64{65536}}})
                .find("use leaves = 32768"),
            std::string::npos);
  const Parameters four{{"leaf_down", i64{4}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}, {"stages", i64{4}}};
  EXPECT_NE(error_of("clos", four).find("use stages = 3 or 5, or kind = \"xgft\""), std::string::npos);
  EXPECT_EQ(error_of("clos", {{"leaf_down", i64{4}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}, {"spine_up", i64{3}}}),
            "topology.spine_up = 3 is not possible (spines of 3 stages have no links up and pods are of 5 stages); use "
            "stages = 5, or leave it out");
}

/// Shapes {leaf_down, leaf_up, leaves_per_pod, spine_up, pods}.
using FiveStages = std::array<i64, 5>;
const std::vector<FiveStages> five_stages_shapes{
    {2, 2, 2, 2, 4}, {3, 2, 2, 3, 3}, {1, 1, 1, 1, 2}, {2, 3, 4, 1, 2}, {4, 2, 3, 2, 5}};

std::unique_ptr<Topology> five_stages(const FiveStages& shape) {
  const auto& [down, up, pod, spine_up, pods] = shape;
  return made("clos", {{"stages", i64{5}},
                       {"leaf_down", down},
                       {"leaf_up", up},
                       {"leaves", pods * pod},
                       {"leaves_per_pod", pod},
                       {"spine_up", spine_up}});
}

TEST(ClosOfFiveStages, IsWiredAsSearchSays) {
  for (const FiveStages& shape : five_stages_shapes) {
    const auto& [down, up, pod, spine_up, pods] = shape;
    const auto net = five_stages(shape);
    expect_sound_wiring(*net);
    expect_true_distances(*net);
    EXPECT_EQ(net->nodes(), down * pod * pods);
    EXPECT_EQ(net->routers(), pod * pods + up * pods + up * spine_up);
    EXPECT_EQ(net->router_links(), static_cast<u64>(pod * pods * up + up * pods * spine_up));
    EXPECT_EQ(net->diameter(), 6U);
  }
}

/// Ways down from a switch to a leaf, all links walked.
u64 routes_down(const Topology& net, u32 router, u32 goal) {
  if (router == goal) return 1;
  u64 routes = 0;
  const u32 level = net.kind(RouterId{router});
  for (u32 port = 0; port < net.ports(RouterId{router}); ++port) {
    const Peer peer = net.peer(RouterId{router}, port);
    if (peer.kind != Peer::Kind::router || net.kind(RouterId{peer.id}) >= level) continue;
    routes += routes_down(net, peer.id, goal);
  }
  return routes;
}
/// Routes between leaves that go up to level `top`, then down.
u64 routes_over(const Topology& net, u32 router, u32 goal, u32 top) {
  const u32 level = net.kind(RouterId{router});
  if (level == top) return routes_down(net, router, goal);
  u64 routes = 0;
  for (u32 port = 0; port < net.ports(RouterId{router}); ++port) {
    const Peer peer = net.peer(RouterId{router}, port);
    if (peer.kind != Peer::Kind::router || net.kind(RouterId{peer.id}) <= level) continue;
    routes += routes_over(net, peer.id, goal, top);
  }
  return routes;
}

TEST(ClosOfFiveStages, HasAsManyRoutesAsItHasWaysUp) {
  for (const FiveStages& shape : five_stages_shapes) {
    const auto& [down, up, pod, spine_up, pods] = shape;
    const auto net = five_stages(shape);
    for (u32 a = 0; a < pod * pods; ++a) {
      for (u32 b = 0; b < pod * pods; ++b) {
        if (a == b) continue;
        const bool near = a / pod == b / pod;
        EXPECT_EQ(routes_over(*net, a, b, near ? 1 : 2), static_cast<u64>(near ? up : up * spine_up)) << a << " " << b;
      }
    }
  }
}

TEST(ClosOfFiveStages, OfCrossbarsOfOneRadixIsTheFullOne) {
  for (const i64 radix : {2, 4, 8, 16, 32}) {
    const auto net = made("clos", {{"stages", i64{5}}, {"leaf_down", radix / 2}, {"leaf_up", radix / 2}});
    EXPECT_EQ(net->nodes(), radix * radix * radix / 4);
    EXPECT_EQ(net->routers(), 5 * radix * radix / 4);
    EXPECT_EQ(net->router_links(), static_cast<u64>(radix * radix * radix / 2));
    EXPECT_DOUBLE_EQ(net->uniform_load_bound(), 1.0);
    for (u32 router = 0; router < net->routers(); ++router) EXPECT_EQ(net->ports(RouterId{router}), radix);
  }
}

TEST(ClosOfFiveStages, IsBoundByTheLinksBetweenItsLevels) {
  // A pod of 4*3 nodes has 2*2 links up, a leaf of 4 nodes 2; shares (N - M)/(N - 1) of their traffic leave.
  const auto net = five_stages({4, 2, 3, 2, 5});
  EXPECT_DOUBLE_EQ(net->uniform_load_bound(), 4.0 / 12 * 59 / (60 - 12));
  EXPECT_EQ(net->name(), "Clos C(2,4,15) of 5 stages, spines C(2,3,5)");
  EXPECT_EQ(net->port_name(RouterId{0}, 1), "up to spine 1");
  EXPECT_EQ(net->port_name(RouterId{0}, 2), "node port 0");
  EXPECT_EQ(net->port_name(RouterId{15}, 1), "up to top spine 1");
  EXPECT_EQ(net->port_name(RouterId{15}, 4), "down to leaf 2");
  EXPECT_EQ(net->port_name(RouterId{28}, 4), "down to pod 4");
}

TEST(ClosOfFiveStages, RefusesWhatCannotBeBuilt) {
  const auto error = [](Parameters more) {
    for (const auto& [key, value] : {std::pair{"stages", i64{5}}, {"leaf_down", i64{4}}, {"leaf_up", i64{4}}}) {
      more.set(key, value);
    }
    return error_of("clos", more);
  };
  EXPECT_EQ(error({{"leaves", i64{10}}}),
            "topology.leaves = 10 is not possible (2 pods or more of 4 leaves each); use leaves = 8");
  EXPECT_EQ(error({{"leaves", i64{4}}}),
            "topology.leaves = 4 is not possible (2 pods or more of 4 leaves each); use leaves = 8");
  EXPECT_EQ(error({{"leaves_per_pod", i64{8}}}),
            "topology.leaves_per_pod = 8 is not possible (spines of 8 ports as the leaves would have no link up); use "
            "leaves_per_pod = 4, or give spine_up");
  EXPECT_NE(error({{"spine_up", i64{0}}}).find("topology.spine_up = 0 is not possible"), std::string::npos);
  EXPECT_NE(error({{"leaves", i64{100000}}}).find("has 2 to 65536 of them"), std::string::npos);
  const Parameters many_pods{
      {"stages", i64{5}}, {"leaf_down", i64{1}}, {"leaf_up", i64{65536}}, {"leaves_per_pod", i64{1}}};
  EXPECT_NE(error_of("clos", many_pods).find("top spines of more than 65536 ports"), std::string::npos);
  EXPECT_NE(error_of("clos", {{"stages", i64{5}},
                              {"leaf_down", i64{1}},
                              {"leaf_up", i64{65536}},
                              {"leaves_per_pod", i64{1}},
                              {"leaves", i64{2}},
                              {"spine_up", i64{65536}}})
                .find("more than 2147483648 switches"),
            std::string::npos);
  EXPECT_NE(error_of("clos", {{"stages", i64{5}}, {"leaf_down", i64{65536}}, {"leaf_up", i64{65536}}})
                .find("more than 2147483648 nodes"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::models::testing
