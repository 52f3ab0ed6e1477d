// Trees: published structure of thin trees (Navaridas et al., Parallel Computing 2010), numbering, load bounds, names.
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "models/topology/kind/fat_tree.hpp"
#include "models/topology/tree_math.hpp"
#include "tests/models/topology/shapes.hpp"
#include "tests/models/topology/trees.hpp"

namespace weft::models {
namespace {

using testing::make_tree;
using testing::sample_of;

std::unique_ptr<Topology> full(i64 arity, i64 levels) {
  return make_topology({"tree", {{"arity", arity}, {"levels", levels}}});
}

std::string fact(const Topology& net, const std::string& label) {
  for (const auto& [name, value] : net.facts()) {
    if (name == label) return value;
  }
  return "no such fact: " + label;
}

TopologySpec thin(i64 down, i64 up, i64 levels) {
  return {"thin-tree", {{"down", down}, {"up", up}, {"levels", levels}}};
}
TopologySpec xgft_of(std::vector<i64> m, std::vector<i64> w) {
  return {"xgft", {{"m", std::move(m)}, {"w", std::move(w)}}};
}

std::unique_ptr<Topology> xgft(std::vector<i64> m, std::vector<i64> w) {
  return make_topology(xgft_of(std::move(m), std::move(w)));
}

std::vector<TopologySpec> awkward() {
  return {thin(2, 1, 1),
          thin(8, 1, 2),
          thin(8, 8, 2),
          thin(4, 3, 3),
          thin(3, 1, 4),
          thin(2, 2, 6),
          thin(6, 4, 3),
          xgft_of({8, 8}, {1, 4}),
          xgft_of({5}, {1}),
          xgft_of({1, 4, 3}, {1, 2, 1}),
          xgft_of({4, 3, 1}, {1, 5, 2}),
          xgft_of({2, 1, 3, 2}, {1, 3, 1, 4})};
}

[[maybe_unused]] const bool tree_shapes_added = testing::test_shapes(awkward());

/// The awkward shapes, and the example of each registered kind that is a tree with one link to each parent.
std::vector<TopologySpec> trees() {
  std::vector<TopologySpec> shapes = awkward();
  for (const std::string& kind : TopologyRegistry::instance().names()) {
    if (TopologyRegistry::instance().find(kind)->family != "tree") continue;
    if (dynamic_cast<const FatTree*>(make_topology(sample_of(kind)).get()) != nullptr)
      shapes.push_back(sample_of(kind));
  }
  return shapes;
}

/// Where up port `port` of switch `at` of a level of a k:k',n-tree leads: the switch of the level above and its down
/// port, by the formulas of sections 3.2 and 3.3 (Navaridas et al., Parallel Computing 2010), with k'^level where 3.3
/// as printed has powers of k and of floor(k / k').
struct Above {
  u64 at, port;
};
u64 power(u64 base, u64 exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }
Above wired(u64 k, u64 up, u64 level, u64 at, u64 port) {
  const u64 copies = power(up, level);
  return {port * copies + at % copies + at / (k * copies) * up * copies, at / copies % k};
}
/// Section 3.2, of k-ary n-trees.
Above wired_in_full_tree(u64 k, u64 level, u64 at, u64 port) {
  const u64 low = power(k, level);
  return {port * low + at / (low * k) * low * k + at % low, at / low % k};
}
/// Section 3.3 as printed.
u64 wired_as_printed(u64 k, u64 up, u64 level, u64 at, u64 port) {
  const u64 slim = power(k / up, level);
  return port * power(k, level) + at % power(k, level) + at / (k * slim) * up * slim;
}

TEST(Tree, IsWiredByThePublishedFormulas) {
  const std::vector<std::array<u64, 3>> shapes{{4, 2, 3}, {4, 4, 3},  {8, 6, 3}, {7, 5, 3},
                                               {2, 2, 5}, {11, 1, 2}, {3, 2, 4}};
  for (const auto& [k, up, levels] : shapes) {
    const auto net = make_tree(static_cast<i64>(k), static_cast<i64>(up), static_cast<i64>(levels));
    u64 first = 0, links = 0;
    for (u64 level = 0; level + 1 < levels; ++level) {
      const u64 here = power(k, levels - 1 - level) * power(up, level);
      std::set<std::pair<u64, u64>> taken;
      for (u64 at = 0; at < here; ++at) {
        for (u64 port = 0; port < up; ++port) {
          const Above above = wired(k, up, level, at, port);
          if (k == up) {
            const Above full = wired_in_full_tree(k, level, at, port);
            ASSERT_EQ(above.at, full.at);
            ASSERT_EQ(above.port, full.port);
          }
          ASSERT_TRUE(taken.emplace(above.at, above.port).second) << "two links at one port";
          const Peer peer = net->peer(RouterId{static_cast<u32>(first + at)}, static_cast<u32>(port));
          ASSERT_EQ(peer.kind, Peer::Kind::router);
          ASSERT_EQ(peer.id, first + here + above.at) << k << ":" << up << "," << levels << " level " << level;
          const u64 ups_there = level + 2 < levels ? up : 0;
          ASSERT_EQ(peer.port, ups_there + above.port);
          ++links;
        }
      }
      first += here;
    }
    EXPECT_EQ(net->router_links(), links);
    EXPECT_EQ(net->routers(), first + power(up, levels - 1));
    EXPECT_EQ(links + net->nodes(), (first + power(up, levels - 1)) * k) << "L = S k";
  }
}

TEST(Tree, FormulasOfThinTreesAsPrintedLeadBeyondTheTop) {
  u64 farthest = 0;
  for (u64 at = 0; at < 8; ++at) {  // level 1 of the 4:2,3-tree; above it there are 4 switches
    for (u64 port = 0; port < 2; ++port) farthest = std::max(farthest, wired_as_printed(4, 2, 1, at, port));
  }
  EXPECT_GE(farthest, 4U);
}

TEST(Tree, HasTheChannelsOfTheBisectionOfThePaper) {
  // Table 1: B_C = k^n / 2 and k'^(n-1) k / 2; by (3), the ideal throughput is 2 B_C / N.
  for (const auto& [k, up, levels, channels] : std::vector<std::array<i64, 4>>{
           {8, 8, 3, 256}, {8, 4, 3, 64}, {8, 2, 4, 32}, {6, 6, 4, 648}, {11, 1, 2, 5}, {9, 3, 3, 40}}) {
    const auto net = make_tree(k, up, levels);
    const double expected = std::pow(up, levels - 1) * static_cast<double>(k) / 2;
    EXPECT_EQ(static_cast<i64>(expected), channels);
    const double found = std::stod(fact(*net, "channels in the bisection, B_C"));
    EXPECT_DOUBLE_EQ(found, expected);
    EXPECT_DOUBLE_EQ(std::stod(fact(*net, "bisection bandwidth, B_B, in link bandwidths")), expected);
    EXPECT_NEAR(2 * found / net->nodes(), std::stod(fact(*net, "ideal uniform throughput, phits/node/cycle")), 1e-9);
  }
}

TEST(Tree, CountsTopSwitchesAsVirtualOnesOfWholeOnes) {
  const auto full = make_tree(8, 8, 3);  // 64 tops of 8 ports in 32 switches of 16
  EXPECT_EQ(fact(*full, "top switches that one of the radix can hold as virtual ones"), "2");
  EXPECT_EQ(fact(*full, "switches then, S'"), "160");
  EXPECT_EQ(fact(*full, "cost by ports then, S'*R"), "2560");
  const auto thin_one = make_tree(8, 4, 3);  // 12 ports hold one top of 8
  EXPECT_EQ(fact(*thin_one, "switches then, S'"), "112");
  const auto odd = make_tree(3, 3, 2);  // 3 tops in 2 switches
  EXPECT_EQ(fact(*odd, "switches then, S'"), "5");
}

class EveryTree : public ::testing::TestWithParam<TopologySpec> {
 protected:
  void SetUp() override { net_ = make_topology(GetParam()); }
  std::unique_ptr<Topology> net_;
};

TEST_P(EveryTree, IsRoutedDownByDigitsFromEveryAncestor) {
  const TreeMath math(tree_geometry(*net_));
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
  const TreeMath math(tree_geometry(*net_));
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

INSTANTIATE_TEST_SUITE_P(Shapes, EveryTree, ::testing::ValuesIn(trees()));

TEST(ThinTree, HasThePublishedNumbersOfNodesSwitchesPortsAndLinks) {
  struct Row {
    i64 down, up, levels;
    u32 nodes, switches, radix, links;
  };
  for (const Row& row : std::vector<Row>{{8, 1, 2, 64, 9, 9, 72},
                                         {8, 8, 2, 64, 16, 16, 128},
                                         {8, 4, 3, 512, 112, 12, 896},
                                         {8, 8, 3, 512, 192, 16, 1536},
                                         {8, 2, 4, 4096, 680, 10, 5440},
                                         {8, 8, 4, 4096, 2048, 16, 16384},
                                         {11, 1, 4, 14641, 1464, 12, 16104}}) {
    const auto net = make_tree(row.down, row.up, row.levels);
    EXPECT_EQ(net->nodes(), row.nodes) << net->name();
    EXPECT_EQ(net->routers(), row.switches) << net->name();
    EXPECT_EQ(fact(*net, "switches"), std::to_string(row.switches));
    EXPECT_EQ(fact(*net, "switch radix"), std::to_string(row.radix));
    EXPECT_EQ(fact(*net, "links, node links included"), std::to_string(row.links));
  }
}

TEST(ThinTree, CountsTheBottomSwitchesThatOneQuotedRowLeavesOut) {
  // The table of this network's paper is quoted with S = 4440 and L = 31080 for 7:5,5: without the 7^4 bottom switches
  // that its formula, the sum of k'^(n-1-i) * k^i, and all its other rows count.
  const auto net = make_tree(7, 5, 5);
  EXPECT_EQ(net->nodes(), 16807U);
  EXPECT_EQ(fact(*net, "switches per level, bottom first"), "2401 1715 1225 875 625");
  EXPECT_EQ(net->routers(), 4440U + 2401U);
  EXPECT_EQ(fact(*net, "switch radix"), "12");
  EXPECT_EQ(fact(*net, "links, node links included"), std::to_string(31080 + 7 * 2401));
}

TEST(ThinTree, CountsItsSwitchesPerLevel) {
  EXPECT_EQ(fact(*make_tree(8, 4, 3), "switches per level, bottom first"), "64 32 16");
  EXPECT_EQ(fact(*make_tree(8, 2, 4), "switches per level, bottom first"), "512 128 32 8");
}

TEST(ThinTree, HasTheIdealThroughputOfItsSlimming) {
  for (i64 up = 1; up <= 8; ++up) {
    const auto net = make_tree(8, up, 4);
    const double ideal = std::pow(static_cast<double>(up) / 8, 3);
    EXPECT_NEAR(std::stod(fact(*net, "ideal uniform throughput, phits/node/cycle")), ideal, 1e-9);
    // 4096 - 512 of the 4095 destinations of a node lie beyond a link of the top level.
    EXPECT_NEAR(net->uniform_load_bound(), std::min(1.0, ideal * 4095 / (4096 - 512)), 1e-12);
  }
}

TEST(ThinTree, HasThePublishedCostEfficiency) {
  // Table 6: efficiency = (phi / cost) / (phi / cost of the full tree), with the phi of table 4.
  const auto slim = make_tree(8, 4, 4), whole = make_tree(8, 8, 4);
  const auto efficiency = [&](const std::string& label) {
    return 0.7243 * std::stod(fact(*whole, label)) / std::stod(fact(*slim, label));
  };
  EXPECT_NEAR(efficiency("cost by switches, S"), 1.5452, 1e-4);
  EXPECT_NEAR(efficiency("cost by ports, S*R"), 2.0602, 1e-4);
  EXPECT_NEAR(efficiency("cost by crosspoints, S*R^2"), 2.7470, 1e-4);
}

TEST(ThinTree, IsTheXgftOfTheSameShape) {
  const auto a = make_tree(3, 2, 3), b = xgft({3, 3, 3}, {1, 2, 2});
  ASSERT_EQ(a->routers(), b->routers());
  for (u32 router = 0; router < a->routers(); ++router) {
    ASSERT_EQ(a->ports(RouterId{router}), b->ports(RouterId{router}));
    for (u32 port = 0; port < a->ports(RouterId{router}); ++port) {
      const Peer x = a->peer(RouterId{router}, port), y = b->peer(RouterId{router}, port);
      EXPECT_TRUE(x.kind == y.kind && x.id == y.id && x.port == y.port);
    }
  }
}

TEST(Tree, NumbersItsSwitchesFromTheBottomAndItsPortsFromTheUpPorts) {
  const auto net = full(2, 3);  // switches 0-3 at the bottom, 4-7, 8-11 on top
  EXPECT_EQ(net->routers(), 12U);
  EXPECT_EQ(net->ports(RouterId{0}), 4U);
  EXPECT_EQ(net->ports(RouterId{8}), 2U);
  EXPECT_EQ(net->peer(RouterId{3}, 0).id, 6U);  // bottom subtree 3 -> middle (1, 0) by port 0, (1, 1) by port 1
  EXPECT_EQ(net->peer(RouterId{3}, 1).id, 7U);
  EXPECT_EQ(net->peer(RouterId{3}, 1).port, 3U);
  EXPECT_EQ(net->peer(RouterId{7}, 1).id, 11U);  // middle (1, 1) by port 1 -> top (0, 1 * 2 + 1)
  EXPECT_EQ(net->router_of(NodeId{5}), RouterId{2});
  EXPECT_EQ(net->port_of(NodeId{5}), 3U);
}

TEST(Tree, HasTheMeanDistanceOfAllPairs) {
  EXPECT_DOUBLE_EQ(full(8, 3)->mean_distance(), (7 * 2 + 56 * 4 + 448 * 6) / 511.0);
  EXPECT_EQ(full(8, 3)->diameter(), 6U);
  EXPECT_DOUBLE_EQ(full(8, 3)->uniform_load_bound(), 1.0);
}

TEST(Tree, IsNamedAsInPapers) {
  EXPECT_EQ(full(8, 3)->name(), "8-ary 3-tree");
  EXPECT_EQ(make_tree(8, 4, 3)->name(), "8:4,3-tree");
  EXPECT_EQ(xgft({8, 8}, {1, 4})->name(), "XGFT(2;8,8;1,4)");
}

TEST(Tree, WorksAtTheLargestSize) {
  const auto net = make_tree(2, 1, 31);
  EXPECT_EQ(net->nodes(), 1U << 31);
  EXPECT_EQ(net->routers(), (1U << 31) - 1);
  EXPECT_EQ(net->diameter(), 62U);
  EXPECT_EQ(net->router_links(), (u64{1} << 31) - 2);
  const auto wide = full(1290, 3);
  EXPECT_EQ(wide->nodes(), 2146689000U);
  EXPECT_EQ(wide->peer(RouterId{wide->routers() - 1}, 1289).port, 1289U);
}

TEST(Crossbar, JoinsAllNodesByOneSwitch) {
  const auto net = make_topology({"crossbar", {{"nodes", i64{64}}}});
  EXPECT_EQ(net->name(), "64-port crossbar");
  EXPECT_EQ(net->routers(), 1U);
  EXPECT_EQ(tree_geometry(*net).down, std::vector<u32>{64});
  EXPECT_EQ(tree_geometry(*net).up, std::vector<u32>{0});
}

}  // namespace
}  // namespace weft::models
