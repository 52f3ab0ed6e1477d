// What tests of single topologies share: distances by breadth-first search, walks along records, the text of an error.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "models/topology/lattice.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::testing {

using Ints = std::vector<i64>;

inline std::unique_ptr<Topology> made(const std::string& kind, Parameters keys) {
  return make_topology({kind, std::move(keys)});
}

/// The error that these keys lead to; "" if there is none.
inline std::string error_of(const std::string& kind, Parameters keys) {
  try {
    static_cast<void>(made(kind, std::move(keys)));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

/// Hops from `start` to every router over the links that peer() tells of, the way that they carry packets.
inline std::vector<u32> hops_from(const Topology& net, u32 start) {
  std::vector<u32> hops(net.routers(), ~u32{0}), order{start};
  hops[start] = 0;
  for (std::size_t ix = 0; ix < order.size(); ++ix) {
    const u32 at = order[ix];
    for (u32 p = 0; p < net.ports(RouterId{at}); ++p) {
      const Peer peer = net.peer(RouterId{at}, p);
      if (peer.kind != Peer::Kind::router || hops[peer.id] != ~u32{0} || !net.carries(RouterId{at}, p)) continue;
      hops[peer.id] = hops[at] + 1;
      order.push_back(peer.id);
    }
  }
  return hops;
}

/// Every link seen from its far end leads back; there are as many as the topology says.
inline void expect_sound_wiring(const Topology& net) {
  u64 ends = 0, node_ends = 0;
  for (u32 router = 0; router < net.routers(); ++router) {
    for (u32 port = 0; port < net.ports(RouterId{router}); ++port) {
      const Peer peer = net.peer(RouterId{router}, port);
      if (peer.kind == Peer::Kind::none) continue;
      if (peer.kind == Peer::Kind::node) {
        ++node_ends;
        ASSERT_EQ(net.router_of(NodeId{peer.id}), RouterId{router});
        ASSERT_EQ(net.port_of(NodeId{peer.id}), port);
        continue;
      }
      ++ends;
      ASSERT_LT(peer.id, net.routers());
      ASSERT_LT(peer.port, net.ports(RouterId{peer.id}));
      const Peer back = net.peer(RouterId{peer.id}, peer.port);
      ASSERT_EQ(back.id, router) << net.name() << " port " << port;
      ASSERT_EQ(back.port, port) << net.name() << " router " << router;
      ASSERT_EQ(net.link_class(RouterId{router}, port), net.link_class(RouterId{peer.id}, peer.port));
    }
  }
  EXPECT_EQ(ends, 2 * net.router_links()) << net.name();
  EXPECT_EQ(node_ends, net.direct() ? 0 : net.nodes()) << net.name();
}

/// Distances of all pairs, diameter and mean distance are those found by search; the load bound is one that the links
/// can carry.
inline void expect_true_distances(const Topology& net) {
  const u32 node_links = net.direct() ? 0 : 2;
  u32 diameter = 0;
  u64 sum = 0;
  for (u32 from = 0; from < net.nodes(); ++from) {
    const std::vector<u32> hops = hops_from(net, net.router_of(NodeId{from}).value());
    for (u32 to = 0; to < net.nodes(); ++to) {
      const u32 expected = from == to ? 0 : hops[net.router_of(NodeId{to}).value()] + node_links;
      ASSERT_EQ(net.distance(NodeId{from}, NodeId{to}), expected) << net.name() << ": " << from << " to " << to;
      diameter = std::max(diameter, expected);
      sum += expected;
    }
  }
  EXPECT_EQ(net.diameter(), diameter) << net.name();
  const double mean = static_cast<double>(sum) / net.nodes() / (net.nodes() - 1.0);
  EXPECT_NEAR(net.mean_distance(), mean, 1e-12 * diameter) << net.name();
  const double bound = net.uniform_load_bound();
  EXPECT_GT(bound, 0.0) << net.name();
  EXPECT_LE(bound, 1.0) << net.name();
  EXPECT_LE(bound * net.nodes() * (mean - node_links), 2.0 * static_cast<double>(net.router_links()) + 1e-9);
}

/// Records of all pairs lead there over as many links as the distance.
inline void expect_minimal_records(const Topology& topology) {
  const auto& net = dynamic_cast<const Lattice&>(topology);
  const u32 longest = net.longest_record();
  for (u32 from = 0; from < net.nodes(); ++from) {
    for (u32 to = 0; to < net.nodes(); ++to) {
      for (u64 trial = 0; trial < 4; ++trial) {
        const Lattice::Record hops = net.record(NodeId{from}, NodeId{to}, engine::remix(from * 977 + to, trial));
        u32 at = from, length = 0;
        for (u32 d = 0; d < Lattice::most_dimensions; ++d) {
          const u32 here = static_cast<u32>(std::abs(hops[d]));
          ASSERT_LE(here, longest) << net.name();
          for (u32 hop = 0; hop < here; ++hop) at = net.peer(RouterId{at}, 2 * d + (hops[d] > 0 ? 0 : 1)).id;
          length += here;
        }
        ASSERT_EQ(at, to) << net.name() << " from " << from;
        ASSERT_EQ(length, net.distance(NodeId{from}, NodeId{to})) << net.name() << ": " << from << " to " << to;
      }
    }
  }
}

/// Each ring of each dimension has exactly one link that closes it, the same seen from both ends.
inline void expect_one_border_a_ring(const Topology& topology) {
  const auto& net = dynamic_cast<const Lattice&>(topology);
  for (u32 d = 0; d < net.dimensions(); ++d) {
    for (u32 start = 0; start < net.nodes(); ++start) {
      u32 at = start, borders = 0;
      do {
        const Peer next = net.peer(RouterId{at}, 2 * d);
        if (next.kind == Peer::Kind::none) break;
        const bool crosses = net.crosses_border(RouterId{at}, 2 * d);
        ASSERT_EQ(net.crosses_border(RouterId{next.id}, 2 * d + 1), crosses) << net.name() << " router " << at;
        borders += crosses ? 1 : 0;
        at = next.id;
      } while (at != start);
      const bool wired = net.peer(RouterId{start}, 2 * d).kind != Peer::Kind::none;
      ASSERT_EQ(borders, wired ? 1U : 0U) << net.name() << " dimension " << d;
    }
  }
}

}  // namespace weft::models::testing
