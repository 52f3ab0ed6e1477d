// Planes: copies of a network that know their own wiring, and no way to each other.
#include "models/topology/planes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <queue>

#include "engine/base/error.hpp"
#include "tests/models/topology/cubes.hpp"
#include "tests/models/topology/trees.hpp"

namespace weft::models::testing {
namespace {

/// Routers that some router reaches over links.
u32 reached_routers(const Topology& topology, u32 from) {
  std::vector<bool> seen(topology.routers(), false);
  std::queue<u32> next;
  next.push(from);
  seen[from] = true;
  u32 count = 1;
  for (; !next.empty(); next.pop()) {
    const RouterId router(next.front());
    for (u32 port = 0; port < topology.ports(router); ++port) {
      const Peer peer = topology.peer(router, port);
      if (peer.kind != Peer::Kind::router || seen[peer.id]) continue;
      seen[peer.id] = true;
      ++count;
      next.push(peer.id);
    }
  }
  return count;
}

TEST(Planes, AreCopiesWithoutLinksBetweenThem) {
  for (const bool tree : {false, true}) {
    const auto make = [tree]() -> std::unique_ptr<Topology> {
      return tree ? make_tree(4, 4, 2) : make_cube("torus", {4, 3});
    };
    const auto one = make();
    const auto all = with_planes(make(), 3);
    ASSERT_EQ(all->planes(), 3U);
    EXPECT_EQ(all->nodes(), 3 * one->nodes());
    EXPECT_EQ(all->routers(), 3 * one->routers());
    EXPECT_EQ(all->router_links(), 3 * one->router_links());
    for (u32 r = 0; r < all->routers(); ++r) {
      EXPECT_EQ(reached_routers(*all, r), one->routers());
      const u32 plane = r / one->routers(), there = r % one->routers();
      ASSERT_EQ(all->ports(RouterId(r)), one->ports(RouterId(there)));
      for (u32 port = 0; port < all->ports(RouterId(r)); ++port) {
        const Peer peer = all->peer(RouterId(r), port), expected = one->peer(RouterId(there), port);
        EXPECT_EQ(peer.kind, expected.kind);
        EXPECT_EQ(peer.port, expected.port);
        if (peer.kind == Peer::Kind::router) {
          EXPECT_EQ(peer.id, expected.id + plane * one->routers());
          EXPECT_EQ(all->peer(RouterId(peer.id), peer.port).id, r);  // seen from there it leads back
        }
        if (peer.kind == Peer::Kind::node) {
          EXPECT_EQ(peer.id, expected.id + plane * one->nodes());
          EXPECT_EQ(all->router_of(NodeId(peer.id)), RouterId(r));
          EXPECT_EQ(all->port_of(NodeId(peer.id)), port);
        }
      }
    }
    EXPECT_EQ(all->distance(NodeId(one->nodes()), NodeId(one->nodes() + 5)), one->distance(NodeId(0), NodeId(5)));
  }
}

TEST(Planes, HaveCorrespondingRoutersInOnePart) {
  const auto all = with_planes(make_tree(4, 4, 2), 2);
  const RegularPartition partition = all->regular_partition(4);
  ASSERT_TRUE(partition.part_of);
  for (u32 r = 0; r < all->plane().routers(); ++r)
    EXPECT_EQ(partition.part_of(r), partition.part_of(r + all->plane().routers()));
}

TEST(Planes, OneIsTheNetworkItself) {
  auto torus = make_cube("torus", {4, 4});
  const Topology* const before = torus.get();
  const auto same = with_planes(std::move(torus), 1);
  EXPECT_EQ(same.get(), before);
  EXPECT_EQ(&same->plane(), before);
}

TEST(Planes, AreNoMoreThanThereAreNumbersFor) {
  try {
    static_cast<void>(with_planes(make_cube("torus", {1 << 14, 1 << 14}), 64));
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("topology.planes = 64"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("use 8 or fewer"));
  }
}

}  // namespace
}  // namespace weft::models::testing
