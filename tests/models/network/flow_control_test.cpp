// Virtual cut-through in small networks whose history can be worked out by hand: who waits for whom, and for how long.
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

TEST(FlowControl, TwoPacketsForOneOutputAreOnePacketTimeApart) {
  for (const u32 channels : {1U, 2U}) {
    for (const Tick link : {1, 5}) {
      Case setup{crossbar(4), packets_of(usual_phits, link)};
      setup.router.virtual_channels = channels;
      const Result result = run_script(setup, {{0, 0, 3}, {0, 1, 3}});
      EXPECT_EQ(times_at(result, 3), (std::vector<Tick>{2 * link + usual_phits - 1, 2 * link + 2 * usual_phits - 1}));
    }
  }
}

TEST(FlowControl, PacketsForDifferentOutputsDoNotDelayEachOther) {
  const Result result =
      run_script({crossbar(4), packets_of(usual_phits)}, {{0, 0, 2}, {0, 1, 3}, {0, 2, 1}, {0, 3, 0}});
  for (const Delivery& d : result.deliveries) EXPECT_EQ(d.at, 2 + usual_phits - 1);
}

TEST(FlowControl, AStreamKeepsItsLinksBusyWhenQueuesHoldTwoPackets) {
  for (const auto& topology : {mesh({5}), crossbar(5)}) {
    Case setup{topology, packets_of(usual_phits)};
    setup.router.queue_packets = 2;
    setup.router.own.set("bubble_packets", i64{0});
    const Result result = run_script(setup, std::vector<Send>(10, {0, 0, 4}));
    const Tick links = topology.kind == "mesh" ? 4 : 2;
    const auto times = times_at(result, 4);
    ASSERT_EQ(times.size(), 10U);
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(times[i], links + usual_phits * (i + 1) - 1);
  }
}

TEST(FlowControl, AQueueOfOnePacketCostsTheRoundTripOfTheCredit) {
  // The next packet starts when the tail's free space is known upstream: a packet time, the credit's way and the
  // header's way.
  for (const Tick link : {1, 2, 5, 20}) {
    Case setup{mesh({4}), packets_of(usual_phits, link)};
    setup.router.queue_packets = 1;
    setup.router.own.set("bubble_packets", i64{0});
    const Result result = run_script(setup, std::vector<Send>(6, {0, 0, 3}));
    ASSERT_TRUE(result.drained);
    const auto times = times_at(result, 3);
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_EQ(times[i], 3 * link + usual_phits - 1 + i * (usual_phits + 2 * link - 1));
  }
}

TEST(FlowControl, AQueueOfOnePacketHoldsTheNextPacketBackWhileItsOutputIsBlocked) {
  // Nodes 0 and 1 send two packets each to node 3, whose NIC takes one every L + 1 cycles (the round trip of the
  // credit). Node 1's first waits in the switch until L + 2; its departure is known at its NIC a cycle later and the
  // free space is complete at 2 L + 2: only then may node 1's second packet start. Node 0's second may start at L + 1.
  Case setup{crossbar(4), packets_of(usual_phits)};
  setup.router.queue_packets = 1;
  setup.router.arbitration = Arbitration::round_robin;
  const std::vector<Send> script = {{0, 0, 3}, {0, 0, 3}, {0, 1, 3}, {0, 1, 3}};
  const auto injected_before = [&](Tick until) {
    setup.until = until;
    return run_script(setup, script).counters.injected;
  };
  EXPECT_EQ(injected_before(1), 2U);
  EXPECT_EQ(injected_before(usual_phits + 1), 2U);
  EXPECT_EQ(injected_before(usual_phits + 2), 3U);
  EXPECT_EQ(injected_before(2 * usual_phits + 2), 3U);
  EXPECT_EQ(injected_before(2 * usual_phits + 3), 4U);
  setup.until = never;
  EXPECT_EQ(times_at(run_script(setup, script), 3),
            (std::vector<Tick>{usual_phits + 1, 2 * usual_phits + 2, 3 * usual_phits + 3, 4 * usual_phits + 4}));
}

TEST(FlowControl, BackPressureReachesTheSourceThroughEveryQueueOnTheWay) {
  // Node 4 keeps the consumption of node 3 busy with half of its time; what waits fills the queues on the way from node
  // 0.
  Case setup{mesh({5}), packets_of(usual_phits)};
  setup.router.own.set("bubble_packets", i64{0});
  setup.router.queue_packets = 2;
  setup.router.arbitration = Arbitration::round_robin;
  std::vector<Send> script(40, {0, 0, 3});
  script.insert(script.end(), 40, {0, 4, 3});
  setup.until = 20 * usual_phits;
  const Result result = run_script(setup, script);
  // 20 packet times: 10 packets of each at most, and 3 queues of 2 between node 0 and node 3.
  const auto sources = sources_at(result, 3);
  EXPECT_NEAR(static_cast<double>(std::count(sources.begin(), sources.end(), 0U)), 9.5, 0.5);
  EXPECT_LE(result.counters.injected, 20U + 3 * 2 + 2 + 1);
  EXPECT_GE(result.counters.injected, 19U + 3 * 2 + 2 - 1);
}

TEST(FlowControl, MultipleConsumptionTakesTwoPacketsAtOnceAndSingleOneAfterTheOther) {
  for (const bool multiple : {false, true}) {
    Case setup{mesh({3}), packets_of(usual_phits)};
    setup.router.multiple_consumption = multiple;
    const auto times = times_at(run_script(setup, {{0, 0, 1}, {0, 2, 1}}), 1);
    ASSERT_EQ(times.size(), 2U);
    EXPECT_EQ(times[0], 1 + usual_phits - 1);
    EXPECT_EQ(times[1] - times[0], multiple ? 0 : usual_phits);
  }
}

TEST(FlowControl, TwoChannelsLetAPacketPassABlockedOne) {
  // 0 -> 2 waits for the link to node 2, which 3 and 4 keep busy; 0 -> 1 comes after it.
  for (const u32 channels : {1U, 2U}) {
    Case setup{crossbar(5), packets_of(usual_phits)};
    setup.router.virtual_channels = channels;
    setup.router.queue_packets = 1;
    setup.router.arbitration = Arbitration::round_robin;
    std::vector<Send> script(12, {0, 3, 2});
    script.insert(script.end(), 12, {0, 4, 2});
    script.push_back({10, 0, 2});
    script.push_back({11, 0, 1});
    const auto times = times_at(run_script(setup, script), 1);
    ASSERT_EQ(times.size(), 1U);
    if (channels == 1) {
      EXPECT_GT(times[0], 10 + 3 * usual_phits) << "it passed the packet before it in the same queue";
    } else {
      EXPECT_EQ(times[0], 10 + usual_phits + 2 + usual_phits - 1);
    }
  }
}

TEST(FlowControl, APacketOnTheLinkIsNotInterleavedWithOneOfAnotherChannel) {
  Case setup{crossbar(3), packets_of(usual_phits)};
  setup.router.virtual_channels = 4;
  const auto times = times_at(run_script(setup, std::vector<Send>(4, {0, 0, 2})), 2);
  EXPECT_EQ(times, (std::vector<Tick>{usual_phits + 1, 2 * usual_phits + 1, 3 * usual_phits + 1, 4 * usual_phits + 1}));
}

TEST(FlowControl, WaitingIsCountedFromGenerationToInjection) {
  const Result result = run_script({mesh({2}), packets_of(usual_phits)}, std::vector<Send>(3, {0, 0, 1}));
  EXPECT_EQ(result.counters.wait, 0U + usual_phits + 2 * usual_phits);
  EXPECT_EQ(result.counters.latency, 3 * (1 + usual_phits - 1) + result.counters.wait);
}

}  // namespace
}  // namespace weft::models::testing
