// Networks with faults: wiring, what fails with what, draws, and whether the rest hangs together.
#include "models/topology/faulty.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"

namespace weft::models {
namespace {

std::unique_ptr<FaultyTopology> faulty(const std::string& kind, const FaultSpec& spec) {
  const Parameters& example = TopologyRegistry::instance().find(kind)->example;
  return std::make_unique<FaultyTopology>(make_topology({kind, example}), spec);
}
std::unique_ptr<FaultyTopology> faulty_torus(const FaultSpec& spec) {
  return std::make_unique<FaultyTopology>(make_topology({"torus", {{"dims", std::vector<i64>{4, 4}}}}), spec);
}

/// Ends of links that are there in the whole network and not here.
std::vector<std::pair<u32, u32>> missing(const FaultyTopology& net) {
  std::vector<std::pair<u32, u32>> ends;
  for (u32 r = 0; r < net.routers(); ++r) {
    for (u32 p = 0; p < net.ports(RouterId(r)); ++p) {
      if (net.peer(RouterId(r), p).kind != net.whole().peer(RouterId(r), p).kind) ends.emplace_back(r, p);
    }
  }
  return ends;
}

TEST(FaultyTopology, LosesALinkAtBothEnds) {
  const auto net = faulty_torus({.links = {0, 0}});
  EXPECT_EQ(missing(*net), (std::vector<std::pair<u32, u32>>{{0, 0}, {1, 1}}));
  EXPECT_TRUE(net->link_failed(RouterId{1}, 1));
  EXPECT_EQ(net->failed_links(), 1U);
  EXPECT_EQ(net->router_links(), net->whole().router_links() - 1);
  EXPECT_EQ(missing(*faulty_torus({.links = {0, 0, 1, 1, 0, 0}})), missing(*net));  // the same link, three times
}

TEST(FaultyTopology, WithRandomFaultsOfAnyKindLeadsBackFromEveryPeer) {
  for (const std::string& kind : TopologyRegistry::instance().names()) {
    SCOPED_TRACE(kind);
    const auto whole = make_topology({kind, TopologyRegistry::instance().find(kind)->example});
    const auto net =
        faulty(kind, {.random_links = std::min<u64>(5, whole->router_links()), .random_nodes = 2, .seed = 3});
    EXPECT_EQ(net->failed_nodes(), 2U);
    for (u32 r = 0; r < net->routers(); ++r) {
      for (u32 p = 0; p < net->ports(RouterId(r)); ++p) {
        const Peer far = net->peer(RouterId(r), p);
        if (far.kind == Peer::Kind::node) {
          EXPECT_TRUE(net->works(NodeId(far.id)));
        }
        if (far.kind != Peer::Kind::router) continue;
        const Peer back = net->peer(RouterId(far.id), far.port);
        EXPECT_EQ(back.kind, Peer::Kind::router);
        EXPECT_EQ(back.id, r);
        EXPECT_EQ(back.port, p);
      }
    }
  }
}

TEST(FaultyTopology, DrawsTheSameFaultsFromTheSameSeedAndOthersFromAnother) {
  const FaultSpec spec{.random_links = 5, .random_nodes = 3, .seed = 11};
  FaultSpec other = spec;
  other.seed = 12;
  const auto net = faulty_torus(spec);
  EXPECT_EQ(missing(*net).size(), 10U);
  EXPECT_EQ(missing(*net), missing(*faulty_torus(spec)));
  EXPECT_NE(missing(*net), missing(*faulty_torus(other)));
}

TEST(FaultyTopology, FailsNodesWithTheirRouterOrTheirLink) {
  const auto torus = faulty_torus({.routers = {5}});
  EXPECT_FALSE(torus->works(NodeId{5}));
  EXPECT_EQ(torus->failed_links(), 4U);
  const auto tree = std::make_unique<FaultyTopology>(make_topology({"tree", {{"arity", i64{2}}, {"levels", i64{2}}}}),
                                                     FaultSpec{.links = {0, 2}});
  EXPECT_FALSE(tree->works(NodeId{0}));
  EXPECT_TRUE(tree->works(NodeId{1}));
  EXPECT_EQ(tree->failed_links(), 0U);
}

TEST(FaultyTopology, KnowsWhetherTheRestHangsTogether) {
  EXPECT_TRUE(faulty_torus({.links = {0, 0}})->connectivity().connected());
  const Connectivity cut = faulty_torus({.links = {0, 0, 0, 1, 0, 2, 0, 3}})->connectivity();
  EXPECT_FALSE(cut.connected());
  EXPECT_EQ(cut.groups, 2U);
  EXPECT_EQ(cut.largest_nodes, 15U);
  EXPECT_TRUE(faulty_torus({.routers = {0}})->connectivity().connected());
}

TEST(FaultyTopology, KnowsThatARingOfOneWayLinksIsBrokenByOne) {
  const auto ring = [](const FaultSpec& spec) {
    Parameters keys{{"dims", std::vector<i64>{4}}};
    keys.set("unidirectional", true);
    return FaultyTopology(make_topology({"torus", keys}), spec);
  };
  EXPECT_TRUE(ring({.nodes = {1}}).connectivity().connected());  // its router still forwards
  const Connectivity left = ring({.links = {0, 0}}).connectivity();
  EXPECT_EQ(left.groups, 4U);
  EXPECT_EQ(left.largest_nodes, 1U);
  EXPECT_TRUE(faulty_torus({.links = {0, 0}})->connectivity().connected());
}

TEST(FaultyTopology, RefusesWhatIsNotThere) {
  EXPECT_THROW(faulty_torus({.links = {0}}), ConfigError);
  EXPECT_THROW(faulty_torus({.links = {16, 0}}), ConfigError);
  EXPECT_THROW(faulty_torus({.links = {0, 4}}), ConfigError);
  EXPECT_THROW(faulty_torus({.nodes = {16}}), ConfigError);
  EXPECT_THROW(faulty_torus({.random_links = 33}), ConfigError);
  EXPECT_NO_THROW(faulty_torus({.random_links = 32, .random_nodes = 16}));
}

}  // namespace
}  // namespace weft::models
