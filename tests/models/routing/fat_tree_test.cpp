// Routes of fat trees: which way they go up and down, and what they spare.
#include <gtest/gtest.h>
#include <map>

#include "engine/base/error.hpp"
#include "models/routing/router_kind.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

using Ints = std::vector<i64>;

class FatTreeRoutes {
 public:
  FatTreeRoutes(const TopologySpec& spec, const std::string& mode) : topology_(make_topology(spec)) {
    settings_.kind = "fat-tree";
    settings_.mode = mode;
    routing_ = router_kind("fat-tree").routing(*topology_, settings_);
  }
  [[nodiscard]] u32 nodes() const { return topology_->nodes(); }
  /// Links out of routers that a packet takes, as router * 2^16 + port; of several paths the one of `bits`.
  [[nodiscard]] std::vector<u64> links(u32 from, u32 to, u64 bits = 1) const {
    RouteState state;
    routing_->begin(state, NodeId(from), NodeId(to), bits);
    std::vector<u64> taken;
    u32 at = topology_->router_of(NodeId(from)).value(), port = topology_->port_of(NodeId(from));
    while (true) {
      const QueuePlace place{at, port, 0};
      std::vector<u64> words(8);
      Candidates candidates{OutputSet(words.data(), 8)};
      EXPECT_EQ(routing_->route(place, {NodeId(from), NodeId(to), state}, candidates), Verdict::waits);
      std::vector<u32> ways;
      for (u32 w = 0; w < 512; ++w) {
        if (candidates.outputs.has(w)) ways.push_back(w);
      }
      EXPECT_FALSE(ways.empty());
      const u32 out = ways[engine::scale_to(engine::remix(bits, taken.size()), static_cast<u32>(ways.size()))];
      taken.push_back(u64{at} << 16 | out);
      const Peer peer = topology_->peer(RouterId(at), out);
      if (peer.kind == Peer::Kind::node) {
        EXPECT_EQ(peer.id, to);
        return taken;
      }
      EXPECT_EQ(peer.kind, Peer::Kind::router);
      at = peer.id, port = peer.port;
    }
  }
  [[nodiscard]] u32 distance(u32 from, u32 to) const { return topology_->distance(NodeId(from), NodeId(to)); }

 private:
  std::unique_ptr<Topology> topology_;
  RouterSettings settings_;
  std::unique_ptr<Routing> routing_;
};

TopologySpec pgft(const Ints& m, const Ints& w, const Ints& p) {
  return {"pgft", {{"m", m}, {"w", w}, {"parallel", p}}};
}

const char* const fat_tree_modes[] = {"d-mod-k", "s-mod-k", "random", "adaptive-up"};

TEST(FatTree, EveryModeTakesShortestWays) {
  for (const TopologySpec& spec : {tree(3, 3), thin_tree(4, 2, 3), pgft({4, 3, 2}, {1, 2, 2}, {1, 2, 3})}) {
    for (const char* const mode : fat_tree_modes) {
      const FatTreeRoutes routes(spec, mode);
      for (u32 from = 0; from < routes.nodes(); ++from) {
        for (u32 to = 0; to < routes.nodes(); ++to) {
          if (from == to) continue;
          EXPECT_EQ(routes.links(from, to, from * 977 + to).size() + 1, routes.distance(from, to)) << mode;
        }
      }
    }
  }
}

/// Packets of the fullest link when each node sends to the one `by` further.
u32 most_of_shift(const FatTreeRoutes& routes, u32 by) {
  std::map<u64, u32> packets;
  u32 most = 0;
  for (u32 from = 0; from < routes.nodes(); ++from) {
    for (const u64 link : routes.links(from, (from + by) % routes.nodes(), 1000 + from))
      most = std::max(most, ++packets[link]);
  }
  return most;
}

/// Zahavi 2010: no link of a full tree carries two flows of a shift permutation.
TEST(FatTree, ShiftsDoNotMeetOnDModKRoutesOfFullTrees) {
  u32 random_meets = 0;
  for (const TopologySpec& spec : {tree(4, 2), tree(3, 3), pgft({4, 4}, {1, 2}, {1, 2}), pgft({6, 5}, {1, 2}, {1, 3}),
                                   pgft({4, 4, 3}, {1, 2, 4}, {1, 2, 2})}) {
    const FatTreeRoutes by_number(spec, "d-mod-k"), at_random(spec, "random");
    for (u32 by = 1; by < by_number.nodes(); ++by) {
      EXPECT_EQ(most_of_shift(by_number, by), 1U) << by_number.nodes() << " nodes, by " << by;
      random_meets += most_of_shift(at_random, by) > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(random_meets, 50U);
}

TEST(FatTree, PacketsForANodeComeDownOneWayOnDModK) {
  const FatTreeRoutes routes(pgft({4, 3, 2}, {1, 2, 2}, {1, 2, 3}), "d-mod-k");
  for (u32 to = 0; to < routes.nodes(); ++to) {
    std::map<u64, std::size_t> tops;  // first link down of those that come from the other half of the tree
    for (u32 from = 0; from < routes.nodes(); ++from) {
      if (routes.distance(from, to) == 6) ++tops[routes.links(from, to)[2]];
    }
    EXPECT_EQ(tops.size(), 1U);
  }
}

TEST(FatTree, LotsAndCreditsUseAllLinksUp) {
  for (const char* const mode : {"random", "adaptive-up"}) {
    const FatTreeRoutes routes(pgft({4, 3}, {1, 2}, {1, 2}), mode);
    std::map<u64, u32> first, second;
    for (u64 bits = 0; bits < 400; ++bits) {
      const std::vector<u64> links = routes.links(0, 7, engine::remix(bits, 5));
      ++first[links[0]], ++second[links[1]];
    }
    EXPECT_EQ(first.size(), 4U) << mode;
    EXPECT_EQ(second.size(), 4U) << mode;  // of either parent both links down
    for (const auto& [link, count] : first) EXPECT_GT(count, 60U);
  }
}

}  // namespace
}  // namespace weft::models::testing
