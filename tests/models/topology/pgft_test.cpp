// Fat trees with parallel links: wiring and distances against search, what they are the same as, shapes that are
// refused.
#include "tests/models/topology/brute_force.hpp"
#include "tests/models/topology/shapes.hpp"

namespace weft::models::testing {
namespace {

Parameters pgft_keys(const Ints& m, const Ints& w, const Ints& p) { return {{"m", m}, {"w", w}, {"parallel", p}}; }
std::unique_ptr<Topology> pgft(const Ints& m, const Ints& w, const Ints& p) { return made("pgft", pgft_keys(m, w, p)); }

const bool shapes_added = test_shapes({{"pgft", pgft_keys({2, 3, 2}, {1, 2, 1}, {1, 1, 3})},
                                       {"pgft", pgft_keys({5}, {1}, {1})},
                                       {"pgft", pgft_keys({2, 1, 2}, {1, 3, 2}, {1, 2, 1})}});

TEST(Pgft, IsWiredAsSearchSays) {
  EXPECT_TRUE(shapes_added);
  for (const auto& [m, w, p] : std::vector<std::array<Ints, 3>>{{{{4, 3}, {1, 2}, {1, 2}}},
                                                                {{{2, 3, 2}, {1, 2, 2}, {1, 1, 3}}},
                                                                {{{3, 2, 2}, {1, 2, 3}, {1, 2, 1}}},
                                                                {{{7}, {1}, {1}}}}) {
    const auto net = pgft(m, w, p);
    expect_sound_wiring(*net);
    expect_true_distances(*net);
  }
}

TEST(Pgft, HasAsManyLinksToEachParentAsItsKeysSay) {
  const auto net = pgft({6, 4}, {1, 2}, {1, 3});
  EXPECT_EQ(net->nodes(), 24U);
  EXPECT_EQ(net->routers(), 4U + 2U);
  EXPECT_EQ(net->router_links(), 4U * 2U * 3U);
  for (u32 leaf = 0; leaf < 4; ++leaf) {
    std::array<u32, 2> links{};
    for (u32 port = 0; port < 6; ++port) ++links[net->peer(RouterId{leaf}, port).id - 4];
    EXPECT_EQ(links[0], 3U);
    EXPECT_EQ(links[1], 3U);
  }
  EXPECT_EQ(net->name(), "PGFT(2;6,4;1,2;1,3)");
  EXPECT_EQ(net->port_name(RouterId{0}, 5), "up port 5");
  EXPECT_EQ(net->port_name(RouterId{0}, 6), "node port 0");
  EXPECT_EQ(net->port_name(RouterId{4}, 11), "down port 11");
  EXPECT_DOUBLE_EQ(net->uniform_load_bound(), 1);
}

TEST(Pgft, WithOneLinkEachIsTheXgft) {
  const Ints m{3, 2, 2}, w{1, 2, 3};
  const auto net = made("pgft", {{"m", m}, {"w", w}}), tree = made("xgft", {{"m", m}, {"w", w}});
  ASSERT_EQ(net->routers(), tree->routers());
  for (u32 r = 0; r < net->routers(); ++r) {
    ASSERT_EQ(net->ports(RouterId{r}), tree->ports(RouterId{r}));
    for (u32 port = 0; port < net->ports(RouterId{r}); ++port) {
      const Peer a = net->peer(RouterId{r}, port), b = tree->peer(RouterId{r}, port);
      EXPECT_TRUE(a.kind == b.kind && a.id == b.id && a.port == b.port) << "router " << r << ", port " << port;
    }
  }
  EXPECT_DOUBLE_EQ(net->mean_distance(), tree->mean_distance());
  EXPECT_DOUBLE_EQ(net->uniform_load_bound(), tree->uniform_load_bound());
}

TEST(Pgft, HasTheBoundOfItsNarrowestLevel) {
  // 12 nodes below a leaf share 2 x 2 links up; 11 of 12 other nodes... (N - 1) / (N - M) of it is the bound.
  EXPECT_DOUBLE_EQ(pgft({12, 3}, {1, 2}, {1, 2})->uniform_load_bound(), 4.0 / 12 * 35 / 24);
}

TEST(Pgft, RefusesWhatItsKeysDoNotDescribe) {
  EXPECT_EQ(error_of("pgft", pgft_keys({4, 3}, {1, 2}, {1})),
            "topology.parallel = [1] is not possible (it has 1 levels, m has 2); use parallel = [1, 1]");
  EXPECT_EQ(error_of("pgft", pgft_keys({4, 3}, {2, 2}, {1, 1})),
            "topology.w = [2, 2] is not possible (w[0] must be 1: a node has one link); use w = [1, 2]");
  EXPECT_EQ(error_of("pgft", pgft_keys({4, 3}, {1, 2}, {2, 2})).find("topology.parallel = [2, 2]"), 0U);
  EXPECT_EQ(error_of("pgft", pgft_keys({}, {}, {})).find("topology.m is missing"), 0U);
  EXPECT_NE(error_of("pgft", pgft_keys({65536, 65536}, {1, 1}, {1, 1})).find("nodes"), std::string::npos);
  EXPECT_NE(error_of("pgft", pgft_keys({60000, 2}, {1, 60000}, {1, 1})).find("more than 65535 ports"),
            std::string::npos);
  EXPECT_NE(error_of("pgft", pgft_keys({2, 2}, {1, 65536}, {1, 65535})).find("ports"), std::string::npos);
}

}  // namespace
}  // namespace weft::models::testing
