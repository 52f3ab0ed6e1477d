// Every registered kind of topology, and the awkward shapes that their own tests name, against brute force: wiring,
// node maps, routes, closed forms, partitions. A new kind is tested without a line here.
#include "models/topology/topology.hpp"

#include <algorithm>
#include <cctype>
#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "engine/base/error.hpp"
#include "models/topology/grid.hpp"
#include "tests/models/topology/parts.hpp"
#include "tests/models/topology/shapes.hpp"

namespace weft::models::testing {
namespace {

std::vector<TopologySpec> shapes() {
  std::vector<TopologySpec> result;
  for (const std::string& kind : TopologyRegistry::instance().names()) result.push_back(sample_of(kind));
  result.insert(result.end(), awkward_shapes().begin(), awkward_shapes().end());
  return result;
}

std::string test_name(const ::testing::TestParamInfo<TopologySpec>& test) {
  std::string name = fmt::format("{}_{}", test.index, make_topology(test.param)->name());
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

class EveryTopology : public ::testing::TestWithParam<TopologySpec> {
 protected:
  void SetUp() override { net_ = make_topology(GetParam()); }

  /// Hops from `start` to every router over the links that peer() tells of, the way that they carry packets.
  std::vector<u32> breadth_first(RouterId start) const {
    std::vector<u32> hops(net_->routers(), UINT32_MAX);
    std::deque<u32> queue = {start.value()};
    hops[start.value()] = 0;
    while (!queue.empty()) {
      const u32 at = queue.front();
      queue.pop_front();
      for_links(at, [&](u32 port, const Peer& peer) {
        if (hops[peer.id] != UINT32_MAX || !net_->carries(RouterId{at}, port)) return;
        hops[peer.id] = hops[at] + 1;
        queue.push_back(peer.id);
      });
    }
    return hops;
  }
  /// Calls f(port, peer) for the ports of a router that lead to routers.
  template <class F>
  void for_links(u32 router, F&& f) const {
    for (u32 port = 0; port < net_->ports(RouterId{router}); ++port) {
      const Peer peer = net_->peer(RouterId{router}, port);
      if (peer.kind == Peer::Kind::router) f(port, peer);
    }
  }
  const Lattice* lattice() const { return dynamic_cast<const Lattice*>(net_.get()); }
  bool grid() const { return dynamic_cast<const Grid*>(net_.get()) != nullptr; }

  std::unique_ptr<Topology> net_;
};

u32 length(const Lattice::Record& record) {
  u32 hops = 0;
  for (const i32 some : record) hops += static_cast<u32>(std::abs(some));
  return hops;
}

TEST_P(EveryTopology, LeadsBackFromEveryPortToTheOneBefore) {
  u64 link_ends = 0;
  for (u32 router = 0; router < net_->routers(); ++router) {
    for_links(router, [&](u32 port, const Peer& peer) {
      ++link_ends;
      ASSERT_LT(peer.id, net_->routers());
      ASSERT_NE(peer.id, router);
      ASSERT_LT(peer.port, net_->ports(RouterId{peer.id}));
      if (net_->opposite_ports()) {
        ASSERT_EQ(peer.port, port ^ 1U);
      }
      const Peer back = net_->peer(RouterId{peer.id}, peer.port);
      ASSERT_EQ(back.kind, Peer::Kind::router);
      ASSERT_EQ(back.id, router);
      ASSERT_EQ(back.port, port);
    });
  }
  EXPECT_EQ(link_ends, 2 * net_->router_links());
}

TEST_P(EveryTopology, HasLinksThatCarryPacketsBothWaysUnlessItSaysOtherwise) {
  u64 links = 0, carried_ways = 0;
  for (u32 router = 0; router < net_->routers(); ++router) {
    for_links(router, [&](u32 port, const Peer& peer) {
      const bool out = net_->carries(RouterId{router}, port), back = net_->carries(RouterId{peer.id}, peer.port);
      ASSERT_TRUE(out || back) << "port " << port << " of router " << router;
      ++links;
      carried_ways += out ? 1 : 0;
    });
  }
  EXPECT_EQ(carried_ways < links, net_->one_way());
}

TEST_P(EveryTopology, GivesEveryNodeItsPlace) {
  std::vector<u32> nodes_at(net_->routers(), 0);
  for (u32 node = 0; node < net_->nodes(); ++node) {
    const RouterId router = net_->router_of(NodeId{node});
    ASSERT_LT(router.value(), net_->routers());
    ++nodes_at[router.value()];
    if (net_->direct()) {
      ASSERT_EQ(router.value(), node);
    } else {
      const Peer peer = net_->peer(router, net_->port_of(NodeId{node}));
      ASSERT_EQ(peer.kind, Peer::Kind::node);
      ASSERT_EQ(peer.id, node);
    }
  }
  for (u32 router = 0; router < net_->routers(); ++router) {
    EXPECT_EQ(net_->nodes_at(RouterId{router}), nodes_at[router]) << "router " << router;
    u32 node_ports = 0;
    for (u32 port = 0; port < net_->ports(RouterId{router}); ++port) {
      const Peer peer = net_->peer(RouterId{router}, port);
      if (peer.kind != Peer::Kind::node) continue;
      ++node_ports;
      ASSERT_EQ(net_->router_of(NodeId{peer.id}), RouterId{router});
      ASSERT_EQ(net_->port_of(NodeId{peer.id}), port);
    }
    EXPECT_EQ(node_ports, net_->direct() ? 0 : nodes_at[router]) << "router " << router;
  }
  u64 on_grid = 1;
  for (const u32 size : net_->grid()) on_grid *= size;
  EXPECT_EQ(on_grid, net_->grid().empty() ? 1U : net_->nodes());
}

TEST_P(EveryTopology, SortsItsRoutersIntoKinds) {
  std::vector<u64> routers(net_->kinds(), 0);
  for (u32 router = 0; router < net_->routers(); ++router) {
    const u32 kind = net_->kind(RouterId{router});
    ASSERT_LT(kind, net_->kinds());
    ++routers[kind];
    ASSERT_EQ(net_->ports(RouterId{router}), net_->kind_ports(kind)) << "router " << router;
    for (u32 port = 0; port < net_->kind_ports(kind); ++port) {
      ASSERT_FALSE(net_->port_name(RouterId{router}, port).empty());
    }
  }
  for (u32 kind = 0; kind < net_->kinds(); ++kind) EXPECT_EQ(net_->kind_routers(kind), routers[kind]);
}

TEST_P(EveryTopology, NamesItsPortsApartAndThatOfTheNodeInsideButNoOthers) {
  for (u32 router = 0; router < net_->routers(); ++router) {
    const RouterId here{router};
    std::set<std::string> names;
    for (u32 port = 0; port < net_->ports(here); ++port) names.insert(net_->port_name(here, port));
    ASSERT_EQ(names.size(), net_->ports(here)) << "router " << router;
    const u32 behind = net_->ports(here) + (net_->direct() ? 1 : 0);
    if (net_->direct()) {
      ASSERT_EQ(net_->port_name(here, behind - 1), "node port");
    }
    ASSERT_THROW(static_cast<void>(net_->port_name(here, behind)), Bug);
  }
}

TEST_P(EveryTopology, HasLinksOfOneClassFromBothEnds) {
  const std::vector<std::string> classes = net_->link_classes();
  ASSERT_FALSE(classes.empty());
  EXPECT_EQ(std::set<std::string>(classes.begin(), classes.end()).size(), classes.size());
  ASSERT_LT(net_->node_link_class(), classes.size());
  EXPECT_EQ(classes.front(), "link");
  EXPECT_EQ(classes[net_->node_link_class()], "node");
  for (u32 router = 0; router < net_->routers(); ++router) {
    for (u32 port = 0; port < net_->ports(RouterId{router}); ++port) {
      const Peer peer = net_->peer(RouterId{router}, port);
      if (peer.kind == Peer::Kind::none) continue;
      const u32 link_class = net_->link_class(RouterId{router}, port);
      ASSERT_LT(link_class, classes.size());
      ASSERT_EQ(
          peer.kind == Peer::Kind::node ? net_->node_link_class() : net_->link_class(RouterId{peer.id}, peer.port),
          link_class);
    }
  }
}

TEST_P(EveryTopology, KnowsItsDistancesDiameterAndMean) {
  if (net_->joins_all()) return;  // there are no links to count: ideal_test.cpp
  const u32 node_links = net_->direct() ? 0 : 2;
  u32 diameter = 0;
  u64 sum = 0;
  for (u32 from = 0; from < net_->nodes(); ++from) {
    const std::vector<u32> hops = breadth_first(net_->router_of(NodeId{from}));
    for (u32 to = 0; to < net_->nodes(); ++to) {
      const u32 shortest = from == to ? 0 : hops[net_->router_of(NodeId{to}).value()] + node_links;
      const u32 distance = net_->distance(NodeId{from}, NodeId{to});
      // Routes by hops in each dimension may be longer than the links would allow, but not shorter than the distance;
      // not in meshes and tori.
      const u32 route = lattice() == nullptr ? shortest : length(lattice()->record(NodeId{from}, NodeId{to}, 0));
      ASSERT_GE(distance, shortest) << from << " to " << to;
      ASSERT_LE(distance, grid() ? shortest : route) << from << " to " << to;
      diameter = std::max(diameter, distance);
      sum += distance;
    }
  }
  const double pairs = static_cast<double>(net_->nodes()) * (net_->nodes() - 1);
  EXPECT_EQ(net_->diameter(), diameter);
  EXPECT_NEAR(net_->mean_distance(), static_cast<double>(sum) / pairs, 1e-12 * diameter);
}

TEST_P(EveryTopology, LeadsByTheHopsOfItsRecordsToTheDestination) {
  if (lattice() == nullptr) return;  // without records
  const u32 dimensions = lattice()->dimensions();
  ASSERT_LE(dimensions, Lattice::most_dimensions);
  for (u32 from = 0; from < net_->nodes(); ++from) {
    for (u32 to = 0; to < net_->nodes(); ++to) {
      for (const u64 bits : {u64{0}, ~u64{0}, u64{0x5555555555555555}, u64{0x0123456789abcdef}}) {
        const Lattice::Record record = lattice()->record(NodeId{from}, NodeId{to}, bits);
        ASSERT_GE(length(record), net_->distance(NodeId{from}, NodeId{to})) << from << " to " << to;
        u32 here = from;
        for (u32 d = 0; d < Lattice::most_dimensions; ++d) {
          ASSERT_TRUE(d < dimensions || record[d] == 0);
          ASSERT_LE(static_cast<u32>(std::abs(record[d])), lattice()->longest_record());
          for (i32 hop = 0; hop < std::abs(record[d]); ++hop) {
            const u32 port = 2 * d + (record[d] < 0 ? 1 : 0);
            const Peer peer = net_->peer(RouterId{here}, port);
            ASSERT_EQ(peer.kind, Peer::Kind::router) << from << " to " << to;
            ASSERT_TRUE(net_->carries(RouterId{here}, port)) << from << " to " << to;
            here = peer.id;
          }
        }
        ASSERT_EQ(here, to) << "from " << from << " with bits " << bits;
      }
    }
  }
}

TEST_P(EveryTopology, CrossesABorderByALinkFromBothEnds) {
  if (lattice() == nullptr) return;  // without borders
  for (u32 router = 0; router < net_->routers(); ++router) {
    for_links(router, [&](u32 port, const Peer& peer) {
      ASSERT_EQ(lattice()->crosses_border(RouterId{router}, port),
                lattice()->crosses_border(RouterId{peer.id}, peer.port))
          << "port " << port << " of router " << router;
    });
  }
}

TEST_P(EveryTopology, HasALoadBoundBetweenZeroAndOneThatItsLinksCanCarry) {
  const double bound = net_->uniform_load_bound();
  EXPECT_GT(bound, 0.0);
  EXPECT_LE(bound, 1.0);
  if (net_->joins_all()) return;
  const double router_hops = net_->mean_distance() - (net_->direct() ? 0 : 2);
  u64 carried_ways = 0;
  for (u32 router = 0; router < net_->routers(); ++router) {
    for_links(router, [&](u32 port, const Peer&) { carried_ways += net_->carries(RouterId{router}, port) ? 1 : 0; });
  }
  EXPECT_LE(bound * net_->nodes() * router_hops, static_cast<double>(carried_ways) + 1e-9);
}

TEST_P(EveryTopology, HasWorkInEveryRouter) {
  for (u32 router = 0; router < net_->routers(); ++router) EXPECT_GT(net_->work(RouterId{router}), 0U);
}

TEST_P(EveryTopology, IsSharedOutByItsOwnMethodIntoPartsWithRouters) {
  const std::string method = TopologyRegistry::instance().find(GetParam().kind)->partition;
  for (u32 parts = 1; parts <= std::min(net_->routers(), 5U); ++parts) {
    const RegularPartition regular = net_->regular_partition(parts);
    EXPECT_EQ(regular.method, method);
    EXPECT_FALSE(regular.part_of && method.empty());
    EXPECT_TRUE(regular.part_of || method.empty() || !regular.impossible_because.empty());
    if (!regular.part_of) continue;
    const std::vector<u32> part = table(*net_, regular.part_of);
    ASSERT_LT(*std::ranges::max_element(part), parts);
    const std::vector<u32> routers = sizes(part, parts);
    EXPECT_GE(*std::ranges::min_element(routers), 1U) << parts << " parts";
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryTopology, ::testing::ValuesIn(shapes()), test_name);

TEST(TopologyRegistration, SaysWhatEachKindIsAndDeclaresTheKeysOfItsExample) {
  ASSERT_FALSE(TopologyRegistry::instance().names().empty());
  for (const std::string& kind : TopologyRegistry::instance().names()) {
    SCOPED_TRACE(kind);
    const TopologyKind& entry = *TopologyRegistry::instance().find(kind);
    EXPECT_FALSE(entry.help.empty());
    EXPECT_FALSE(entry.family.empty());
    EXPECT_FALSE(entry.router.empty());
    for (const Setting& setting : entry.settings) {
      EXPECT_TRUE(setting.table() == "topology" || setting.table() == "link") << setting.key;
      EXPECT_FALSE(setting.help.empty()) << setting.key;
    }
    // The example gives values of declared keys only.
    EXPECT_EQ(make_topology({kind, entry.example})->name(), make_topology(sample_of(kind))->name());
    EXPECT_FALSE(make_topology(sample_of(kind))->name().empty());
  }
}

}  // namespace
}  // namespace weft::models::testing
