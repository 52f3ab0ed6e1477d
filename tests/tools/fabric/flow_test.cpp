// Patterns, and what they get where that is known: the worked example of the paper, closed forms, any number of
// addresses.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/transport.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "models/topology/topology.hpp"
#include "tools/fabric/flow_experiment.hpp"
#include "tools/fabric/flow_runs.hpp"
#include "tools/fabric/lft_writer.hpp"
#include "tools/fabric/report/flow_outputs.hpp"

namespace weft::tools {
namespace {

using models::Subnet;

Subnet fabric(const std::string& kind, const Parameters& keys) {
  return models::subnet_of(*models::make_topology({kind, keys}));
}

std::vector<workloads::TaskPair> pairs_of(const std::string& name, u32 tasks, u32 round, u64 bits = 1) {
  const workloads::PatternChoice choice = workloads::pattern_named(name);
  std::vector<workloads::TaskPair> pairs;
  choice.pattern->fill({.tasks = tasks, .round = round, .argument = choice.argument, .bits = bits, .leaves = nullptr},
                       pairs);
  return pairs;
}

u32 rounds_of(const std::string& name, u32 tasks) {
  const workloads::PatternChoice choice = workloads::pattern_named(name);
  return choice.pattern->rounds(tasks, choice.argument);
}

TEST(FlowPatterns, BisectPairsEveryHostOnceOneWay) {
  for (const u32 tasks : {2U, 7U, 64U}) {
    std::set<u32> seen;
    for (const auto& [from, to] : pairs_of("bisect", tasks, 0)) seen.insert(from), seen.insert(to);
    EXPECT_EQ(seen.size(), tasks - tasks % 2);
    EXPECT_EQ(pairs_of("bisect", tasks, 0).size(), tasks / 2);
  }
  EXPECT_NE(pairs_of("bisect", 64, 0, 1), pairs_of("bisect", 64, 0, 2));
}

TEST(FlowPatterns, HaveTheRoundsOfTheirAlgorithms) {
  EXPECT_EQ(rounds_of("dissemination", 9), 4U);
  EXPECT_EQ(rounds_of("all-to-all", 9), 8U);
  EXPECT_EQ(rounds_of("recursive-doubling", 8), 3U);
  EXPECT_EQ(rounds_of("recursive-doubling", 9), 5U);
  using Pairs = std::vector<workloads::TaskPair>;
  EXPECT_EQ(pairs_of("dissemination", 3, 1), (Pairs{{0, 2}, {1, 0}, {2, 1}}));
  EXPECT_EQ(pairs_of("tree", 6, 2), (Pairs{{0, 4}, {1, 5}}));
  EXPECT_EQ(pairs_of("ring", 3, 0), (Pairs{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(pairs_of("recursive-doubling", 3, 0), (Pairs{{2, 0}}));
  EXPECT_EQ(pairs_of("recursive-doubling", 3, 1), (Pairs{{0, 1}, {1, 0}}));
  EXPECT_EQ(pairs_of("recursive-doubling", 3, 2), (Pairs{{0, 2}}));
  EXPECT_EQ(pairs_of("neighbours:2", 4, 0), (Pairs{{0, 1}, {0, 3}, {1, 2}, {1, 0}, {2, 3}, {2, 1}, {3, 0}, {3, 2}}));
  EXPECT_EQ(pairs_of("pipeline", 4, 0), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(pairs_of("gather", 4, 0), (Pairs{{1, 0}, {2, 0}, {3, 0}}));
  EXPECT_EQ(pairs_of("scatter", 4, 0), (Pairs{{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_EQ(rounds_of("pairwise-exchange", 4), 3U);
  EXPECT_EQ(pairs_of("pairwise-exchange", 4, 2), (Pairs{{0, 3}, {1, 2}, {2, 1}, {3, 0}}));
  EXPECT_EQ(pairs_of("pairwise-exchange", 3, 1), (Pairs{{0, 2}, {1, 0}, {2, 1}}));
  for (const u32 tasks : {16U, 12U}) {  // everybody meets everybody once
    std::set<workloads::TaskPair> met;
    for (u32 round = 0; round < rounds_of("pairwise-exchange", tasks); ++round) {
      for (const auto& pair : pairs_of("pairwise-exchange", tasks, round)) EXPECT_TRUE(met.insert(pair).second);
    }
    EXPECT_EQ(met.size(), tasks * (tasks - 1));
  }
  // A tree reaches everybody once.
  std::set<u32> reached;
  for (u32 round = 0; round < rounds_of("tree", 100); ++round) {
    for (const auto& [from, to] : pairs_of("tree", 100, round)) EXPECT_TRUE(reached.insert(to).second);
  }
  EXPECT_EQ(reached.size(), 99U);
}

TEST(FlowPatterns, NeighboursAreMutualAndAsManyAsAsked) {
  for (const u32 tasks : {27U, 64U, 101U}) {
    const auto pairs = pairs_of("neighbours:6", tasks, 0);
    const std::set<workloads::TaskPair> all(pairs.begin(), pairs.end());
    EXPECT_EQ(all.size(), pairs.size());
    EXPECT_EQ(pairs.size() == 6 * tasks, tasks != 101);
    for (const auto& [from, to] : pairs) EXPECT_TRUE(from != to && (tasks == 101 || all.contains({to, from})));
  }
}

TEST(FlowPatterns, AreNamedWithTheirNumber) {
  for (const std::string wrong : {"bisection", "neighbours", "neighbours:5", "neighbours:x", "tree:3", "bisect:", ""}) {
    EXPECT_THROW(static_cast<void>(workloads::pattern_named(wrong)), ConfigError) << wrong;
  }
}

TEST(FlowPatterns, OfSixteenNodesAreAsManyAsPublished) {
  EXPECT_EQ(possible_bisect_patterns(16), 518'918'400.0);
  EXPECT_EQ(possible_bisect_patterns(4), 12.0);
  EXPECT_EQ(possible_bisect_patterns(3), 6.0);
}

/// An experiment on a fabric routed by an engine.
struct Routed {
  Subnet subnet;
  models::FabricRouting routing;
  Routed(Subnet made, const std::string& engine)
      : subnet(std::move(made)), routing(models::route_subnet(subnet, engine)) {}
  [[nodiscard]] FlowResult measure(FlowSettings settings, u64 index = 0) const {
    return FlowExperiment(subnet, routing.tables, std::move(settings)).measure(index);
  }
};

TEST(FlowExperiments, CountTheWorkedExampleOfThePaper) {
  // 16 nodes on 8-port crossbars: four leaves with four links up. Nodes 1, 2, 3 send to the first nodes of the other
  // leaves, by one link up.
  const Routed fat(fabric("clos", {{"leaf_down", i64{4}}, {"leaf_up", i64{4}}, {"leaves", i64{4}}}), "dmodk");
  FlowSettings settings;
  for (const auto& [from, to] :
       {workloads::TaskPair{1, 5}, {2, 9}, {3, 13}, {4, 6}, {7, 8}, {10, 11}, {12, 14}, {15, 16}}) {
    settings.pairs.emplace_back(from - 1, to - 1);
  }
  FlowExperiment experiment(fat.subnet, fat.routing.tables, settings);
  const FlowResult result = experiment.measure(0);
  EXPECT_EQ(experiment.last_congestion(), (std::vector<double>{3, 3, 3, 1, 1, 1, 1, 1}));
  EXPECT_DOUBLE_EQ(result.bandwidth, (3 * (1.0 / 3) + 5) / 8);
  EXPECT_DOUBLE_EQ(result.sum_max, 1.0 / 3);
  // (3 + 3 + 3 + 1 + 1 + 1 + 1 + 1) 2/16 = 14/8
  EXPECT_DOUBLE_EQ(result.pi_avg, 1.75);
  EXPECT_DOUBLE_EQ(result.sum_avg, 1 / 1.75);
  EXPECT_DOUBLE_EQ(result.pi_max, 3);
}

TEST(FlowExperiments, SendPairAfterPairToTheNextAddress) {
  // Two leaves of four hosts and four links up; address a of a host is reached by link a of the leaf: whatever address
  // all of four pairs take, they share one link, but pair k can go by link k.
  Subnet subnet = fabric("clos", {{"leaf_down", i64{4}}, {"leaf_up", i64{4}}, {"leaves", i64{2}}});
  for (const u32 bits : {2U, 1U}) {
    for (u32 h = 0; h < 8; ++h) subnet.set_host_lid(h, 4 + 4 * h, static_cast<u8>(bits));
    models::ForwardingTables tables(subnet);
    for (u32 target = 0; target < tables.targets(); ++target) {
      const u32 host = tables.host_of(target), address = target - tables.first_target(host);
      for (u32 at = 0; at < subnet.switches(); ++at) {
        u32 port = 0, up = 0;
        for (u32 p = 1; p <= subnet.switch_at(at).ports; ++p) {
          const models::Peer next = subnet.next(at, static_cast<u8>(p));
          if (next.kind == models::Peer::Kind::node && next.id == host) port = p;
          if (next.kind != models::Peer::Kind::router) continue;
          const bool is_leaf = at == subnet.peer_of_host(0).id || at == subnet.peer_of_host(4).id;
          if (is_leaf ? host / 4 != (at == subnet.peer_of_host(4).id ? 1U : 0U) && up++ == address
                      : next.id == subnet.peer_of_host(host).id)
            port = p;
        }
        tables.set_port(at, target, static_cast<u8>(port == 0 ? models::ForwardingTables::none : port));
      }
    }
    FlowSettings settings;
    for (u32 h = 0; h < 4; ++h) settings.pairs.emplace_back(h, 4 + h);
    for (const LidChoice lid : {LidChoice::first, LidChoice::average, LidChoice::best}) {
      settings.lid = lid;
      EXPECT_DOUBLE_EQ(FlowExperiment(subnet, tables, settings).measure(0).bandwidth, 0.25);
    }
    settings.lid = LidChoice::round_robin;
    EXPECT_DOUBLE_EQ(FlowExperiment(subnet, tables, settings).measure(0).bandwidth, bits == 2 ? 1.0 : 0.5);
  }
}

TEST(LogGpOfRoutes, MultipliesTheGapAndAddsToTheLatency) {
  const LogGp model = loggp_of("3500,800,1000,1.5,600");
  EXPECT_DOUBLE_EQ(model.time_of(1001, 3), 3500 + 2 * 600 + 2 * 800 + 1000 * 1.5 * 3);
  EXPECT_DOUBLE_EQ(model.time_of(0, 1), 3500 + 2 * 800);
  EXPECT_DOUBLE_EQ(loggp_of("1,2,3,4").latency_at(9), 1);
  for (const char* const wrong : {"", "1,2,3", "1,2,3,4,5,6", "1,2,3,x", "1,2,3,0", "1,-2,3,4", "1,2,3,nan"})
    EXPECT_THROW(static_cast<void>(loggp_of(wrong)), ConfigError) << wrong;
}

TEST(FlowExperiments, GetFullBandwidthFromACrossbarAndFromShiftsOnAFullTree) {
  const Routed crossbar(fabric("crossbar", {{"nodes", i64{12}}}), "minhop");
  for (const std::string name :
       {"bisect", "dissemination", "tree", "ring", "all-to-all", "recursive-doubling", "neighbours:4"}) {
    FlowSettings settings;
    settings.pattern = workloads::pattern_named(name);
    const FlowResult result = crossbar.measure(settings, 3);
    EXPECT_NEAR(result.bandwidth, 1.0, 1e-12) << name;
    EXPECT_GE(result.sum_avg + 1e-12, result.sum_max) << name;
    EXPECT_GE(result.task_avg + 1e-12, result.sum_avg) << name;
  }
  const Routed tree(fabric("tree", {{"arity", i64{4}}, {"levels", i64{3}}}), "dmodk");
  for (const std::string name : {"ring", "dissemination", "all-to-all"}) {
    FlowSettings settings;
    settings.pattern = workloads::pattern_named(name);
    settings.mapping = Mapping::linear;
    EXPECT_DOUBLE_EQ(tree.measure(settings).bandwidth, 1.0) << name;
    EXPECT_DOUBLE_EQ(tree.measure(settings).sum_max, 1.0) << name;
  }
}

TEST(FlowExperiments, OfAThinTreeFindTheBottleneckOfABridge) {
  // All eight hosts of a leaf send to those of another over two links up: four on each.
  const Routed thin(fabric("clos", {{"leaf_down", i64{8}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}}), "dmodk");
  FlowSettings settings;
  settings.pattern = workloads::pattern_named("bridge");
  EXPECT_DOUBLE_EQ(thin.measure(settings).bandwidth, 0.25);
}

TEST(FlowExperiments, TakeTheAverageOrTheBestOfSeveralAddresses) {
  Subnet subnet = fabric("clos", {{"leaf_down", i64{4}}, {"leaf_up", i64{4}}, {"leaves", i64{4}}});
  for (u32 h = 0; h < 16; ++h) subnet.set_host_lid(h, 4 + 4 * h, 2);
  const Routed fat(std::move(subnet), "minhop");
  ASSERT_EQ(fat.routing.tables.targets(), 64U);
  FlowSettings settings;
  settings.pattern = workloads::pattern_named("bisect");
  double sum = 0, best = 0;
  settings.lid = LidChoice::first;
  const double first = fat.measure(settings, 5).bandwidth;
  settings.lid = LidChoice::average;
  sum = fat.measure(settings, 5).bandwidth;
  settings.lid = LidChoice::best;
  best = fat.measure(settings, 5).bandwidth;
  EXPECT_GE(best, first);
  EXPECT_GE(best, sum);
}

/// A tree of arity 4 and two levels and random halves on it, on one process and in silence.
class FlowsOnATree : public ::testing::Test {
 protected:
  FlowSummary run(FlowLimits limits) {
    FlowExperiment experiment(tree_.subnet, tree_.routing.tables, settings_);
    return run_flows(experiment, limits, *alone_, progress_);
  }

  Routed tree_{fabric("tree", {{"arity", i64{4}}, {"levels", i64{2}}}), "minhop"};
  FlowSettings settings_ = [] {
    FlowSettings settings;
    settings.pattern = workloads::pattern_named("bisect");
    return settings;
  }();
  std::unique_ptr<engine::Transport> alone_ = engine::single_process();
  std::ostringstream out_;
  Progress progress_{Progress::Mode::never, out_, false};
};

TEST_F(FlowsOnATree, StopWhenTheyArePreciseEnough) {
  const FlowSummary rough = run({.count = 1'000'000, .precision = 0.005});
  EXPECT_TRUE(rough.precise);
  EXPECT_LE(rough.ci95, 0.005);
  EXPECT_EQ(rough.patterns % patterns_per_look, 0U);
  const FlowSummary cut = run({.count = rough.patterns - 64, .precision = 0.005});
  EXPECT_FALSE(cut.precise) << "it stopped as soon as it could";
  EXPECT_EQ(cut.patterns, rough.patterns - 64);
}

TEST_F(FlowsOnATree, HaveStudentsIntervalAndNoneOfASinglePattern) {
  const FlowSummary two = run({.count = 2, .precision = 0});
  ASSERT_GT(two.stddev, 0);
  EXPECT_NEAR(two.ci95, 12.7062 * two.stddev / std::sqrt(2.0), 1e-4 * two.stddev);
  EXPECT_TRUE(std::isnan(run({.count = 1, .precision = 0}).ci95));
  settings_.pattern = workloads::pattern_named("ring");
  settings_.mapping = Mapping::linear;
  EXPECT_EQ(run({.count = 1, .precision = 0}).ci95, 0) << "nothing is left to chance";
}

TEST(ForwardingTableFiles, ShowNamesOnOneLine) {
  models::Subnet subnet;
  subnet.add_switch({.name = "s\n0x0007 009 # forged", .guid = 1, .lid = 3, .ports = 2});
  for (u32 h = 0; h < 2; ++h) {
    subnet.add_host({.name = "h\nUnicast lids [0-9] of switch Lid 9 guid 0x9 ('x'):", .guid = h + 2, .lid = h + 1});
    ASSERT_TRUE(subnet.connect_host(h, 0, h + 1));
  }
  std::string text;
  write_lfts(subnet, models::route_subnet(subnet, "minhop"), [&text](std::string_view part) { text += part; });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 3 + 1) << text;
}

TEST(ForwardingTableFiles, NameEveryAddressOnceASwitch) {
  const Routed tree(fabric("tree", {{"arity", i64{2}}, {"levels", i64{2}}}), "minhop");
  std::string text;
  write_lfts(tree.subnet, tree.routing, [&text](std::string_view part) { text += part; });
  EXPECT_EQ(text.substr(0, text.find('\n')), "Unicast lids [0-8] of switch Lid 5 guid 0x0000000000200000 ('r0'):");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4 * (1 + 8 + 1));
  EXPECT_NE(text.find("0x0005 000 # Switch portguid 0x0000000000200000: 'r0'\n"), std::string::npos);
  EXPECT_NE(text.find("8 lids dumped\n"), std::string::npos);
}

}  // namespace
}  // namespace weft::tools
