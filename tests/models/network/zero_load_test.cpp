// A packet alone in the network: its latency is known exactly for every topology, packet length and link latency.
#include <gtest/gtest.h>

#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

/// Pairs (from, to) over every distance in node numbers.
std::vector<Send> lone_packets(const Topology& topology, Tick apart) {
  std::vector<Send> script;
  const u32 nodes = topology.nodes();
  for (u32 k = 1; k < nodes; ++k) {
    const u32 from = k * 7 % nodes;
    script.push_back({script.size() * apart, from, (from + k) % nodes});
  }
  return script;
}

/// Sends packets one after the other, each after the last has left, and compares with h * (link + switch) + L - 1
/// cycles.
void expect_zero_load_latency(Case setup) {
  SCOPED_TRACE(describe(setup));
  const auto topology = make_topology(setup.topology);
  const RouterSettings& r = setup.router;
  const Tick apart = topology->diameter() * (r.link_ticks + r.switch_ticks) * 2 + 4 * r.packet_ticks + r.cycle_ticks;
  const auto script = lone_packets(*topology, apart / r.cycle_ticks * r.cycle_ticks);
  setup.until = script.back().tick + 2 * apart;
  const Result result = run_script(setup, script);
  ASSERT_TRUE(result.drained);
  u64 distance = 0, hops = 0;
  for (std::size_t i = 0; i < script.size(); ++i) {
    const auto& [at, from, to, generated] = result.deliveries[i];
    const Tick links = topology->distance(NodeId(from), NodeId(to));
    ASSERT_EQ(from, script[i].from);
    ASSERT_EQ(to, script[i].to);
    EXPECT_EQ(generated, script[i].tick);
    EXPECT_EQ(at - generated, links * (r.link_ticks + r.switch_ticks) + r.packet_ticks - r.cycle_ticks)
        << from << " to " << to << " over " << links << " links";
    distance += links;
    hops += topology->direct() ? links : links - 2;
  }
  EXPECT_EQ(result.counters.distance, distance);
  EXPECT_EQ(result.counters.hops, hops);
  EXPECT_EQ(result.counters.link_starts, distance);
  EXPECT_EQ(result.counters.wait, 0U);
  // Injection into and consumption out of a direct network count as hops; an indirect one has links for them, and
  // consumption at the NIC counts besides.
  EXPECT_EQ(result.counters.packet_hops, distance + (topology->direct() ? 2 : 1) * script.size());
}

const std::vector<TopologySpec> direct = {mesh({5}),     mesh({4, 3}),  mesh({3, 2, 4}),  torus({8}),
                                          torus({2, 2}), torus({5, 4}), torus({4, 4, 3}), torus({3, 3, 3, 2})};
const std::vector<TopologySpec> indirect = {tree(2, 3), tree(4, 2), thin_tree(4, 2, 3), thin_tree(3, 1, 2),
                                            crossbar(9)};

TEST(ZeroLoad, LatencyIsHopsPlusLengthMinusOneForEveryPacketLengthInCubes) {
  for (const auto& topology : direct) {
    for (u32 phits = 1; phits <= 32; ++phits) expect_zero_load_latency({topology, packets_of(phits)});
  }
}

TEST(ZeroLoad, LatencyIsHopsPlusLengthMinusOneForEveryPacketLengthInTrees) {
  for (const auto& topology : indirect) {
    for (u32 phits = 1; phits <= 32; ++phits) expect_zero_load_latency({topology, packets_of(phits)});
  }
}

TEST(ZeroLoad, EveryRequestModeOfTheBubbleRouterHasTheSameLatency) {
  for (const auto& topology : direct) {
    for (const std::string& mode : fast_modes(topology)) {
      for (const u32 channels : {1U, 2U, 3U}) {
        if (2 * topology.keys.integers("dims").size() * channels > 60) continue;
        Case setup{topology, packets_of(16)};
        setup.router.mode = mode;
        setup.router.virtual_channels = channels;
        setup.router.multiple_consumption = channels == 2;
        expect_zero_load_latency(setup);
      }
    }
  }
}

TEST(ZeroLoad, EveryRequestModeOfTheTreeRouterHasTheSameLatency) {
  for (const auto& topology : indirect) {
    for (const auto mode : {"static", "adaptive"}) {
      for (const u32 channels : {1U, 2U, 4U}) {
        Case setup{topology, packets_of(16)};
        setup.router.mode = mode;
        setup.router.virtual_channels = channels;
        expect_zero_load_latency(setup);
      }
    }
  }
}

TEST(ZeroLoad, LinkAndSwitchLatencyAddUpOverTheLinks) {
  for (const auto& list : {direct, indirect}) {
    for (const auto& topology : list) {
      for (const Tick link : {1, 2, 5, 20}) {
        for (const Tick switching : {0, 3}) {
          for (const u32 phits : {1U, 16U}) {
            Case setup{topology, packets_of(phits, link, switching)};
            setup.router.queue_packets = 30;  // all that are on the wire, and a bubble
            expect_zero_load_latency(setup);
          }
        }
      }
    }
  }
}

TEST(ZeroLoad, ACycleOfSeveralTicksScalesEverything) {
  for (const auto& list : {direct, indirect}) {
    for (const auto& topology : list) {
      for (const Tick cycle : {3, 1000}) {
        expect_zero_load_latency({topology, packets_of(16, cycle, 0, cycle)});
        expect_zero_load_latency({topology, packets_of(16, 5 * cycle / 2, cycle / 2, cycle)});
      }
    }
  }
}

}  // namespace
}  // namespace weft::models::testing
