// 3-stage Clos networks: wiring and distances against search, what they are the same as, shapes that are refused.
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
  Parameters five{{"leaf_down", i64{4}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}, {"stages", i64{5}}};
  EXPECT_NE(error_of("clos", five).find("use stages = 3, or kind = \"xgft\""), std::string::npos);
}

}  // namespace
}  // namespace weft::models::testing
