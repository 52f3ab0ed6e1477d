// The search for deadlock among worms, which hold channels far behind them: escape channels that are safe for whole
// packets need not be so for them.
#include "models/routing/held_channels.hpp"

#include <gtest/gtest.h>
#include <utility>

#include "models/routing/channel_search.hpp"
#include "models/routing/router_kind.hpp"
#include "tests/models/network/every_router.hpp"

namespace weft::models::testing {
namespace {

using Answer = ChannelFindings::Answer;

Answer answer(const Topology& topology, const Routing& routing, u32 channels, TakesCandidate takes, bool worms) {
  return search_channels(
             topology, routing,
             {.virtual_channels = channels, .takes = takes, .ignores_conditions = true, .holds_channels = worms})
      .answer;
}

/// A mesh with dimension order in channel 0, and in channel 1 shortest paths, or any way at all.
class Misrouting final : public Routing {
 public:
  Misrouting(const Topology& topology, bool anywhere) : net_(topology), anywhere_(anywhere) {}

  Verdict route(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const override {
    if (net_.router_of(packet.to).value() == at.router) return Verdict::arrived;
    bool first = true;
    for (u32 port = 0; port < net_.ports(RouterId(at.router)); ++port) {
      const Peer peer = net_.peer(RouterId(at.router), port);
      if (peer.kind != Peer::Kind::router) continue;
      const bool closer = distance(peer.id, packet.to) < distance(at.router, packet.to);
      if (closer && std::exchange(first, false)) candidates.outputs.add(2 * port);
      if (closer || anywhere_) candidates.outputs.add(2 * port + 1);
    }
    return Verdict::waits;
  }
  [[nodiscard]] bool goes_by_source() const override { return false; }

 private:
  [[nodiscard]] u32 distance(u32 router, NodeId to) const { return net_.distance(NodeId(router), to); }
  const Topology& net_;
  bool anywhere_;
};

TEST(HeldChannels, EscapeChannelsOfDimensionOrderAreSafeBesideShortestPaths) {
  for (const auto& spec : {mesh({4, 4}), torus({4, 4}), torus({5, 4}), mesh({3, 3, 3})}) {
    const auto topology = make_topology(spec);
    RouterSettings settings;
    settings.kind = "dally";
    settings.mode = "adaptive";
    settings.virtual_channels = 4;
    for (const Setting& row : router_kind("dally").settings) settings.own.set(row.name(), row.fallback);
    const auto routing = router_kind("dally").routing(*topology, settings);
    SCOPED_TRACE(topology->name());
    EXPECT_EQ(answer(*topology, *routing, 4, TakesCandidate::committed, true), Answer::cycle);
    EXPECT_EQ(answer(*topology, *routing, 4, TakesCandidate::any, false), Answer::free);
    EXPECT_EQ(answer(*topology, *routing, 4, TakesCandidate::any, true), Answer::free);
  }
}

/// J. Duato, IEEE TPDS 1995: packets that may leave shortest paths wait for escape channels, and hold others of them.
TEST(HeldChannels, EscapeChannelsAreNotSafeBesideDetours) {
  const auto topology = make_topology(mesh({3, 3}));
  EXPECT_EQ(answer(*topology, Misrouting(*topology, false), 2, TakesCandidate::any, true), Answer::free);
  EXPECT_EQ(answer(*topology, Misrouting(*topology, true), 2, TakesCandidate::any, false), Answer::free);
  EXPECT_EQ(answer(*topology, Misrouting(*topology, true), 2, TakesCandidate::any, true), Answer::cycle);
}

TEST(HeldChannels, WhatIsSafeWhereverPacketsAreCommittedIsSafeForWorms) {
  u32 safe = 0, by_escapes = 0;
  for (const Pairing& pairing : all_pairings()) {
    const RouterKind& kind = router_kind(pairing.router);
    if (!kind.routing || keeps_bubbles(kind, pairing.mode) || pairing.channels.empty()) continue;
    const Case setup = setup_of(pairing, packets_of(8), pairing.channels.back());
    const auto topology = make_topology(setup.topology);
    const auto routing = kind.routing(*topology, setup.router);
    const u32 channels = setup.router.virtual_channels;
    SCOPED_TRACE(describe(setup));
    const Answer committed = answer(*topology, *routing, channels, TakesCandidate::committed, true);
    const Answer worms = answer(*topology, *routing, channels, TakesCandidate::any, true);
    if (committed == Answer::free) {
      EXPECT_EQ(worms, Answer::free);
      ++safe;
    } else if (worms == Answer::free) {
      EXPECT_EQ(answer(*topology, *routing, channels, TakesCandidate::any, false), Answer::free);
      ++by_escapes;
    }
  }
  EXPECT_GT(safe, 20U);
  EXPECT_GE(by_escapes, 2U);
}

}  // namespace
}  // namespace weft::models::testing
