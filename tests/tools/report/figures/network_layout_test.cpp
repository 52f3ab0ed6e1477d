// Every kind of network is drawn, each router at a place of its own and both halves of a link alike.
#include "tools/report/figures/network_layout.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "models/topology/faulty.hpp"
#include "models/topology/planes.hpp"

namespace weft::tools {
namespace {

using models::make_topology;
using models::Peer;
using models::Topology;
using models::TopologyRegistry;
using Rule = NetworkLayout::Rule;

void expect_drawn(const Topology& topology) {
  const NetworkLayout layout = layout_of(topology);
  ASSERT_EQ(layout.x.size(), topology.routers());
  std::set<std::pair<float, float>> places;
  for (u32 r = 0; r < topology.routers(); ++r) {
    ASSERT_TRUE(std::isfinite(layout.x[r]) && std::isfinite(layout.y[r]));
    EXPECT_TRUE(places.emplace(layout.x[r], layout.y[r]).second) << topology.name() << ": router " << r;
  }
  const std::vector<u8> bends = bends_of(topology, layout);
  std::vector<u64> first;
  u64 links = 0;
  for (u32 r = 0; r < topology.routers(); ++r) {
    first.push_back(links);
    links += topology.ports(RouterId(r));
  }
  ASSERT_EQ(bends.size(), links);
  for (u32 r = 0; r < topology.routers(); ++r) {
    for (u32 port = 0; port < topology.ports(RouterId(r)); ++port) {
      const Peer peer = topology.peer(RouterId(r), port);
      const u8 bend = bends[first[r] + port];
      if (peer.kind == Peer::Kind::none || !topology.carries(RouterId(r), port)) {
        EXPECT_EQ(bend, Bend::silent);
      } else if (peer.kind == Peer::Kind::node) {
        EXPECT_GE(bend, Bend::first_stub);
      } else if (bend < Bend::first_stub && topology.carries(RouterId(peer.id), peer.port)) {
        EXPECT_EQ(bend, bends[first[peer.id] + peer.port]) << topology.name() << ": router " << r << " port " << port;
      }
    }
  }
}

TEST(NetworkLayout, GivesEveryRouterOfEveryKindAPlaceOfItsOwn) {
  for (const std::string& kind : TopologyRegistry::instance().names()) {
    if (kind == "file") continue;  // its example is a file
    SCOPED_TRACE(kind);
    const Parameters& example = TopologyRegistry::instance().find(kind)->example;
    expect_drawn(*make_topology({kind, example}));
    expect_drawn(*models::with_planes(make_topology({kind, example}), 3));
    const auto whole = make_topology({kind, example});
    if (whole->router_links() < 3) continue;
    models::FaultSpec faults;
    faults.random_links = 2;
    expect_drawn(*models::with_faults(make_topology({kind, example}), faults));
  }
}

TEST(NetworkLayout, PutsNeighboursInAPlaneOfATorusSideBySideAndTheOthersOnStubs) {
  const auto torus = make_topology({"torus", {{"dims", std::vector<i64>{5, 4, 3, 2}}}});
  const NetworkLayout layout = layout_of(*torus);
  EXPECT_EQ(layout.rule, Rule::planes);
  EXPECT_EQ(layout.frames.size(), 6U);
  EXPECT_EQ(layout.frames[1].label, "dimensions 2, 3 = 1, 0");
  const std::vector<u8> bends = bends_of(*torus, layout);
  u32 straight = 0;
  for (u32 r = 0; r < torus->routers(); ++r) {
    std::set<u8> stubs;
    u32 drawn_as_stubs = 0;
    for (u32 port = 0; port < 8; ++port) {
      const u32 far = torus->peer(RouterId(r), port).id;
      const u8 bend = bends[r * 8 + port];
      if (bend == Bend::straight) {
        ++straight;
        EXPECT_NEAR(std::hypot(layout.x[far] - layout.x[r], layout.y[far] - layout.y[r]), 1, 1e-5);
      } else {
        ++drawn_as_stubs;
        EXPECT_TRUE(stubs.insert(bend).second) << "two links of router " << r << " look alike";
      }
    }
    EXPECT_GE(drawn_as_stubs, 4U);
  }
  // Each of 6 planes has both directions of 4 * 4 links along dimension 0 and 5 * 3 along dimension 1.
  EXPECT_EQ(straight, 6U * 2U * (4U * 4U + 5U * 3U));
}

TEST(NetworkLayout, PutsTheLevelsOfATreeAboveEachOther) {
  const auto tree = make_topology({"thin-tree", {{"down", i64{4}}, {"up", i64{3}}, {"levels", i64{3}}}});
  const NetworkLayout layout = layout_of(*tree);
  EXPECT_EQ(layout.rule, Rule::levels);
  EXPECT_EQ(layout.frames.size(), 3U);
  EXPECT_EQ(layout.frames[0].label, "level 0: 16 routers");
  for (u32 r = 0; r < tree->routers(); ++r) {
    EXPECT_EQ(layout.part[r], tree->kind(RouterId(r)));
    for (u32 port = 0; port < tree->ports(RouterId(r)); ++port) {
      const Peer peer = tree->peer(RouterId(r), port);
      if (peer.kind != Peer::Kind::router) continue;
      const bool up = tree->kind(RouterId(peer.id)) > tree->kind(RouterId(r));
      EXPECT_EQ(layout.y[peer.id] < layout.y[r], up);
    }
  }
}

TEST(NetworkLayout, PutsTheGroupsOfDragonfliesOnACircle) {
  for (const char* kind : {"dragonfly", "dragonfly-plus"}) {
    const auto topology = make_topology({kind, TopologyRegistry::instance().find(kind)->example});
    const NetworkLayout layout = layout_of(*topology);
    EXPECT_EQ(layout.rule, Rule::groups) << kind;
    EXPECT_EQ(layout.frames.size(), topology->nodes() / topology->group_nodes());
    for (u32 r = 0; r < topology->routers(); ++r) {
      const LayoutFrame& frame = layout.frames[layout.part[r]];
      const double away = std::hypot(layout.x[r] - frame.x - frame.width / 2, layout.y[r] - frame.y - frame.height / 2);
      EXPECT_LE(away, frame.width / 2) << kind << ": router " << r << " is outside its group";
    }
    for (u32 n = 0; n < topology->nodes(); ++n)
      EXPECT_EQ(layout.part[topology->router_of(NodeId(n)).value()], n / topology->group_nodes());
  }
}

TEST(NetworkLayout, KnowsThePlanesOfAHyperX) {
  const auto hyperx = make_topology({"hyperx", TopologyRegistry::instance().find("hyperx")->example});
  const NetworkLayout layout = layout_of(*hyperx);
  EXPECT_EQ(layout.rule, Rule::planes);
  EXPECT_TRUE(layout.complete);
}

}  // namespace
}  // namespace weft::tools
