// Settings of workloads, their placement and measurement that must fit each other, and what is handed over of them.
#include "tests/tools/run/config/validate_setting.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/validate.hpp"

namespace weft::tools {
namespace {

using testing::contains;
using testing::Validate;

TEST_F(Validate, AutoStopsWhereTheWorkloadEndsOrIsMeasured) {
  EXPECT_EQ(resolved_stop(load(torus_)), "steady-state");
  EXPECT_EQ(resolved_stop(load(torus_, {"workload.kind=burst"})), "workload-complete");
  EXPECT_EQ(resolved_stop(load(torus_, {"simulation.cycles=100"})), "cycles");
  EXPECT_EQ(resolved_stop(load(torus_, {"workload.kind=burst", "simulation.cycles=100"})), "cycles");
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

TEST_F(Validate, KeysOfCollectivesNeedAnAlgorithmThatGoesByThem) {
  const auto error = [&](const std::string& name, const std::string& algorithm, const std::string& key) {
    return torus_error(
        {"workload.kind=collective", "workload.name=" + name, "workload.algorithm=" + algorithm, "workload." + key});
  };
  EXPECT_EQ(error("allreduce", "segmented-ring", "segment_bytes=4096"), "");
  EXPECT_TRUE(contains(error("allreduce", "ring", "segment_bytes=4096"),
                       "workload.segment_bytes = 4096 has no effect with allreduce \"ring\""));
  EXPECT_TRUE(contains(error("allreduce", "auto", "segment_bytes=4096"), "use algorithm = \"segmented-ring\""));
  EXPECT_EQ(error("broadcast", "k-nomial", "radix=8"), "");
  EXPECT_TRUE(contains(error("broadcast", "auto", "radix=8"), "use algorithm = \"k-nomial\""));
  EXPECT_EQ(error("barrier", "tree", "repetitions=3"), "");
  EXPECT_TRUE(contains(error("barrier", "tree", "message_bytes=8"), "has no effect with barrier \"tree\""));
}

TEST_F(Validate, AnExponentOfZipfNeedsThePattern) {
  EXPECT_EQ(torus_error({"workload.pattern=zipf", "workload.zipf_exponent=0.8"}), "");
  EXPECT_TRUE(
      contains(torus_error({"workload.zipf_exponent=0.8"}), "has no effect with workload.pattern = \"uniform\""));
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

TEST_F(Validate, PatternsSideBySideAreJobsNow) {
  const auto job_error = [this](const char* setting) {
    try {
      static_cast<void>(load(torus_, {setting}));
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_TRUE(contains(job_error("workload.job_nodes=[8,4]"), "its name is nodes of a [[job]] now"));
  EXPECT_TRUE(contains(job_error("workload.job_patterns=uniform, zipf"), "workload.pattern of a [[job]]"));
  EXPECT_TRUE(contains(job_error("workload.job_load_percent=[100,0]"), "workload.offered_load of a [[job]]"));
}

TEST_F(Validate, PlacementFromAFileNeedsTheFile) {
  EXPECT_TRUE(contains(torus_error({"placement.policy=file"}), "placement.path is not given"));
  EXPECT_TRUE(contains(torus_error({"placement.path=nodes.txt"}), "has no effect"));
  EXPECT_EQ(torus_error({"placement.policy=file", "placement.path=nodes.txt"}), "");
}

TEST_F(Validate, KeysOfAPlacementAreForThatPlacement) {
  EXPECT_EQ(torus_error({"placement.policy=shift", "placement.shift_nodes=5"}), "");
  EXPECT_TRUE(contains(torus_error({"placement.shift_nodes=5"}),
                       "has no effect with placement.policy = \"consecutive\"; remove it, or use policy = \"shift\""));
  EXPECT_THROW(load(torus_, {"placement.policy=shift", "placement.shift_nodes=-1"}), ConfigError);
  EXPECT_THROW(load(torus_, {"placement.policy=hillbert"}), ConfigError);
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
  EXPECT_TRUE(contains(torus_error({"measure.method=mser", "measure.warmup_cycles=3001"}),
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
  const auto tasks = [&](const std::vector<std::string>& overrides) { return task_count(load(tree_, overrides), 16); };
  EXPECT_EQ(tasks({"workload.name=BT", "workload.tasks_per_node=4"}), 64U);
  EXPECT_EQ(tasks({"workload.name=BT", "workload.tasks_per_node=4", "workload.tasks=32"}), 32U);
  EXPECT_EQ(tasks({"workload.kind=collective", "workload.name=reduce", "workload.tasks_per_node=3"}), 48U);
  EXPECT_EQ(tasks({"workload.name=BT", "workload.tasks=16777216"}), 16'777'216U);
  EXPECT_THROW(static_cast<void>(tasks({"workload.name=BT", "workload.tasks=16777217"})), ConfigError);
}

TEST_F(Validate, ParametersOfATopologyAndAKernelAreHandedOver) {
  const models::TopologySpec topology = topology_spec(load(tree_));
  EXPECT_EQ(topology.kind, "thin-tree");
  EXPECT_EQ(topology.keys.integer("down"), 4);
  EXPECT_EQ(topology.keys.integer("up"), 2);
  EXPECT_EQ(topology.keys.integer("levels"), 2);
  const auto network = models::make_topology(topology);
  const auto kernel = [&](std::vector<std::string> overrides) {
    overrides.emplace_back("workload.kind=kernel");
    const Config config = load(tree_, overrides);
    return make_program(config, workload_spec(config, *network, network->nodes()));
  };
  EXPECT_EQ(kernel({"workload.name=wavefront"})->tasks(), 16U);
  EXPECT_EQ(kernel({"workload.name=wavefront", "workload.tasks=9"})->tasks(), 9U);
  const auto operations = [&](const std::vector<std::string>& overrides) {  // of a task with two neighbours
    const auto program = kernel(overrides);
    const auto stream = program->open(TaskId(0));
    u32 count = 0;
    while (stream->next().kind != workloads::OpKind::end) ++count;
    return count;
  };
  EXPECT_EQ(operations({"workload.name=wavefront"}), 2U);
  EXPECT_EQ(operations({"workload.name=WF"}), 40 * 2U);
  EXPECT_EQ(operations({"workload.name=WF", "workload.repetitions=3"}), 3 * 2U);
}

TEST_F(Validate, ACollectiveIsHandedOverAndItsLongestMessageChecked) {
  const auto with = [&](const std::vector<std::string>& overrides) {
    std::vector<std::string> all{"workload.kind=collective", "workload.name=allgather"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return load(tree_, all);
  };
  const auto network = models::make_topology(topology_spec(load(tree_)));
  const auto program = [&](const std::vector<std::string>& overrides, u64 most_bytes = ~u64{0}) {
    const Config config = with(overrides);
    workloads::WorkloadSpec spec = workload_spec(config, *network, network->nodes());
    spec.limits.message_bytes = most_bytes;
    return make_program(config, spec);
  };
  EXPECT_EQ(program({"workload.algorithm=ring"})->name(), "allgather (ring) of 16");
  EXPECT_EQ(program({"workload.algorithm=ring", "workload.tasks=9"})->name(), "allgather (ring) of 9");
  EXPECT_EQ(program({"workload.message_bytes=62"}, 1000)->tasks(), 16U);
  EXPECT_THROW(static_cast<void>(program({"workload.message_bytes=63"}, 1000)), ConfigError);
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
