// Every registered router, in every mode, on every registered topology that it fits: nothing is lost, nobody sleeps
// through a chance, the parts do not show, an empty network is as fast as its links. A new kind is tested without a
// line here.
#include "tests/models/network/every_router.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "models/routing/router_kind.hpp"
#include "models/topology/lattice.hpp"

namespace weft::models::testing {
namespace {

class EveryRouter : public ::testing::TestWithParam<Pairing> {
 protected:
  void SetUp() override { topology_ = make_topology(GetParam().topology); }
  /// The least virtual channels that the kind accepts, and the next number; short links, and long ones with slow
  /// switches. Both take whole cycles: where routers of different phases feed each other there is no `every cycle` to
  /// compare with.
  template <class F>
  void for_setups(F&& f) const {
    for (const i64 channels : GetParam().channels) {
      for (const RouterSettings& timing : {packets_of(8), packets_of(4, 6, 3, 3)}) {
        Case setup = setup_of(GetParam(), timing, channels);
        setup.until = 100'000;
        SCOPED_TRACE(describe(setup));
        f(setup);
      }
    }
  }
  [[nodiscard]] std::vector<Send> traffic(const Case& setup) const { return busy_traffic(*topology_, setup); }

  std::unique_ptr<Topology> topology_;
};

TEST_P(EveryRouter, DeliversEverythingAndSleepsThroughNothing) {
  for_setups([&](Case setup) {
    const auto script = traffic(setup);
    const Result events = run_script(setup, script);
    ASSERT_TRUE(events.drained) << events.deliveries.size() << " of " << script.size() << " packets arrived";
    setup.router.every_cycle = true;
    const Result cycles = run_script(setup, script);
    EXPECT_TRUE(cycles.drained);
    EXPECT_EQ(cycles.digest.hex(), events.digest.hex());
    EXPECT_EQ(cycles.counters.words(), events.counters.words());
    EXPECT_LE(events.acts, cycles.acts);
  });
}

TEST_P(EveryRouter, HasOneHistoryInAnyNumberOfParts) {
  for_setups([&](Case setup) {
    const auto script = traffic(setup);
    const Result alone = run_script(setup, script);
    for (u32 parts = 2; parts <= std::min(3U, topology_->routers()); ++parts) {
      setup.parts = parts;
      setup.part_of_router.clear();
      for (u32 r = 0; r < topology_->routers(); ++r) setup.part_of_router.push_back(r % parts);
      for (const auto protocol : {engine::Protocol::windowed, engine::Protocol::null_message}) {
        setup.protocol = protocol;
        const Result split = run_script(setup, script);
        EXPECT_TRUE(split.drained);
        EXPECT_EQ(split.digest.hex(), alone.digest.hex()) << parts << " parts";
        EXPECT_EQ(split.counters.words(), alone.counters.words()) << parts << " parts";
      }
    }
  });
}

TEST_P(EveryRouter, KeepsEveryPacketAtEveryTick) {
  for_setups([&](Case setup) {
    const auto script = traffic(setup);
    for (Tick tick = 1; tick < 400; tick += 1 + tick / 3) {
      setup.until = tick;
      const Result result = run_script(setup, script);
      const Counters& c = result.counters;
      ASSERT_EQ(c.in_network(), result.in_flight.network) << "at tick " << tick;
      ASSERT_EQ(c.generated, c.injected + c.dropped_at_source + result.in_flight.queued) << "at tick " << tick;
    }
  });
}

/// Links of a route between two nodes: of a minimal one, or of the records that a lattice's routers follow.
std::set<u32> route_lengths(const Topology& topology, u32 from, u32 to) {
  std::set<u32> lengths{topology.distance(NodeId(from), NodeId(to))};
  if (const auto* const lattice = dynamic_cast<const Lattice*>(&topology)) {
    for (u64 bits = 0; bits < 256; ++bits) {
      u32 hops = 0;
      for (const i32 some : lattice->record(NodeId(from), NodeId(to), bits)) hops += static_cast<u32>(std::abs(some));
      lengths.insert(hops);
    }
  }
  return lengths;
}

TEST_P(EveryRouter, TakesAPacketThroughAnEmptyNetworkInHopsPlusLength) {
  if (topology_->joins_all()) return;         // without hops: ideal_network_test.cpp
  if (GetParam().router == "rotary") return;  // buffers between ports take time too: rotary_network_test.cpp
  const RouterKind& kind = router_kind(GetParam().router);
  const RouterMode& mode = mode_row(kind, GetParam().mode);
  for_setups([&](Case setup) {
    const RouterSettings& r = setup.router;
    // For switches of cells docs/switch.md has the formula: the links of the node count, and it passes a switch more.
    const Tick allocation = GetParam().router == "wormhole" && r.virtual_channels > 1 ? r.cycle_ticks : 0;
    const Tick routing =
        kind.any_length ? static_cast<Tick>(r.own.integer("routing_cycles")) * r.cycle_ticks + allocation : 0;
    const Tick hop =
        r.link_ticks + r.switch_ticks + routing + (kind.whole_packets ? r.packet_ticks - r.cycle_ticks : 0);
    const Tick more = kind.any_length ? (topology_->direct() ? 2 * hop : 0) - (r.switch_ticks + routing) : 0;
    const Tick apart = (topology_->diameter() + 4) * hop * r.cycle_ticks * 4 + 4 * r.packet_ticks;
    std::vector<Send> script;
    const u32 nodes = topology_->nodes();
    for (u32 k = 0; k < 2 * nodes; ++k) {
      const u32 from = k * 7 % nodes;
      script.push_back({script.size() * apart * r.cycle_ticks, from, (from + 1 + k % (nodes - 1)) % nodes});
    }
    setup.until = never;
    const Result result = run_script(setup, script);
    ASSERT_TRUE(result.drained);
    u64 links_taken = 0;
    for (const auto& [at, from, to, generated] : result.deliveries) {
      const Tick header = at - generated + r.cycle_ticks - r.packet_ticks - more;
      const auto lengths = route_lengths(*topology_, from, to);
      const bool known = mode.shortest_paths
                             ? std::ranges::any_of(lengths, [&](u32 links) { return header == links * hop; })
                             : header % hop == 0 && header >= *lengths.begin() * hop;
      EXPECT_TRUE(known) << from << " to " << to << ": header on its way for " << header << " ticks, distance "
                         << *lengths.begin();
      links_taken += header / hop;
    }
    EXPECT_EQ(result.counters.distance, links_taken);
    EXPECT_EQ(result.counters.wait, 0U);
    if (result.counters.dropped == 0 && result.counters.copies == 0) {
      EXPECT_EQ(result.counters.link_starts, links_taken);
    }
  });
}

TEST(EveryRouterKind, HasATopologyForEachMode) {
  std::set<std::string> tried, accepted;
  for (const Pairing& pairing : all_pairings()) {
    const bool of_switch = !pairing.routing.empty();
    const std::string mode =
        (of_switch ? pairing.routing : pairing.router) + " " + (of_switch ? pairing.routing_mode : pairing.mode);
    tried.insert(mode);
    if (!pairing.channels.empty()) accepted.insert(mode);
  }
  for (const char* const of_classes : {"ndt ts-dor-up", "ndt ts-dor-down"}) accepted.insert(of_classes);
  EXPECT_EQ(accepted, tried);
  for (const std::string& router : RouterRegistry::instance().names()) {
    const std::string machine = machine_of(router);
    for (const RouterMode& mode : router_kind(router).modes) EXPECT_TRUE(tried.contains(machine + " " + mode.name));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryRouter, ::testing::ValuesIn(all_pairings()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace weft::models::testing
