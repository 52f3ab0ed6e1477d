// Random traffic through every combination of modes: what goes in comes out, once, at the right node, and leaves no
// trace.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

/// Heavy random traffic, so that queues fill, until the network is empty again.
void expect_conservation(Case setup, u32 per_node = 12) {
  SCOPED_TRACE(describe(setup));
  const auto topology = make_topology(setup.topology);
  const auto script = random_traffic(topology->nodes(), per_node, per_node * setup.router.packet_ticks, 5);
  setup.until = 200'000 * setup.router.cycle_ticks;  // many times what it takes
  const Result result = run_script(setup, script);
  ASSERT_TRUE(result.exhausted);
  ASSERT_EQ(result.not_accepted, 0U);
  ASSERT_TRUE(result.drained);
  EXPECT_EQ(result.counters.generated, script.size());
  EXPECT_EQ(result.counters.injected, script.size());
  EXPECT_EQ(result.counters.delivered, script.size());
  std::map<std::pair<u32, u32>, i64> balance;
  u64 distance = 0, latency = 0;
  for (const Send& send : script) {
    ++balance[{send.from, send.to}];
    distance += topology->distance(NodeId(send.from), NodeId(send.to));
  }
  for (const Delivery& d : result.deliveries) {
    --balance[{d.from, d.to}];
    latency += d.at - d.generated;
    const Tick links = topology->distance(NodeId(d.from), NodeId(d.to));
    ASSERT_GE(d.at - d.generated, links * (setup.router.link_ticks + setup.router.switch_ticks) +
                                      setup.router.packet_ticks - setup.router.cycle_ticks)
        << "a packet was faster than light";
  }
  EXPECT_TRUE(std::ranges::all_of(balance, [](const auto& entry) { return entry.second == 0; }));
  EXPECT_EQ(result.counters.distance, distance);
  EXPECT_EQ(result.counters.latency, latency);
  // Minimal routing: no packet took a link more than its distance.
  EXPECT_EQ(result.counters.link_starts, distance);
}

constexpr Arbitration arbitrations[] = {Arbitration::round_robin, Arbitration::random, Arbitration::fifo,
                                        Arbitration::longest,     Arbitration::age,    Arbitration::highest};
constexpr InjectionPolicy injections[] = {InjectionPolicy::shortest, InjectionPolicy::dor,
                                          InjectionPolicy::dor_shortest, InjectionPolicy::shortest_profitable,
                                          InjectionPolicy::longest_path};

TEST(Conservation, CubesInEveryRequestModeAndArbitration) {
  for (const auto& topology : {mesh({4, 3}), torus({4, 4}), torus({5, 3}), torus({3, 2, 3})}) {
    for (const std::string& mode : fast_modes(topology)) {
      for (const auto arbitration : arbitrations) {
        for (const u32 channels : {1U, 3U}) {
          Case setup{topology, packets_of(8)};
          setup.router.mode = mode;
          setup.router.arbitration = arbitration;
          setup.router.virtual_channels = channels;
          expect_conservation(setup);
        }
      }
    }
  }
}

TEST(Conservation, CubesWithEveryQueueLengthAndNumberOfChannels) {
  for (const std::string& mode : fast_modes(torus({4, 4}))) {
    for (u32 queue = 2; queue <= 4; ++queue) {
      for (u32 channels = 1; channels <= 4; ++channels) {
        for (const bool multiple : {false, true}) {
          Case setup{torus({4, 4}), packets_of(8)};
          setup.router.mode = mode;
          setup.router.queue_packets = queue;
          setup.router.virtual_channels = channels;
          setup.router.multiple_consumption = multiple;
          expect_conservation(setup);
        }
      }
    }
  }
}

TEST(Conservation, CubesWithEveryInjectionPolicyAndNumberOfQueues) {
  for (const auto policy : injections) {
    for (const u32 queues : {1U, 2U, 4U, 5U}) {
      for (const u32 capacity : {1U, 3U}) {
        Case setup{torus({4, 4}), packets_of(8)};
        setup.router.injection = policy;
        setup.router.injection_queues = queues;
        setup.router.injection_capacity = capacity;
        setup.router.virtual_channels = 3;
        setup.router.multiple_consumption = queues == 4;
        expect_conservation(setup);
      }
    }
  }
}

TEST(Conservation, CubesWithInjectionRestrictions) {
  for (const std::string& mode : fast_modes(torus({4, 4}))) {
    for (u32 buffers = 0; buffers <= 3; ++buffers) {
      for (const u64 priority : {u64{0}, u64{1} << 63, ~u64{0}}) {
        Case setup{torus({4, 4}), packets_of(8)};
        setup.router.mode = mode;
        setup.router.virtual_channels = 3;
        setup.router.local_buffer_packets = buffers;
        setup.router.transit_priority = priority;
        setup.router.injection_queues = 4;
        setup.router.injection = InjectionPolicy::dor;
        expect_conservation(setup);
      }
    }
  }
}

TEST(Conservation, TreesInEveryRequestModeAndArbitration) {
  for (const auto& topology : {tree(2, 3), tree(4, 2), thin_tree(4, 2, 3), thin_tree(3, 1, 3), crossbar(7)}) {
    for (const auto mode : {"static", "adaptive"}) {
      for (const auto arbitration : arbitrations) {
        for (const u32 channels : {1U, 2U, 4U}) {
          Case setup{topology, packets_of(8)};
          setup.router.mode = mode;
          setup.router.arbitration = arbitration;
          setup.router.virtual_channels = channels;
          expect_conservation(setup, 8);
        }
      }
    }
  }
}

TEST(Conservation, TreesWithEveryQueueLength) {
  for (const auto mode : {"static", "adaptive"}) {
    for (u32 queue = 1; queue <= 4; ++queue) {
      for (u32 channels = 1; channels <= 4; ++channels) {
        for (const u32 injection_queues : {1U, 2U}) {
          Case setup{thin_tree(4, 2, 3), packets_of(8)};
          setup.router.mode = mode;
          setup.router.queue_packets = queue;
          setup.router.virtual_channels = channels;
          setup.router.injection_queues = injection_queues;
          setup.router.injection_capacity = 2;
          expect_conservation(setup, 8);
        }
      }
    }
  }
}

TEST(Conservation, SwitchesOfMoreThan64Channels) {
  for (const u32 channels : {1U, 2U, 3U}) {
    Case setup{crossbar(70), packets_of(8)};
    setup.router.virtual_channels = channels;
    expect_conservation(setup);
  }
}

TEST(Conservation, LongLinksSlowSwitchesAndCyclesOfSeveralTicks) {
  for (const auto& topology : {torus({4, 4}), mesh({3, 3}), thin_tree(4, 2, 2)}) {
    for (const std::string& mode : fast_modes(topology)) {
      for (const Tick link : {1, 2, 5, 20}) {
        for (const Tick switching : {0, 3}) {
          for (const Tick cycle : {1, 4}) {
            Case setup{topology, packets_of(8, link * cycle, switching, cycle)};
            setup.router.mode = mode;
            setup.router.virtual_channels = 2;
            setup.router.queue_packets = 4;
            expect_conservation(setup, 6);
          }
        }
      }
    }
  }
}

TEST(Conservation, PacketsOfOneAndOfManyPhits) {
  for (const auto& topology : {torus({4, 4}), tree(4, 2)}) {
    for (const u32 phits : {1U, 2U, 32U, 100U}) {
      for (const bool multiple : {false, true}) {
        Case setup{topology, packets_of(phits)};
        setup.router.virtual_channels = 2;
        setup.router.multiple_consumption = multiple;
        expect_conservation(setup);
      }
    }
  }
}

TEST(Conservation, AHostThatInjectsInTheSecondPhase) {
  for (const auto& topology : {torus({4, 4}), tree(4, 2)}) {
    Case setup{topology, packets_of(8)};
    setup.router.virtual_channels = 2;
    setup.router.injection_capacity = 2;
    setup.inject_in_act = true;
    expect_conservation(setup);
  }
}

/// Stops the run at tick after tick: packets are counted where they are, whatever the counters say.
void expect_conservation_at_every_tick(Case setup) {
  SCOPED_TRACE(describe(setup));
  const auto topology = make_topology(setup.topology);
  const auto script = random_traffic(topology->nodes(), 3, 3 * setup.router.packet_ticks, 5);
  u64 most_in_network = 0, most_queued = 0;
  for (Tick tick = 1; tick < 200 * setup.router.cycle_ticks; tick += 1 + tick / 16) {
    setup.until = tick;
    const Result result = run_script(setup, script);
    const Counters& c = result.counters;
    ASSERT_EQ(c.injected, c.delivered + result.in_flight.network) << "at tick " << tick;
    ASSERT_EQ(c.generated, c.injected + result.in_flight.queued) << "at tick " << tick;
    ASSERT_LE(result.in_flight.oldest_age, tick);
    most_in_network = std::max(most_in_network, result.in_flight.network);
    most_queued = std::max(most_queued, result.in_flight.queued);
  }
  EXPECT_GT(most_in_network, topology->nodes() / 2);
  EXPECT_GT(most_queued, 0U);
}

TEST(Conservation, PacketsInFlightAreCountedWhereTheyAre) {
  for (const auto& topology : {torus({4, 4}), tree(2, 3), crossbar(8)}) {
    for (const Tick link : {1, 5, 40}) {
      for (const bool multiple : {false, true}) {
        Case setup{topology, packets_of(8, link, 2, 3)};
        setup.router.virtual_channels = 2;
        setup.router.multiple_consumption = multiple;
        expect_conservation_at_every_tick(setup);
      }
    }
  }
}

TEST(Conservation, PacketsInFlightAreCountedOnceBySeveralParts) {
  Case setup{torus({4, 4}), packets_of(8, 5)};
  setup.router.virtual_channels = 2;
  setup.parts = 3;
  for (u32 router = 0; router < 16; ++router) setup.part_of_router.push_back(router % 3);
  expect_conservation_at_every_tick(setup);
}

TEST(Conservation, TimeInTheNetworkIsTheLatencyWithoutTheWaitForInjection) {
  const Case setup{torus({4, 4}), packets_of(8)};
  const Result result = run_script(setup, random_traffic(16, 12, 96, 5));
  ASSERT_TRUE(result.drained);
  EXPECT_EQ(result.counters.time_in_network(123'456), result.counters.latency - result.counters.wait);
}

}  // namespace
}  // namespace weft::models::testing
