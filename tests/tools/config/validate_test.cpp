// Settings that must fit each other, what `auto` means, and the scale of time.
#include "tools/config/validate.hpp"

#include "tests/tools/config/config_file.hpp"
#include "tools/config/application.hpp"

namespace weft::tools {
namespace {

using testing::contains;

struct Validate : testing::ConfigFile {
  const std::string torus_ = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n";
  const std::string tree_ = "[topology]\nkind = \"thin-tree\"\ndown = 4\nup = 2\nlevels = 2\n";

  std::string torus_error(const std::vector<std::string>& overrides) const {
    return validation_error(torus_, overrides);
  }
  std::string tree_error(const std::vector<std::string>& overrides) const { return validation_error(tree_, overrides); }
};

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

TEST_F(Validate, WormholeSwitchesAreNotAdvisedMoreChannelsThanTheyCanHave) {
  for (const std::string shape :
       {"kind = \"torus\"\ndims = [4, 4]\n", "kind = \"slim-fly\"\nq = 3\n", "kind = \"dragonfly\"\n"}) {
    const std::string network = "[topology]\n" + shape + "[router]\nkind = \"wormhole\"\n";
    const std::string refused = validation_error(network, {});
    EXPECT_TRUE(contains(refused, "use router.routing = \"source-route\" or \"forwarding-table\"")) << refused;
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

TEST_F(Validate, AutoStopsWhereTheWorkloadEndsOrIsMeasured) {
  EXPECT_EQ(resolved_stop(load(torus_)), "steady-state");
  EXPECT_EQ(resolved_stop(load(torus_, {"workload.kind=burst"})), "workload-complete");
  EXPECT_EQ(resolved_stop(load(torus_, {"simulation.cycles=100"})), "cycles");
  EXPECT_EQ(resolved_stop(load(torus_, {"workload.kind=burst", "simulation.cycles=100"})), "cycles");
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

TEST_F(Validate, StopMustFitTheWorkloadAndTheCycles) {
  EXPECT_TRUE(contains(torus_error({"simulation.stop=steady-state", "simulation.cycles=100"}), "contradicts stop"));
  EXPECT_TRUE(contains(torus_error({"simulation.stop=cycles"}), "add for example cycles = 100000"));
  EXPECT_EQ(torus_error({"simulation.stop=cycles", "simulation.cycles=100"}), "");
  EXPECT_TRUE(contains(torus_error({"simulation.stop=workload-complete"}), "it never ends"));
  EXPECT_TRUE(contains(torus_error({"simulation.stop=steady-state", "workload.kind=burst"}), "it ends by itself"));
  EXPECT_EQ(torus_error({"simulation.max_cycles=100"}), "");
}

TEST_F(Validate, TracesNeedAPathAndKernelsAName) {
  EXPECT_TRUE(contains(torus_error({"workload.kind=trace"}), "workload.path is not given"));
  EXPECT_EQ(torus_error({"workload.kind=trace", "workload.path=a.trc", "workload.mode=at-will"}), "");
  EXPECT_TRUE(contains(torus_error({"workload.kind=kernel"}), "workload.name is not given"));
  EXPECT_EQ(torus_error({"workload.kind=kernel", "workload.name=wavefront"}), "");
  EXPECT_TRUE(contains(torus_error({"workload.mode=at-will"}), "use workload.kind = \"trace\""));
}

TEST_F(Validate, CollectivesNeedANameAndKeysThatHaveAnEffect) {
  EXPECT_TRUE(contains(torus_error({"workload.kind=collective"}), "name = \"reduce\""));
  EXPECT_EQ(torus_error({"workload.kind=collective", "workload.name=reduce", "workload.algorithm=linear"}), "");
  EXPECT_TRUE(contains(torus_error({"workload.kind=collective", "workload.name=reduce", "workload.wrap=true"}),
                       "workload.wrap = true has no effect"));
  EXPECT_TRUE(contains(torus_error({"workload.algorithm=ring"}), "has no effect with workload.kind = \"synthetic\""));
}

TEST_F(Validate, AnExponentOfZipfNeedsThePattern) {
  EXPECT_EQ(torus_error({"workload.pattern=zipf", "workload.zipf_exponent=0.8"}), "");
  EXPECT_TRUE(
      contains(torus_error({"workload.zipf_exponent=0.8"}), "has no effect with workload.kind = \"synthetic\""));
  EXPECT_THROW(load(tree_, {"workload.zipf_exponent=11"}), ConfigError);
}

TEST_F(Validate, KeysOfOnePatternAreRefusedWithOthers) {
  EXPECT_EQ(torus_error({"workload.pattern=next-group", "workload.group_shift=2"}), "");
  EXPECT_EQ(torus_error({"workload.pattern=stencil", "workload.grid=[4,4]"}), "");
  EXPECT_TRUE(contains(torus_error({"workload.group_shift=2"}), "use pattern = \"next-group\""));
  EXPECT_TRUE(contains(torus_error({"workload.grid=[4,4]"}), "use pattern = \"stencil\""));
  EXPECT_TRUE(contains(
      torus_error({"workload.kind=kernel", "workload.name=mesh", "workload.pattern=stencil", "workload.grid=[4,4]"}),
      "has no effect with workload.kind = \"kernel\""));
}

TEST_F(Validate, JobsNeedAPatternEachAndNoOther) {
  const auto jobs_error = [this](std::vector<std::string> overrides) {
    overrides.insert(overrides.end(), {"workload.job_nodes=[8,4]", "workload.job_patterns=uniform, zipf"});
    return torus_error(overrides);
  };
  EXPECT_EQ(jobs_error({}), "");
  EXPECT_EQ(jobs_error({"workload.job_load_percent=[100,0]", "workload.zipf_exponent=0.8"}), "");
  EXPECT_EQ(jobs_error({"workload.kind=burst"}), "");
  EXPECT_TRUE(contains(jobs_error({"workload.pattern=uniform"}), "has no effect beside workload.job_nodes"));
  EXPECT_TRUE(contains(jobs_error({"workload.grid=[4,2]"}), "has no effect beside workload.job_nodes"));
  EXPECT_TRUE(contains(jobs_error({"workload.group_shift=1"}), "has no effect beside workload.job_nodes"));
  EXPECT_TRUE(contains(jobs_error({"workload.job_load_percent=[100]"}), "has 1 loads for 2 jobs"));
  EXPECT_TRUE(contains(jobs_error({"workload.kind=kernel", "workload.name=mesh"}),
                       "use workload.kind = \"synthetic\" or \"burst\""));
  EXPECT_TRUE(contains(torus_error({"workload.job_nodes=[8,4]", "workload.job_patterns=uniform"}),
                       "write one for each, for example job_patterns = \"uniform, uniform\""));
  EXPECT_TRUE(contains(torus_error({"workload.job_nodes=[8,4]"}), "has 0 patterns for 2 jobs"));
  EXPECT_TRUE(contains(torus_error({"workload.job_patterns=uniform"}), "needs the nodes of each job"));
  EXPECT_THROW(load(torus_, {"workload.job_nodes=[1]"}), ConfigError);
  EXPECT_THROW(load(torus_, {"workload.job_load_percent=[101]"}), ConfigError);
}

TEST_F(Validate, PlacementFromAFileNeedsTheFile) {
  EXPECT_TRUE(contains(torus_error({"placement.policy=file"}), "placement.path is not given"));
  EXPECT_TRUE(contains(torus_error({"placement.path=nodes.txt"}), "has no effect"));
  EXPECT_EQ(torus_error({"placement.policy=file", "placement.path=nodes.txt"}), "");
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

TEST_F(Validate, TheLongestWarmUpIsNotShorterThanTheShortest) {
  const std::string said = torus_error({"measure.max_warmup_cycles=100"});
  EXPECT_TRUE(contains(said, "measure.max_warmup_cycles = 100 lets no run converge"));
  EXPECT_TRUE(said.ends_with("; use measure.max_warmup_cycles = 7000 or more")) << said;
}

TEST_F(Validate, AWarmUpIsLongEnoughForTheIntervalsThatMustAgree) {
  const std::string said = torus_error({"measure.warmup_cycles=2000", "measure.max_warmup_cycles=4000"});
  EXPECT_TRUE(contains(said, "it ends before measure.warmup_cycles = 2000 and 4 intervals of 1000 cycles"));
  EXPECT_TRUE(
      said.ends_with("use measure.max_warmup_cycles = 6000 or more, or measure.intervals = 1 for a warm-up of one "
                     "length"))
      << said;
  EXPECT_EQ(torus_error({"measure.warmup_cycles=2000", "measure.max_warmup_cycles=6000"}), "");
  EXPECT_EQ(torus_error({"measure.warmup_cycles=2000", "measure.max_warmup_cycles=4000", "measure.intervals=1"}), "");
  EXPECT_TRUE(contains(torus_error({"measure.warmup_cycles=199999"}), "measure.warmup_cycles = 199999 lets no run"));
  EXPECT_TRUE(contains(torus_error({"measure.intervals=1000"}), "measure.intervals = 1000 lets no run converge"));
}

TEST_F(Validate, KeysOfOneWayToMeasureDoNotGoWithTheOther) {
  EXPECT_EQ(torus_error({"measure.method=mser", "measure.interval_cycles=200", "measure.precision_fraction=0.01"}), "");
  EXPECT_TRUE(contains(torus_error({"measure.method=mser", "measure.warmup_cycles=3000"}),
                       "has no effect with measure.method = \"mser\""));
  EXPECT_TRUE(contains(torus_error({"measure.max_cycles=100000"}), "use measure.method = \"mser\""));
}

TEST_F(Validate, AnMserRunIsLongEnoughForItsBatchesAndNotTooLongForItsIntervals) {
  EXPECT_TRUE(
      contains(torus_error({"measure.method=mser", "measure.max_cycles=50000"}), "use measure.interval_cycles = 500"));
  EXPECT_TRUE(contains(torus_error({"measure.method=mser", "measure.interval_cycles=10"}),
                       "use measure.interval_cycles = 100"));
  EXPECT_TRUE(contains(torus_error({"measure.method=mser", "measure.batches=1"}), "leaves no confidence interval"));
  EXPECT_TRUE(contains(torus_error({"measure.method=mser", "simulation.cycles=1000"}),
                       "has no effect with simulation.stop = \"cycles\""));
}

TEST_F(Validate, SeveralSeedsHaveNoCheckpoints) {
  EXPECT_EQ(torus_error({"measure.seeds=3"}), "");
  EXPECT_TRUE(
      contains(torus_error({"measure.seeds=3", "checkpoint.every_cycles=1000"}), "does not go with measure.seeds = 3"));
  EXPECT_TRUE(contains(torus_error({"measure.seeds=3", "simulation.seed=9223372036854775806"}),
                       "use 9223372036854775805 or less"));
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

TEST_F(Validate, KeysOfTasksNeedTasks) {
  for (const std::string key :
       {"tasks_per_node=2", "local_latency_cycles=3", "turnaround_cycles=2", "send_gap_cycles=2"}) {
    EXPECT_TRUE(contains(torus_error({"workload." + key}), "has no effect with workload.kind = \"synthetic\"")) << key;
    EXPECT_TRUE(contains(torus_error({"workload.kind=burst", "workload." + key}), "use workload.kind = \"kernel\""))
        << key;
    EXPECT_EQ(torus_error({"workload.kind=kernel", "workload.name=BT", "workload." + key}), "") << key;
    EXPECT_EQ(torus_error({"workload.kind=collective", "workload.name=reduce", "workload." + key}), "") << key;
    EXPECT_EQ(torus_error({"workload.kind=trace", "workload.path=a.trc", "workload." + key}), "") << key;
  }
  const std::vector<std::string> at_will{"workload.kind=trace", "workload.path=a.trc", "workload.mode=at-will"};
  const auto with = [&](const std::string& key) {
    std::vector<std::string> all = at_will;
    all.push_back(key);
    return torus_error(all);
  };
  EXPECT_TRUE(contains(with("workload.turnaround_cycles=2"), "use workload.mode = \"causal\""));
  EXPECT_EQ(with("workload.send_gap_cycles=2"), "");
}

TEST_F(Validate, TasksFillThePlacesOnTheNodes) {
  const auto tasks = [&](const std::vector<std::string>& overrides) {
    return kernel_spec(load(tree_, overrides), 16).tasks;
  };
  EXPECT_EQ(tasks({"workload.name=BT", "workload.tasks_per_node=4"}), 64U);
  EXPECT_EQ(tasks({"workload.name=BT", "workload.tasks_per_node=4", "workload.tasks=32"}), 32U);
  EXPECT_EQ(collective_spec(load(tree_, {"workload.name=reduce", "workload.tasks_per_node=3"}), 16).tasks, 48U);
  EXPECT_EQ(tasks({"workload.name=BT", "workload.tasks=16777216"}), 16'777'216U);
  EXPECT_THROW(static_cast<void>(tasks({"workload.name=BT", "workload.tasks=16777217"})), ConfigError);
}

TEST_F(Validate, ParametersOfATopologyAndAKernelAreHandedOver) {
  const models::TopologySpec topology = topology_spec(load(tree_));
  EXPECT_EQ(topology.kind, "thin-tree");
  EXPECT_EQ(topology.keys.integer("down"), 4);
  EXPECT_EQ(topology.keys.integer("up"), 2);
  EXPECT_EQ(topology.keys.integer("levels"), 2);
  const auto kernel = [&](const std::vector<std::string>& overrides) {
    return kernel_spec(load(tree_, overrides), 16);
  };
  EXPECT_EQ(kernel({"workload.name=wavefront"}).tasks, 16U);
  EXPECT_EQ(kernel({"workload.name=wavefront", "workload.tasks=9"}).tasks, 9U);
  EXPECT_EQ(kernel({"workload.name=wavefront"}).repetitions, 1U);
  EXPECT_EQ(kernel({"workload.name=WF"}).repetitions, 40U);
  EXPECT_EQ(kernel({"workload.name=WF", "workload.repetitions=3"}).repetitions, 3U);
}

TEST_F(Validate, ACollectiveIsHandedOverAndItsLongestMessageChecked) {
  const auto with = [&](const std::vector<std::string>& overrides) {
    std::vector<std::string> all{"workload.kind=collective", "workload.name=allgather"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return load(tree_, all);
  };
  const auto network = models::make_topology(topology_spec(load(tree_)));
  EXPECT_EQ(collective_spec(with({}), 16).tasks, 16U);
  EXPECT_EQ(collective_spec(with({}), 16).algorithm, "auto");
  EXPECT_EQ(collective_spec(with({}), 16).repetitions, 1U);
  EXPECT_EQ(collective_spec(with({"workload.tasks=9", "workload.repetitions=3"}), 16).repetitions, 3U);
  EXPECT_EQ(generated_program(with({"workload.algorithm=ring"}), *network)->name(), "allgather (ring) of 16");
  workloads::TaskLimits limits;
  limits.message_bytes = 1000;
  EXPECT_EQ(generated_program(with({"workload.message_bytes=62"}), *network, limits)->tasks(), 16U);
  EXPECT_THROW(static_cast<void>(generated_program(with({"workload.message_bytes=63"}), *network, limits)),
               ConfigError);
}

TEST_F(Validate, HeadersArePartOfPacketsThatCarryMessages) {
  const std::string torus = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n";
  const std::string kernel = torus + "[workload]\nkind = \"kernel\"\nname = \"BU\"\n";
  EXPECT_EQ(validation_error(kernel + "[packet]\nheader_phits = 15\n"), "");
  EXPECT_TRUE(
      contains(validation_error(kernel + "[packet]\nheader_phits = 16\n"),
               "packet.header_phits = 16 leaves nothing of packet.phits = 16 for messages; use header_phits = 15"));
  EXPECT_TRUE(contains(validation_error(kernel + "[packet]\nheader_phits = 16\n"), "or packet.phits = 17 or more"));
  // Headers that kinds of routers have without being asked, too.
  const std::string crossbar = "[topology]\nkind = \"crossbar\"\nnodes = 2\n";
  for (const std::string router : {"myrinet", "infiniband"}) {
    const std::string short_packets = crossbar + "[router]\nkind = \"" + router + "\"\n[packet]\nphits = 1\n";
    EXPECT_TRUE(
        contains(validation_error(short_packets + "[workload]\nkind = \"kernel\"\nname = \"BU\"\n"),
                 "packet.header_phits = 1 leaves nothing of packet.phits = 1 for messages; use header_phits = 0, "
                 "or packet.phits = 2 or more"));
    EXPECT_EQ(validation_error(short_packets + "header_phits = 0\n[workload]\nkind = \"kernel\"\nname = \"BU\"\n"), "");
    EXPECT_EQ(validation_error(short_packets), "");
  }
  EXPECT_TRUE(contains(validation_error(torus + "[packet]\nheader_phits = 1\n"),
                       "has no effect with workload.kind = \"synthetic\""));
}

}  // namespace
}  // namespace weft::tools
