// Every registered topology kind and a list of awkward shapes against brute force: wiring, node maps, closed forms.
#include "models/topology/topology.hpp"

#include <algorithm>
#include <cctype>
#include <deque>
#include <gtest/gtest.h>

#include "models/topology/tree_math.hpp"

namespace weft::models {
namespace {

/// Has a small value for every key, so that a newly registered kind that uses these keys is tested with no new line.
TopologySpec sample_of(const std::string& kind) {
  TopologySpec spec;
  spec.kind = kind;
  spec.dims = {4, 3, 2};
  spec.arity = 2;
  spec.levels = 3;
  spec.down = 4;
  spec.up = 2;
  spec.m = {3, 2, 4};
  spec.w = {1, 2, 3};
  spec.nodes = 9;
  return spec;
}

TopologySpec cube(const std::string& kind, std::vector<i64> dims) {
  TopologySpec spec;
  spec.kind = kind;
  spec.dims = std::move(dims);
  return spec;
}

TopologySpec thin(i64 down, i64 up, i64 levels) {
  TopologySpec spec;
  spec.kind = "thin-tree";
  spec.down = down;
  spec.up = up;
  spec.levels = levels;
  return spec;
}

TopologySpec xgft(std::vector<i64> m, std::vector<i64> w) {
  TopologySpec spec;
  spec.kind = "xgft";
  spec.m = std::move(m);
  spec.w = std::move(w);
  return spec;
}

std::vector<TopologySpec> shapes() {
  std::vector<TopologySpec> result;
  for (const std::string& kind : TopologyRegistry::instance().names()) result.push_back(sample_of(kind));
  for (const char* kind : {"mesh", "torus"}) {
    for (const auto& dims : std::vector<std::vector<i64>>{
             {2}, {3}, {8}, {2, 2}, {1, 5}, {5, 1, 4}, {8, 8}, {7, 5}, {3, 4, 5}, {2, 3, 2, 3, 2}, {16, 2}}) {
      result.push_back(cube(kind, dims));
    }
    result.push_back(cube(kind, {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1}));
  }
  for (const TopologySpec& spec :
       {thin(2, 1, 1), thin(8, 1, 2), thin(8, 8, 2), thin(4, 3, 3), thin(3, 1, 4), thin(2, 2, 6), thin(6, 4, 3),
        xgft({8, 8}, {1, 4}), xgft({5}, {1}), xgft({1, 4, 3}, {1, 2, 1}), xgft({4, 3, 1}, {1, 5, 2}),
        xgft({2, 1, 3, 2}, {1, 3, 1, 4})}) {
    result.push_back(spec);
  }
  return result;
}

std::vector<TopologySpec> trees() {
  std::vector<TopologySpec> result;
  for (const TopologySpec& spec : shapes()) {
    if (make_topology(spec)->tree() != nullptr) result.push_back(spec);
  }
  return result;
}

std::string test_name(const ::testing::TestParamInfo<TopologySpec>& test) {
  std::string name = std::to_string(test.index) + "_" + make_topology(test.param)->name();
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

class EveryTopology : public ::testing::TestWithParam<TopologySpec> {
 protected:
  void SetUp() override { net_ = make_topology(GetParam()); }

  /// Hops from `start` to every router over the links that peer() tells of.
  std::vector<u32> breadth_first(RouterId start) const {
    std::vector<u32> hops(net_->routers(), UINT32_MAX);
    std::deque<u32> queue = {start.value()};
    hops[start.value()] = 0;
    while (!queue.empty()) {
      const u32 at = queue.front();
      queue.pop_front();
      for (u32 port = 0; port < net_->ports(RouterId{at}); ++port) {
        const Peer peer = net_->peer(RouterId{at}, port);
        if (peer.kind != Peer::Kind::router || hops[peer.id] != UINT32_MAX) continue;
        hops[peer.id] = hops[at] + 1;
        queue.push_back(peer.id);
      }
    }
    return hops;
  }

  std::unique_ptr<Topology> net_;
};

class EveryTree : public EveryTopology {};

TEST_P(EveryTopology, LeadsBackFromEveryPortToTheOneBefore) {
  u64 link_ends = 0;
  for (u32 router = 0; router < net_->routers(); ++router) {
    for (u32 port = 0; port < net_->ports(RouterId{router}); ++port) {
      const Peer peer = net_->peer(RouterId{router}, port);
      if (peer.kind == Peer::Kind::node) {
        ASSERT_EQ(net_->router_of(NodeId{peer.id}), RouterId{router});
        ASSERT_EQ(net_->port_of(NodeId{peer.id}), port);
      }
      if (peer.kind != Peer::Kind::router) continue;
      ++link_ends;
      ASSERT_LT(peer.id, net_->routers());
      ASSERT_NE(peer.id, router);
      ASSERT_LT(peer.port, net_->ports(RouterId{peer.id}));
      const Peer back = net_->peer(RouterId{peer.id}, peer.port);
      ASSERT_EQ(back.kind, Peer::Kind::router);
      ASSERT_EQ(back.id, router);
      ASSERT_EQ(back.port, port);
    }
  }
  EXPECT_EQ(link_ends, 2 * net_->router_links());
}

TEST_P(EveryTopology, GivesEveryNodeItsPlace) {
  u32 node_ports = 0;
  for (u32 router = 0; router < net_->routers(); ++router) {
    for (u32 port = 0; port < net_->ports(RouterId{router}); ++port) {
      node_ports += net_->peer(RouterId{router}, port).kind == Peer::Kind::node ? 1 : 0;
    }
  }
  EXPECT_EQ(node_ports, net_->direct() ? 0 : net_->nodes());
  std::vector<bool> taken(net_->routers(), false);
  for (u32 node = 0; node < net_->nodes(); ++node) {
    const RouterId router = net_->router_of(NodeId{node});
    ASSERT_LT(router.value(), net_->routers());
    if (net_->direct()) {
      EXPECT_FALSE(taken[router.value()]) << "two nodes in router " << router.value();
      taken[router.value()] = true;
    } else {
      const Peer peer = net_->peer(router, net_->port_of(NodeId{node}));
      ASSERT_EQ(peer.kind, Peer::Kind::node);
      ASSERT_EQ(peer.id, node);
    }
  }
}

TEST_P(EveryTopology, KnowsItsDistancesDiameterAndMean) {
  const u32 node_links = net_->direct() ? 0 : 2;
  u32 diameter = 0;
  u64 sum = 0;
  for (u32 from = 0; from < net_->nodes(); ++from) {
    const std::vector<u32> hops = breadth_first(net_->router_of(NodeId{from}));
    for (u32 to = 0; to < net_->nodes(); ++to) {
      const u32 routers_apart = hops[net_->router_of(NodeId{to}).value()];
      const u32 expected = from == to ? 0 : routers_apart + node_links;
      ASSERT_EQ(net_->distance(NodeId{from}, NodeId{to}), expected) << from << " to " << to;
      diameter = std::max(diameter, expected);
      sum += expected;
    }
  }
  const double pairs = static_cast<double>(net_->nodes()) * (net_->nodes() - 1);
  EXPECT_EQ(net_->diameter(), diameter);
  EXPECT_NEAR(net_->mean_distance(), static_cast<double>(sum) / pairs, 1e-12 * diameter);
}

TEST_P(EveryTopology, HasALoadBoundBetweenZeroAndOneThatItsLinksCanCarry) {
  const double bound = net_->uniform_load_bound();
  EXPECT_GT(bound, 0.0);
  EXPECT_LE(bound, 1.0);
  const double router_hops = net_->mean_distance() - (net_->direct() ? 0 : 2);
  EXPECT_LE(bound * net_->nodes() * router_hops, 2.0 * static_cast<double>(net_->router_links()) + 1e-9);
}

TEST_P(EveryTree, IsRoutedDownByDigitsFromEveryAncestor) {
  const TreeMath math(*net_->tree());
  ASSERT_EQ(math.nodes(), net_->nodes());
  ASSERT_EQ(math.switches(), net_->routers());
  for (u32 router = 0; router < net_->routers(); ++router) {
    const TreeMath::Place at = math.place(RouterId{router});
    ASSERT_EQ(math.id(at), RouterId{router});
    for (u32 node = 0; node < net_->nodes(); ++node) {
      if (!math.is_ancestor(at, NodeId{node})) continue;
      RouterId here{router};
      for (u32 level = at.level; level > 0; --level) {
        const Peer peer = net_->peer(here, math.down_port(level, NodeId{node}));
        ASSERT_EQ(peer.kind, Peer::Kind::router);
        here = RouterId{peer.id};
        ASSERT_TRUE(math.is_ancestor(math.place(here), NodeId{node}));
        ASSERT_EQ(math.place(here).level, level - 1);
      }
      const Peer last = net_->peer(here, math.down_port(0, NodeId{node}));
      ASSERT_EQ(last.kind, Peer::Kind::node);
      ASSERT_EQ(last.id, node);
    }
  }
}

TEST_P(EveryTree, ReachesAnAncestorOfTheDestinationByAnyUpPorts) {
  const TreeMath math(*net_->tree());
  for (u32 from = 0; from < net_->nodes(); ++from) {
    for (u32 to = 0; to < net_->nodes(); ++to) {
      RouterId here = net_->router_of(NodeId{from});
      u32 links = 2;
      for (u32 level = 0; !math.is_ancestor(math.place(here), NodeId{to}); ++level) {
        const Peer peer = net_->peer(here, (from * 7 + to) % math.up_ports(level));
        ASSERT_EQ(math.place(RouterId{peer.id}).level, level + 1);
        here = RouterId{peer.id};
        links += 2;
      }
      if (from != to) {
        ASSERT_EQ(links, net_->distance(NodeId{from}, NodeId{to}));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryTopology, ::testing::ValuesIn(shapes()), test_name);
INSTANTIATE_TEST_SUITE_P(Shapes, EveryTree, ::testing::ValuesIn(trees()), test_name);

TEST(TopologyRegistration, HoldsAllKindsWithHelp) {
  for (const char* kind : {"crossbar", "mesh", "torus", "tree", "thin-tree", "xgft"}) {
    const TopologyKind* entry = TopologyRegistry::instance().find(kind);
    ASSERT_NE(entry, nullptr) << kind;
    EXPECT_FALSE(entry->help.empty());
  }
}

}  // namespace
}  // namespace weft::models
