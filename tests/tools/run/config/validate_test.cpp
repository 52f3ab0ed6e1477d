// Settings of networks and of the computation that must fit each other, what `auto` means, and the scale of time.
#include "tools/run/config/check/validate.hpp"

#include "tests/tools/run/config/validate_setting.hpp"

namespace weft::tools {
namespace {

using testing::contains;
using testing::Validate;

TEST_F(Validate, DefaultsAreValidOnCubesAndTrees) {
  EXPECT_EQ(torus_error({}), "");
  EXPECT_EQ(tree_error({}), "");
}

TEST_F(Validate, ATopologyIsNeeded) {
  EXPECT_TRUE(contains(validation_error(""), "topology.kind is missing"));
  EXPECT_TRUE(contains(validation_error("[topology]\nkind = \"torsu\"\n"), "did you mean \"torus\"?"));
}

TEST_F(Validate, AutoMeansTheRouterAndTheRoutingOfTheTopology) {
  EXPECT_EQ(resolved_router_kind(load(torus_)), "bubble");
  EXPECT_EQ(resolved_routing(load(torus_)), "shortest");
  EXPECT_EQ(resolved_router_kind(load(tree_)), "multistage");
  EXPECT_EQ(resolved_routing(load(tree_)), "adaptive");
  EXPECT_EQ(resolved_router_kind(load("[topology]\nkind = \"mesh\"\n")), "bubble");
  EXPECT_EQ(resolved_router_kind(load("[topology]\nkind = \"crossbar\"\n")), "multistage");
  EXPECT_EQ(resolved_routing(load(torus_, {"router.routing=smart"})), "smart");
}

TEST_F(Validate, ARouterMustFitTheTopologyAndAModeTheRouter) {
  EXPECT_TRUE(contains(torus_error({"router.kind=multistage"}), "use router.kind = \"bubble\""));
  EXPECT_TRUE(contains(tree_error({"router.kind=bubble"}), "use router.kind = \"multistage\""));
  EXPECT_TRUE(contains(torus_error({"router.routing=static"}), "use router.routing = \"shortest\""));
  EXPECT_TRUE(contains(tree_error({"router.routing=smart"}), "use router.routing = \"adaptive\""));
  EXPECT_EQ(tree_error({"router.kind=multistage", "router.routing=static"}), "");
}

TEST_F(Validate, OnlySwitchesOfCellsKnowTheOccupancyOfOutputs) {
  const auto dragonfly_error = [this](const std::vector<std::string>& overrides) {
    return validation_error("[topology]\nkind = \"dragonfly\"\n[router]\nvirtual_channels = 4\n", overrides);
  };
  for (const std::string mode : {"ugal-l", "ugal-g", "par"}) {
    const std::string plain = dragonfly_error({"router.routing=" + mode});
    EXPECT_TRUE(contains(plain, "goes by the occupancy of outputs, which only switches of cells know"));
    EXPECT_TRUE(contains(plain, "use router.kind = \"switch\" and router.routing = \"" + mode + "\""));
    EXPECT_EQ(dragonfly_error({"router.kind=switch", "router.routing=" + mode}), "");
    EXPECT_EQ(dragonfly_error({"router.kind=switch", "router.routing=" + mode}), "");
    const std::string worms = dragonfly_error(
        {"router.kind=wormhole", "router.virtual_channels=1", "deadlock.unsafe=true", "router.routing=" + mode});
    EXPECT_TRUE(contains(worms, "router.routing"));
    EXPECT_TRUE(contains(worms, "goes by the occupancy of outputs, which these switches do not know"));
    EXPECT_TRUE(contains(worms, "use router.kind = \"switch\", or mode \"minimal\""));
  }
  EXPECT_EQ(dragonfly_error({"router.routing=valiant"}), "");
}

TEST_F(Validate, WormholeSwitchesAreAdvisedMoreChannelsOrRoutesOfOne) {
  for (const std::string shape :
       {"kind = \"torus\"\ndims = [4, 4]\n", "kind = \"slim-fly\"\nq = 3\n", "kind = \"dragonfly\"\n"}) {
    const std::string network = "[topology]\n" + shape + "[router]\nkind = \"wormhole\"\n";
    const std::string refused = validation_error(network, {});
    EXPECT_TRUE(contains(refused, "use virtual_channels = ")) << refused;
    EXPECT_TRUE(contains(refused, "or router.routing = \"source-route\" or \"forwarding-table\"")) << refused;
    const std::string stop_go = validation_error(network, {"router.flow_control=stop-go"});  // of one channel
    EXPECT_TRUE(contains(stop_go, "use router.routing = \"source-route\" or \"forwarding-table\"")) << stop_go;
    EXPECT_EQ(validation_error(network, {"router.routing=source-route"}), "");
    EXPECT_EQ(validation_error(network, {"router.routing=forwarding-table"}), "");
  }
}

TEST_F(Validate, AdaptiveModesNeedASecondVirtualChannel) {
  for (const std::string mode : {"random", "shortest", "smart", "auto"}) {
    const std::string routing = "router.routing=" + mode;
    EXPECT_TRUE(contains(torus_error({"router.virtual_channels=1", routing}),
                         "use virtual_channels = 2 or routing = \"oblivious\""))
        << mode;
    EXPECT_EQ(torus_error({"router.virtual_channels=2", routing}), "") << mode;
    EXPECT_EQ(torus_error({"router.virtual_channels=1", routing, "deadlock.unsafe=true"}), "") << mode;
  }
  EXPECT_EQ(torus_error({"router.virtual_channels=1", "router.routing=oblivious"}), "");
  EXPECT_EQ(tree_error({"router.virtual_channels=1"}), "");
}

TEST_F(Validate, ABubbleNeedsTwoPacketsAndAQueueThatHoldsIt) {
  EXPECT_TRUE(contains(torus_error({"router.bubble_packets=1"}), "use bubble_packets = 2"));
  EXPECT_EQ(torus_error({"router.bubble_packets=1", "deadlock.unsafe=true"}), "");
  EXPECT_TRUE(contains(torus_error({"router.queue_packets=1"}), "the nearest valid value is 2"));
  EXPECT_TRUE(contains(torus_error({"router.bubble_packets=5"}), "the nearest valid value is 4"));
  EXPECT_EQ(tree_error({"router.queue_packets=1"}), "");
}

TEST_F(Validate, RestrictionsOfInjectionMustHaveAnEffect) {
  EXPECT_EQ(torus_error({"router.ipr_fraction=0.5", "router.lbr_packets=2", "router.injection=dor",
                         "router.injection_queues=2"}),
            "");
  EXPECT_TRUE(contains(torus_error({"router.injection=dor"}), "has no effect with router.injection_queues = 1"));
  EXPECT_TRUE(contains(torus_error({"router.lbr_packets=5"}), "the nearest valid value is 4"));
  EXPECT_TRUE(contains(torus_error({"router.lbr_packets=2", "router.routing=oblivious"}), "has no effect"));
  EXPECT_TRUE(contains(tree_error({"router.ipr_fraction=0.5"}), "has no effect on multistage"));
  EXPECT_TRUE(contains(tree_error({"router.lbr_packets=2"}), "has no effect on multistage"));
  EXPECT_TRUE(contains(tree_error({"router.injection=dor"}), "has no effect on multistage"));
}

TEST_F(Validate, TheSuggestionForAnOverfullInjectionPortIsValid) {
  const auto check = [&](std::vector<std::string> overrides, const std::string& advice,
                         const std::vector<std::string>& instead) {
    const std::string error = torus_error(overrides);
    EXPECT_TRUE(contains(error, "router.injection_queue_packets = "));
    EXPECT_TRUE(error.ends_with("; use " + advice)) << error;
    overrides.insert(overrides.end(), instead.begin(), instead.end());
    EXPECT_EQ(torus_error(overrides), "") << advice;
  };
  check({"router.queue_packets=250"}, "injection_queue_packets = 5", {"router.injection_queue_packets=5"});
  check({"router.queue_packets=255", "router.injection_queue_packets=2"}, "queue_packets = 253",
        {"router.queue_packets=253"});
  check({"router.queue_packets=255", "router.injection_queue_packets=254"},
        "queue_packets = 254 and injection_queue_packets = 1",
        {"router.queue_packets=254", "router.injection_queue_packets=1"});
  check({"router.queue_packets=255", "router.injection_queue_packets=8", "router.bubble_packets=250"},
        "queue_packets = 254 and injection_queue_packets = 1",
        {"router.queue_packets=254", "router.injection_queue_packets=1"});
  EXPECT_EQ(tree_error({"router.queue_packets=1", "router.injection_queue_packets=254"}), "");
  EXPECT_EQ(torus_error({"router.kind=switch", "router.injection_queue_packets=255"}), "");  // has no such queues
}

TEST_F(Validate, APacketLastsNoLongerThanRoomsCanBeReckoned) {
  const std::vector<std::string> slow{"simulation.tick_ps=1", "link.rate_gbps=0.001", "packet.phit_bytes=1"};
  const auto with = [&](const std::string& phits) {
    std::vector<std::string> overrides = slow;
    overrides.push_back("simulation.tick_ps=10");
    overrides.push_back("packet.phits=" + phits);
    return torus_error(overrides);
  };
  EXPECT_TRUE(contains(with("11"),
                       "packet.phits = 11 makes a packet take 8800000 ticks on a link, 800000 for each phit "
                       "(at most 8421504); use packet.phits = 10 or less"));
  EXPECT_EQ(with("10"), "");
}

TEST_F(Validate, AutoChoosesTheProtocolByTheNumberOfRanks) {
  const Config config = load(torus_);
  EXPECT_EQ(resolved_protocol(config, 1), "sequential");
  EXPECT_EQ(resolved_protocol(config, 2), "windowed");
  EXPECT_EQ(resolved_protocol(config, 3), "null-message");
  EXPECT_EQ(resolved_protocol(config, 9), "null-message");
  for (const std::string protocol : {"windowed", "null-message"}) {
    const Config chosen = load(torus_, {"parallel.protocol=" + protocol});
    EXPECT_EQ(resolved_protocol(chosen, 1), "sequential");
    EXPECT_EQ(resolved_protocol(chosen, 2), protocol);
    EXPECT_EQ(resolved_protocol(chosen, 100), protocol);
  }
  const Config alone = load(torus_, {"parallel.protocol=sequential"});
  EXPECT_EQ(resolved_protocol(alone, 1), "sequential");
  EXPECT_THROW(resolved_protocol(alone, 2), ConfigError);
}

TEST_F(Validate, APartitionFromAFileNeedsTheFile) {
  EXPECT_TRUE(contains(torus_error({"parallel.partition=file"}), "parallel.partition_path is not given"));
  EXPECT_TRUE(contains(torus_error({"parallel.partition_path=ranks.txt"}), "has no effect"));
  EXPECT_EQ(torus_error({"parallel.partition=file", "parallel.partition_path=ranks.txt"}), "");
}

TEST_F(Validate, WeightsNeedAPartitionThatBalancesThem) {
  EXPECT_EQ(torus_error({"parallel.weights=run.ckpt.h5"}), "");
  EXPECT_EQ(torus_error({"parallel.weights=run.ckpt.h5", "parallel.partition=metis"}), "");
  for (const char* partition : {"boxes", "subtrees", "block", "round-robin"}) {
    const std::string error =
        torus_error({"parallel.weights=run.ckpt.h5", std::string("parallel.partition=") + partition});
    EXPECT_TRUE(contains(error, "parallel.weights")) << partition;
    EXPECT_TRUE(contains(error, "use partition = \"metis\"")) << partition;
  }
}

TEST_F(Validate, ACheckpointNeedsAName) {
  EXPECT_EQ(torus_error({"checkpoint.every_seconds=60", "checkpoint.every_cycles=1000", "checkpoint.path=a.h5"}), "");
  EXPECT_TRUE(contains(torus_error({"checkpoint.path=\"\""}), "checkpoint.path"));
}

TEST_F(Validate, ATickIsACycleUnlessALengthIsGiven) {
  const TimeScale plain = time_scale(load(torus_, {"link.latency_cycles=3"}));
  EXPECT_EQ(plain.ticks_per_cycle, 1U);
  EXPECT_EQ(plain.latency_ticks, 3U);
  EXPECT_EQ(plain.cycle_ns, 0.0);
  const TimeScale timed = time_scale(load(torus_, {"simulation.tick_ps=2500"}));
  EXPECT_EQ(timed.ticks_per_cycle, 1U);
  EXPECT_EQ(timed.cycle_ns, 2.5);
  // 32 bits at 10 Gbit/s.
  EXPECT_DOUBLE_EQ(time_scale(load(torus_, {"link.rate_gbps=10"})).cycle_ns, 3.2);
}

TEST_F(Validate, APhitLastsAWholeNumberOfTicks) {
  // 4 bytes at 10 Gbit/s last 3200 ps.
  const TimeScale scale =
      time_scale(load(torus_, {"simulation.tick_ps=100", "link.rate_gbps=10", "link.latency_cycles=2"}));
  EXPECT_EQ(scale.ticks_per_cycle, 32U);
  EXPECT_EQ(scale.latency_ticks, 64U);
  EXPECT_DOUBLE_EQ(scale.cycle_ns, 3.2);
  const std::string error = torus_error({"simulation.tick_ps=1000", "link.rate_gbps=10"});
  EXPECT_TRUE(contains(error, "3200.0 ps (no positive whole number of ticks of 1000 ps)"));
  EXPECT_TRUE(contains(error, "use simulation.tick_ps = 800, or link.rate_gbps = 10.666666666666666"));
  EXPECT_EQ(torus_error({"simulation.tick_ps=800", "link.rate_gbps=10"}), "");
  EXPECT_EQ(torus_error({"simulation.tick_ps=1000", "link.rate_gbps=10.666666666666666"}), "");
  EXPECT_TRUE(contains(torus_error({"simulation.tick_ps=5000", "link.rate_gbps=10"}), "use simulation.tick_ps = 3200"));
  EXPECT_TRUE(contains(torus_error({"simulation.tick_ps=1", "link.rate_gbps=0.000001"}),
                       "use simulation.tick_ps = 32000 or more"));
}

TEST_F(Validate, ALatencyInNanosecondsNeedsTicksAndIsAWholeNumberOfThem) {
  const TimeScale scale = time_scale(load(torus_, {"simulation.tick_ps=100", "link.latency_ns=12.5"}));
  EXPECT_EQ(scale.latency_ticks, 125U);
  EXPECT_TRUE(contains(torus_error({"link.latency_ns=5"}), "use link.latency_cycles"));
  EXPECT_TRUE(
      contains(torus_error({"simulation.tick_ps=1000", "link.latency_ns=1.4"}), "the nearest valid value is 1.0"));
  EXPECT_TRUE(
      contains(torus_error({"simulation.tick_ps=1000", "link.latency_ns=0.1"}), "the nearest valid value is 1.0"));
  EXPECT_TRUE(
      contains(torus_error({"simulation.tick_ps=1000", "link.latency_ns=2", "link.latency_cycles=2"}), "both given"));
}

TEST_F(Validate, RebalancingNeedsCheckpointsAndALimitThatCanBeKept) {
  EXPECT_TRUE(contains(torus_error({"parallel.rebalance_above=1.2"}), "without checkpoints"));
  EXPECT_TRUE(contains(torus_error({"parallel.rebalance_above=0.9", "checkpoint.every_cycles=5"}), "use 1.2, or 0"));
  EXPECT_EQ(torus_error({"parallel.rebalance_above=1.2", "checkpoint.every_cycles=5"}), "");
  EXPECT_EQ(torus_error({"parallel.rebalance_above=1.2", "checkpoint.every_seconds=5"}), "");
  EXPECT_EQ(torus_error({"parallel.rebalance_above=0"}), "");
}

}  // namespace
}  // namespace weft::tools
