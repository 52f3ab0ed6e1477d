// Rotary routers by themselves: latency, going round, going astray, a place that stays free; and tick by tick beside a
// plain loop over cycles.
#include "models/machine/rotary/rotary_network.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <tuple>

#include "engine/base/error.hpp"
#include "models/topology/faulty.hpp"
#include "tests/models/network/scripted_host.hpp"
#include "tests/models/rotary/plain_twin.hpp"

namespace weft::models::testing {
namespace {

/// A case with the defaults of the router's own keys.
Case rotary(const TopologySpec& topology, u32 phits, Tick link_ticks = 1, Tick switch_ticks = 0) {
  Case setup{topology, packets_of(phits, link_ticks, switch_ticks)};
  setup.router.kind = "rotary";
  setup.router.mode = "rotary";
  for (const Setting& row : rotary::setting_rows()) setup.router.own.set(row.name(), row.fallback);
  setup.until = 1'000'000;
  return setup;
}

Result run_rotary(const Case& setup, const std::vector<Send>& script, const FaultSpec& faults = {}) {
  const auto topology = with_faults(make_topology(setup.topology), faults);
  Case faulty = setup;
  faulty.router.faults = faults.any();
  return ScriptedLoops::instance().find("rotary")->run(faulty, *topology, script);
}

/// A straight way of h links passes 2 h + 1 buffers: straight on it is two, and three out of the node and into it.
TEST(RotaryNetwork, TakesTwoBuffersALinkAndOneMoreStraightThroughAnEmptyTorus) {
  for (const auto& [phits, link, slow, buffer] : {std::tuple{1U, 1, 0, 1}, {16U, 1, 0, 1}, {5U, 4, 3, 2}}) {
    Case setup = rotary(torus({9, 9}), phits, link, slow);
    setup.router.own.set("buffer_cycles", i64{buffer});
    std::vector<Send> script;
    std::vector<u32> hops;
    for (const u32 to : {1U, 4U, 8U, 5U, 9U, 36U, 72U, 45U}) script.push_back({script.size() * 2000, 0, to});
    const Result result = run_rotary(setup, script);
    ASSERT_TRUE(result.drained);
    const std::map<u32, Tick> links{{1, 1}, {4, 4}, {8, 1}, {5, 4}, {9, 1}, {36, 4}, {72, 1}, {45, 4}};
    for (const Delivery& d : result.deliveries) {
      const Tick h = links.at(d.to);
      EXPECT_EQ(d.at - d.generated, (2 * h + 1) * buffer + h * (link + slow) + phits - 1) << d.to;
    }
  }
}

TEST(RotaryNetwork, TakesABufferARouterOnALine) {
  const Case setup = rotary(torus({9}), 8, 3, 1);
  std::vector<Send> script;
  for (u32 to = 1; to < 9; ++to) script.push_back({to * 1000, 0, to});
  for (const Delivery& d : run_rotary(setup, script).deliveries) {
    const Tick h = std::min(d.to, 9 - d.to);
    EXPECT_EQ(d.at - d.generated, h + 1 + h * 4 + 7);
  }
}

/// Counted on the circle east, north, west, node, south: to the north-east node, south, east or node, west, north (2
/// buffers), then one to the turn and one to the node; and so on.
TEST(RotaryNetwork, PassesTurnsByTheShorterWayRound) {
  const Case setup = rotary(torus({5, 5}), 4);
  const std::map<u32, Tick> buffers{{6, 2 + 1 + 1}, {24, 1 + 1 + 2}, {21, 1 + 1 + 1}, {9, 1 + 1 + 1}};
  std::vector<Send> script;
  for (u32 k = 0; k < 10; ++k) {
    for (const auto& [to, passed] : buffers) script.push_back({script.size() * 500, 0, to});
  }
  const Result result = run_rotary(setup, script);
  EXPECT_EQ(result.deliveries.size(), 40U);
  for (const Delivery& d : result.deliveries) EXPECT_EQ(d.at - d.generated, buffers.at(d.to) + 2 + 3) << d.to;
}

TEST(RotaryNetwork, SendsAPacketALengthOverALink) {
  const Result result = run_rotary(rotary(torus({5, 5}), 16), {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}});
  EXPECT_EQ(times_at(result, 1), (std::vector<Tick>{19, 19 + 16, 19 + 32}));
}

TEST(RotaryNetwork, GoesAstrayWhereTheOnlyWayHasFailed) {
  FaultSpec faults;
  faults.links = {0, 0};
  Case setup = rotary(torus({5, 5}), 4);
  setup.router.own.set("misroute_rounds", i64{4});
  const Result result = run_rotary(setup, {{10, 0, 1}}, faults);
  ASSERT_EQ(result.deliveries.size(), 1U);
  EXPECT_EQ(result.counters.dropped, 0U);
  EXPECT_GE(result.counters.distance, 3U);
  // Four rounds of 5 buffers pass first.
  EXPECT_GT(result.deliveries[0].at - 10, 4U * 5);
}

TEST(RotaryNetwork, DropsPacketsToFailedNodesAtTheirSource) {
  FaultSpec faults;
  faults.nodes = {7};
  const Result result = run_rotary(rotary(torus({5, 5}), 4), {{10, 0, 7}, {10, 0, 8}}, faults);
  EXPECT_EQ(result.counters.dropped, 1U);
  EXPECT_EQ(result.counters.dropped_at_source, 1U);
  EXPECT_EQ(result.counters.dropped_to_failed, 1U);
  EXPECT_EQ(times_at(result, 8).size(), 1U);
}

TEST(RotaryNetwork, RefusesFaultsThatCutNodesOff) {
  FaultSpec faults;
  faults.links = {0, 0};
  EXPECT_THROW(static_cast<void>(run_rotary(rotary(mesh({4}), 4), {{10, 0, 1}}, faults)), ConfigError);
}

/// More packets than the network has places, from all at once, with the least places that there can be.
TEST(RotaryNetwork, DrainsHoweverFullItIs) {
  u64 detours = 0;
  for (const TopologySpec& topology : {torus({3, 3}), torus({7}), mesh({4, 3}), torus({2, 2, 2}), torus({5, 4})}) {
    for (const auto& [buffer, output, queue, rounds] :
         {std::tuple{2, 1, 1U, 1}, {2, 2, 2U, 3}, {3, 1, 1U, 1000}, {4, 2, 4U, 4}}) {
      Case setup = rotary(topology, 3, 2);
      setup.router.queue_packets = queue;
      setup.router.own.set("ring_packets", i64{buffer});
      setup.router.own.set("output_packets", i64{output});
      setup.router.own.set("misroute_rounds", i64{rounds});
      setup.router.own.set("transit_packets", i64{buffer});
      setup.router.own.set("injection_packets", i64{buffer});
      const u32 nodes = make_topology(topology)->nodes();
      const Result result = run_rotary(setup, random_traffic(nodes, 200, 20, 3));
      SCOPED_TRACE(fmt::format("{} nodes, buffers of {}, output stages of {}", nodes, buffer, output));
      EXPECT_TRUE(result.drained) << result.deliveries.size() << " of " << 200 * nodes;
      const auto network = make_topology(topology);
      for (const Delivery& d : result.deliveries) detours -= network->distance(NodeId(d.from), NodeId(d.to));
      detours += result.counters.distance;
    }
  }
  EXPECT_GT(detours, 0U) << "some went astray";
}

struct Shape {
  int x = 5, y = 5;
  bool wrap = true;
  u32 phits = 4;
  Tick link = 1, slow = 0;
  i64 buffer_cycles = 1, buffer = 4, output = 2, rounds = 4, transit = 2, new_beside = 0;
  u32 queue = 4, injection = 12;
};

class AgainstAPlainLoopOfRings : public ::testing::Test {
 protected:
  void expect_same(const Shape& shape, const std::vector<Send>& script) {
    SCOPED_TRACE(fmt::format("{}x{}{}, {} phits, link {}, switch {}, buffers of {}, output {}, queue {}, rounds {}",
                             shape.x, shape.y, shape.wrap ? " torus" : " mesh", shape.phits, shape.link, shape.slow,
                             shape.buffer, shape.output, shape.queue, shape.rounds));
    const std::vector<i64> dims{shape.x, shape.y};
    Case setup = rotary(shape.wrap ? torus(dims) : mesh(dims), shape.phits, shape.link, shape.slow);
    setup.router.queue_packets = shape.queue;
    setup.router.injection_capacity = shape.injection;
    setup.router.own.set("buffer_cycles", shape.buffer_cycles);
    setup.router.own.set("ring_packets", shape.buffer);
    setup.router.own.set("output_packets", shape.output);
    setup.router.own.set("misroute_rounds", shape.rounds);
    setup.router.own.set("transit_packets", shape.transit);
    setup.router.own.set("injection_packets", shape.new_beside);
    RotaryTwin twin({shape.x, shape.y, shape.wrap, shape.phits, shape.link, shape.slow,
                     static_cast<Tick>(shape.buffer_cycles), shape.queue, shape.injection,
                     static_cast<std::size_t>(shape.buffer), static_cast<std::size_t>(shape.output),
                     static_cast<int>(shape.rounds), static_cast<std::size_t>(shape.transit),
                     static_cast<std::size_t>(shape.new_beside)});
    twin.run(script, 200'000);
    const Result result = run_rotary(setup, script);
    EXPECT_EQ(result.deliveries.size(), script.size());
    EXPECT_EQ(result.deliveries, twin.deliveries);
    misrouted_ += twin.misrouted;
    rounds_ += twin.rounds_begun;
  }
  u64 misrouted_ = 0, rounds_ = 0;
};

TEST_F(AgainstAPlainLoopOfRings, EveryPacketArrivesInTheSameTickAtEveryLoad) {
  u64 seed = 1;
  for (const Tick span : {2000, 200, 20}) {
    for (const u32 phits : {1U, 4U, 9U}) expect_same({.phits = phits}, random_traffic(25, 25, span, ++seed));
  }
  EXPECT_GT(rounds_, 100U);
}

TEST_F(AgainstAPlainLoopOfRings, AlsoWithOtherShapesLatenciesAndBuffers) {
  u64 seed = 20;
  for (const auto& [x, y, wrap] : {std::tuple{3, 3, true}, {7, 3, true}, {4, 4, false}, {2, 5, false}}) {
    for (const i64 buffer : {2, 3}) {
      for (const u32 queue : {1U, 2U}) {
        Shape shape{x, y, wrap, 3, 2, 1, buffer - 1, buffer, 1, buffer - 1};
        shape.transit = buffer;
        shape.new_beside = buffer - static_cast<i64>(queue);
        shape.queue = queue;
        shape.injection = 5;
        expect_same(shape, random_traffic(static_cast<u32>(x * y), 40, 30, ++seed));
      }
    }
  }
  EXPECT_GT(misrouted_, 0U);
}

}  // namespace
}  // namespace weft::models::testing
