// The router by itself: latency, fairness, going round, dropping, copies, and that nobody sleeps through a chance.
#include "models/machine/spinnaker/spinnaker_network.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "models/machine/packets/block_bytes.hpp"
#include "models/machine/spinnaker/targets.hpp"
#include "tests/models/spinnaker/chips.hpp"

namespace weft::models::testing {
namespace {

TEST(SpinnakerNetwork, TakesEachHopAPacketLengthInAnEmptyNetwork) {
  for (const u32 phits : {1U, 5U, 16U}) {
    for (const Tick link : {1, 4}) {
      for (const Tick slow : {0, 3}) {
        const Case setup = chips(6, 5, phits, "unicast", link, slow);
        const auto topology = network_of(setup);
        std::vector<Send> script;
        for (u32 to = 1; to < 30; ++to) script.push_back({to * 1000, 0, to});
        const Result result = run_chips(setup, script);
        ASSERT_TRUE(result.drained);
        for (const Delivery& d : result.deliveries) {
          const Tick hops = topology->distance(NodeId(d.from), NodeId(d.to));
          EXPECT_EQ(d.at - d.generated, hops * (phits - 1 + link + slow) + phits - 1);
        }
      }
    }
  }
}

TEST(SpinnakerNetwork, LetsAPacketThroughPerCycleAndSharesTheEngineByTheTree) {
  // Three streams meet in node 12 of a 5x5 torus and go on to three outputs that are never busy: the engine is the
  // limit.
  const Case setup = chips(5, 5, 1);
  std::vector<Send> script;
  for (u32 k = 0; k < 40; ++k) {
    script.push_back({k, 11, 13});  // from the west, straight on
    script.push_back({k, 13, 11});  // from the east
    script.push_back({k, 12, 17});  // its own, to the north
  }
  const Result result = run_chips(setup, script);
  EXPECT_EQ(result.counters.dropped, 0U);
  const std::vector<Tick> own = times_at(result, 17);
  ASSERT_EQ(own.size(), 40U);
  // Every other one is its own, the links share the other half of the engine.
  EXPECT_EQ(own[38] - own[8], 30U * 2);
  const std::vector<Tick> west = times_at(result, 13);
  EXPECT_EQ(west[18] - west[2], 16U * 4);
}

TEST(SpinnakerNetwork, GoesRoundAFailedLinkWithOneHopMore) {
  for (u32 port = 0; port < 6; ++port) {
    const Case setup = chips(6, 6, 4);
    FaultSpec faults;
    faults.links = {14, port};
    const auto topology = network_of(setup, faults);
    const u32 to = topology->whole().peer(RouterId(14), port).id;
    const Result result = run_chips(setup, {{10, 14, to}}, faults);
    ASSERT_EQ(result.deliveries.size(), 1U) << port;
    // It waits first; two hops of 4 phits.
    EXPECT_EQ(result.deliveries[0].at - 10, 8U + 2 * 4 + 3);
    EXPECT_EQ(result.counters.distance, 2U);
    EXPECT_EQ(result.counters.link_starts, 2U);
  }
}

TEST(SpinnakerNetwork, GoesOnBehindTheTriangleAsIfNothingHadHappened) {
  for (const std::string mode : {"unicast", "multicast"}) {
    Case setup = chips(8, 8, 4, mode);
    setup.router.own.set("multicast_targets", i64{20});
    FaultSpec faults;
    faults.links = {0, 0, 20, 4, 45, 2, 34, 1};
    const auto topology = network_of(setup, faults);
    std::vector<Send> script;
    for (u32 from = 0; from < 64; ++from) script.push_back({from * 2000, from, (from + 21) % 64});
    const Result result = run_chips(setup, script, faults);
    EXPECT_EQ(result.counters.dropped, 0U) << mode;
    u64 distance = 0;
    for (const Delivery& d : result.deliveries) distance += topology->distance(NodeId(d.from), NodeId(d.to));
    EXPECT_GT(result.counters.distance, distance) << mode;
    EXPECT_LE(result.counters.distance, distance + 2 * result.deliveries.size()) << mode;
  }
}

TEST(SpinnakerNetwork, DropsWhatWaitsTooLongAndCountsIt) {
  Case setup = chips(6, 6, 4);
  FaultSpec faults;
  faults.links = {14, 0};
  setup.router.own.set("emergency_routing", false);
  // The third, which has another way, waits behind the others: 20 cycles each.
  const Result result = run_chips(setup, {{10, 14, 15}, {10, 14, 15}, {10, 14, 20}}, faults);
  EXPECT_EQ(result.counters.dropped, 2U);
  ASSERT_EQ(result.deliveries.size(), 1U);
  EXPECT_EQ(result.deliveries[0].at, 10 + 2 * 21 + 4 + 3);
  EXPECT_TRUE(result.blocked.empty());
}

TEST(SpinnakerNetwork, DropsAtOnceIfNobodyIsToWait) {
  Case setup = chips(6, 6, 4);
  setup.router.own.set("wait_cycles", i64{0});
  setup.router.own.set("emergency_wait_cycles", i64{0});
  setup.router.own.set("emergency_routing", false);
  const Result result = run_chips(setup, {{10, 14, 15}, {10, 14, 15}, {20, 14, 15}});
  EXPECT_EQ(result.counters.dropped, 1U);
  EXPECT_EQ(times_at(result, 15), (std::vector<Tick>{17, 27}));
}

TEST(SpinnakerNetwork, PutsDroppedPacketsBackWhenTheMonitorLooks) {
  Case setup = chips(6, 6, 4);
  setup.router.own.set("wait_cycles", i64{0});
  setup.router.own.set("emergency_wait_cycles", i64{0});
  setup.router.own.set("emergency_routing", false);
  setup.router.own.set("reinjection", true);
  setup.router.own.set("reinjection_cycles", i64{50});
  // The second finds the link busy, is dropped at once in tick 11, and leaves when the monitor looks in tick 50.
  const Result result = run_chips(setup, {{10, 14, 15}, {10, 14, 15}});
  EXPECT_EQ(result.counters.dropped, 0U);
  EXPECT_EQ(times_at(result, 15), (std::vector<Tick>{17, 57}));
  EXPECT_TRUE(result.drained);
}

TEST(SpinnakerNetwork, LosesDroppedPacketsThatTheMonitorHasNoPlaceFor) {
  Case setup = chips(6, 6, 4);
  setup.router.own.set("wait_cycles", i64{0});
  setup.router.own.set("emergency_wait_cycles", i64{0});
  setup.router.own.set("emergency_routing", false);
  setup.router.own.set("reinjection", true);
  setup.router.own.set("reinjection_packets", i64{1});
  setup.router.own.set("reinjection_cycles", i64{50});
  const Result result = run_chips(setup, {{10, 14, 15}, {10, 14, 15}, {10, 14, 15}});
  EXPECT_EQ(result.counters.dropped, 1U);
  EXPECT_EQ(times_at(result, 15), (std::vector<Tick>{17, 57}));
}

TEST(SpinnakerNetwork, CountsPacketsToFailedNodesApart) {
  FaultSpec faults;
  faults.nodes = {15};
  const Result result = run_chips(chips(6, 6, 4), {{10, 14, 15}, {10, 13, 16}}, faults);
  EXPECT_EQ(result.counters.dropped, 1U);
  EXPECT_EQ(result.counters.dropped_to_failed, 1U);
  EXPECT_EQ(times_at(result, 16).size(), 1U);
}

TEST(SpinnakerNetwork, CopiesAPacketOnceToEachTargetOfItsSource) {
  Case setup = chips(6, 5, 4, "multicast");
  setup.router.own.set("multicast_targets", i64{9});
  std::vector<Send> script;
  for (u32 from = 0; from < 30; ++from) script.push_back({from * 1000, from, (from + 1) % 30});
  const Result result = run_chips(setup, script);
  EXPECT_EQ(result.counters.dropped, 0U);
  EXPECT_EQ(result.counters.copies, 30U * 8);
  const spinnaker::Targets targets(*network_of(setup), setup.router);
  std::map<u32, std::multiset<u32>> arrived;
  for (const Delivery& d : result.deliveries) arrived[d.from].insert(d.to);
  std::vector<u32> wanted;
  for (u32 from = 0; from < 30; ++from) {
    targets.of(from, wanted);
    EXPECT_EQ(arrived[from], std::multiset<u32>(wanted.begin(), wanted.end())) << from;
  }
  EXPECT_LT(result.counters.link_starts, result.counters.distance) << "routes share links";
  EXPECT_EQ(result.counters.time_in_network(123'456), result.counters.latency) << "of each copy, from its injection";
}

/// What sends the messages of tasks, as far as a network's constructor sees it.
struct MessageHost {
  using Packet = PacketOfAMessage;
  static constexpr bool acts = true;
  struct Event {
    u32 entity;
  };
};

TEST(SpinnakerNetwork, RefusesMessagesOfTasksInModeMulticast) {
  const Case setup = chips(4, 4, 1, "multicast");
  const auto topology = network_of(setup);
  Layout layout(*topology, part_of_table(std::vector<u32>(16, 0)), 0, 1);
  MessageHost host;
  EXPECT_NO_THROW(spinnaker::SpinnakerNetwork<MessageHost>(*topology, chips(4, 4, 1).router, layout, host));
  EXPECT_THROW(spinnaker::SpinnakerNetwork<MessageHost>(*topology, setup.router, layout, host), ConfigError);
}

/// All at once, so that queues fill and packets go round and are dropped.
TEST(SpinnakerNetwork, SleepsThroughNothingAtSaturation) {
  for (const std::string mode : {"unicast", "multicast"}) {
    u64 dropped = 0;
    for (const i64 wait : {0, 3, 40}) {
      for (const u32 queue : {1U, 3U}) {
        Case setup = chips(5, 4, 4, mode, 2, 1);
        setup.router.queue_packets = queue;
        setup.router.own.set("wait_cycles", wait);
        setup.router.own.set("reinjection", wait == 3);
        setup.router.own.set("reinjection_packets", i64{2});
        setup.router.own.set("reinjection_cycles", i64{9});
        const auto script = random_traffic(20, 30, 40, 3);
        const Result events = run_chips(setup, script);
        setup.router.every_cycle = true;
        const Result cycles = run_chips(setup, script);
        dropped += events.counters.dropped;
        EXPECT_EQ(events.digest.hex(), cycles.digest.hex());
        EXPECT_EQ(events.counters.words(), cycles.counters.words());
        EXPECT_LT(events.acts, cycles.acts);
      }
    }
    EXPECT_GT(dropped, 0U) << mode;
  }
}

}  // namespace
}  // namespace weft::models::testing
