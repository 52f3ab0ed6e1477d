// What [statistics] asks for, of small networks whose every link can be reckoned by hand, and in closed sums.
#include "tools/run/collect/recorder.hpp"

#include <array>
#include <cmath>
#include <deque>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "models/routing/router_kind.hpp"
#include "tests/models/topology/shapes.hpp"
#include "tests/tools/run/config/config_file.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/simulate.hpp"

namespace weft::tools::testing {
namespace {

class StatisticsOfARun : public ConfigFile {
 protected:
  RunResult run(const std::string& text, const std::vector<std::string>& settings = {}) const {
    const auto transport = engine::single_process();
    const Config config = load(text, settings);
    validate(config);
    return simulate(config, *transport, nullptr);
  }
  [[nodiscard]] std::string events() const { return (directory_ / "events.txt").string(); }
};

/// Eight nodes, each of which sends 5 packets 3 places up the ring.
constexpr const char* tornado_ring =
    "topology = {kind = \"torus\", dims = [8]}\n"
    "workload = {kind = \"burst\", pattern = \"tornado\", burst_packets = 5}\n";

template <class Row, class Member>
auto sum(const std::vector<Row>& rows, Member member) {
  return std::accumulate(rows.begin(), rows.end(), std::remove_cvref_t<decltype(rows.front().*member)>{},
                         [&](auto so_far, const Row& row) { return so_far + row.*member; });
}

TEST_F(StatisticsOfARun, AreEmptyUnlessAskedFor) {
  const ExtraStatistics extra = run(tornado_ring).extra;
  EXPECT_TRUE(extra.series.empty() && extra.ports.empty() && extra.nic_ports.empty() && extra.busiest.empty());
  EXPECT_TRUE(extra.distances.empty() && extra.pairs.empty() && extra.occupancy.empty() && extra.events_path.empty());
}

TEST_F(StatisticsOfARun, LeaveTheHistoryAsItIs) {
  const std::string plain = run(tornado_ring).digest;
  EXPECT_EQ(
      run(tornado_ring, {"statistics.series_cycles=7", "statistics.ports=true", "statistics.distances=true",
                         "statistics.pairs=true", "statistics.occupancy_cycles=11", "statistics.events=" + events()})
          .digest,
      plain);
}

TEST_F(StatisticsOfARun, LinksOfARingUnderTornadoCarryThreeTimesWhatANodeSendsUpAndNothingDown) {
  const RunResult result = run(tornado_ring, {"statistics.ports=true"});
  std::map<std::pair<u64, u64>, u64> of_link;
  for (const LinkRow& row : result.extra.ports) {
    of_link[{row.owner, row.port}] += row.packets;
    EXPECT_LT(row.channel, 3U);
    EXPECT_DOUBLE_EQ(row.utilisation, static_cast<double>(row.packets) * 16 / static_cast<double>(result.cycles));
  }
  ASSERT_EQ(of_link.size(), 8U);
  for (const auto& [link, packets] : of_link) {
    EXPECT_EQ(link.second, 0U);
    EXPECT_EQ(packets, 15U) << link.first;
  }
  EXPECT_TRUE(result.extra.nic_ports.empty());
  ASSERT_EQ(result.extra.busiest.size(), 8U);
  EXPECT_EQ(result.extra.busiest[0].link, "router 0, dimension 0+");
  EXPECT_EQ(result.extra.busiest[0].packets, 15U);
}

TEST_F(StatisticsOfARun, LinksOfATreeCarryAllHopsAndThoseOfItsNicsAllThatWasInjected) {
  const RunResult result =
      run("topology = {kind = \"tree\", arity = 3, levels = 2}\nworkload = {kind = \"burst\", burst_packets = 20}\n",
          {"statistics.ports=true"});
  EXPECT_EQ(sum(result.extra.nic_ports, &LinkRow::packets), result.counts.injected);
  std::set<u64> nics;
  for (const LinkRow& row : result.extra.nic_ports) nics.insert(row.owner);
  EXPECT_EQ(nics.size(), 9U);
  // Links between routers, and one to the destination's NIC.
  EXPECT_EQ(sum(result.extra.ports, &LinkRow::packets), result.counts.hops + result.counts.delivered);
}

/// Settings that make a topology of its kind's example.
std::vector<std::string> example_of(const std::string& kind) {
  const models::TopologyKind& entry = *models::TopologyRegistry::instance().find(kind);
  std::vector<std::string> settings{"topology.kind=" + kind};
  for (const Setting& setting : entry.settings) {
    const SettingValue value = models::testing::value_of(entry.example, setting);
    if (!std::holds_alternative<std::monostate>(value)) settings.push_back(setting.key + "=" + value_text(value));
  }
  return settings;
}

TEST_F(StatisticsOfARun, NameLinksThatAreThereOnEveryTopologyWithEveryMachine) {
  u32 runs = 0;
  for (const std::string& topology : models::TopologyRegistry::instance().names()) {
    for (const std::string& router : models::RouterRegistry::instance().names()) {
      std::vector<std::string> settings = example_of(topology);
      for (const char* const one : {"workload.offered_load=0.3", "simulation.cycles=200", "statistics.ports=true",
                                    "workload.kind=synthetic", "deadlock.check=off"}) {
        settings.emplace_back(one);
      }
      settings.push_back("router.kind=" + router);
      SCOPED_TRACE(topology + " " + router);
      RunResult result;
      std::unique_ptr<models::Topology> net;
      try {
        result = run("", settings);
        net = make_network(load("", settings));
      } catch (const ConfigError&) {
        continue;  // they do not fit
      }
      ++runs;
      EXPECT_FALSE(result.extra.ports.empty());
      for (const LinkRow& row : result.extra.ports) {
        const RouterId here(static_cast<u32>(row.owner));
        ASSERT_LT(row.owner, net->routers());
        ASSERT_LE(row.port, net->ports(here) - (net->direct() ? 0 : 1)) << "router " << row.owner;
        if (row.port < net->ports(here)) {
          EXPECT_NE(net->peer(here, static_cast<u32>(row.port)).kind, models::Peer::Kind::none);
        }
      }
      for (const LinkRow& row : result.extra.nic_ports) {
        EXPECT_LT(row.owner, net->nodes());
        EXPECT_EQ(row.port, 0U);
      }
      for (const BusyLink& link : result.extra.busiest) {
        const std::size_t comma = link.link.find(", ");
        ASSERT_NE(comma, std::string::npos) << link.link;
        const RouterId here(static_cast<u32>(std::stoul(link.link.substr(7))));
        std::set<std::string> names{net->direct() ? "node port" : ""};
        for (u32 port = 0; port < net->ports(here); ++port) names.insert(net->port_name(here, port));
        EXPECT_TRUE(names.contains(link.link.substr(comma + 2))) << link.link;
      }
    }
  }
  EXPECT_GE(runs, 80U);
}

TEST_F(StatisticsOfARun, CountTheLinksBetweenNodesAndRoutersOfSwitchesApart) {
  const RunResult result =
      run("topology = {kind = \"torus\", dims = [4, 4]}\nworkload = {kind = \"burst\", burst_packets = 20}\n"
          "router = {kind = \"switch\"}\n",
          {"statistics.ports=true"});
  EXPECT_EQ(sum(result.extra.nic_ports, &LinkRow::packets), result.counts.injected);
  EXPECT_EQ(result.extra.nic_ports.front().port, 0U);
  EXPECT_EQ(sum(result.extra.ports, &LinkRow::packets), result.counts.hops + result.counts.delivered);
}

TEST_F(StatisticsOfARun, OneWayLinksAreCountedOnce) {
  // Every packet goes 3 of 4 links up the ring.
  const RunResult result =
      run("topology = {kind = \"torus\", dims = [4], unidirectional = true}\n"
          "workload = {kind = \"burst\", pattern = \"worst-case\", burst_packets = 50}\n",
          {"statistics.series_cycles=100000", "statistics.ports=true"});
  ASSERT_EQ(result.extra.series.size(), 1U);
  double sum_of_links = 0;
  for (const LinkRow& row : result.extra.ports) {
    EXPECT_EQ(row.port, 0U);
    sum_of_links += row.utilisation;
  }
  EXPECT_NEAR(result.extra.series[0].utilisation, sum_of_links / 4, 1e-3);  // an interval ends behind the last event
}

TEST_F(StatisticsOfARun, DistancesAndPairsOfARingUnderTornado) {
  const RunResult result = run(tornado_ring, {"statistics.distances=true", "statistics.pairs=true"});
  ASSERT_EQ(result.extra.distances.size(), 1U);
  EXPECT_EQ(result.extra.distances[0].links, 3U);
  EXPECT_EQ(result.extra.distances[0].packets, 40U);
  ASSERT_EQ(result.extra.pairs.size(), 8U);
  double latency = 0;
  for (u64 node = 0; node < 8; ++node) {
    const PairRow& pair = result.extra.pairs[node];
    EXPECT_EQ(pair.source, node);
    EXPECT_EQ(pair.destination, (node + 3) % 8);
    EXPECT_EQ(pair.packets, 5U);
    latency += pair.latency_mean / 8;
  }
  EXPECT_NEAR(latency, result.latency_mean, 1e-9);
}

TEST_F(StatisticsOfARun, TooManyPairsAreAWarningAndNoPairs) {
  const RunResult enough = run(tornado_ring, {"statistics.pairs=true", "statistics.most_pairs=8"});
  EXPECT_EQ(enough.extra.pairs.size(), 8U);
  EXPECT_TRUE(enough.warnings.empty());
  const RunResult result = run(tornado_ring, {"statistics.pairs=true", "statistics.most_pairs=7"});
  EXPECT_TRUE(result.extra.pairs.empty());
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_TRUE(contains(result.warnings[0], "more than statistics.most_pairs = 7 pairs"));
}

TEST_F(StatisticsOfARun, TheTimeSeriesAddsUpToTheTotals) {
  for (const std::string topology : {"kind = \"torus\", dims = [4, 4]", "kind = \"tree\", arity = 4, levels = 2"}) {
    for (const std::string more :
         {"workload = {kind = \"burst\", burst_packets = 30, bursts = 3}\n",
          "workload = {offered_load = 0.4}\nsimulation = {cycles = 1234}\n",
          "workload = {kind = \"kernel\", name = \"M2\", tasks = 16, message_bytes = 500}\n"}) {
      const RunResult result = run("topology = {" + topology + "}\n" + more, {"statistics.series_cycles=100"});
      const std::vector<SeriesRow>& series = result.extra.series;
      ASSERT_GT(series.size(), 2U) << more;
      u64 begin = 0;
      double injected = 0, accepted = 0, latency = 0, cycles = 0;
      for (const SeriesRow& row : series) {
        EXPECT_EQ(row.begin, begin);
        begin = row.end;
        if (&row != &series.back()) {
          EXPECT_EQ(row.end - row.begin, 100U);
        }
        cycles = static_cast<double>(row.end - row.begin);
        injected += row.injected_load * cycles * 16 / 16;  // nodes, phits
        latency += row.latency_mean * static_cast<double>(row.delivered_packets);
        accepted += row.accepted_load * cycles;
        EXPECT_LE(row.utilisation, 1 + 1e-9);
      }
      EXPECT_GE(begin, result.cycles) << more;
      EXPECT_EQ(sum(series, &SeriesRow::delivered_packets), result.counts.delivered);
      EXPECT_NEAR(accepted, static_cast<double>(result.counts.delivered), 1e-6);
      // At the end of a run of so many cycles, headers are out of queues whose tails are not.
      EXPECT_LE(injected, static_cast<double>(result.counts.injected) + 1e-6);
      EXPECT_GE(injected, static_cast<double>(result.counts.injected) - (result.packets_in_flight == 0 ? 1e-6 : 16));
      EXPECT_NEAR(latency, result.latency_mean * static_cast<double>(result.counts.delivered), 1e-3);
      EXPECT_EQ(series.back().network_packets, result.packets_in_flight);
      EXPECT_EQ(series.back().queued_packets, result.counts.generated - result.counts.injected);
    }
  }
}

TEST_F(StatisticsOfARun, UtilisationAddsUpToTheLinksTaken) {
  const RunResult result = run(tornado_ring, {"statistics.series_cycles=10"});
  double taken = 0;
  for (const SeriesRow& row : result.extra.series) taken += row.utilisation * static_cast<double>(row.end - row.begin);
  EXPECT_NEAR(taken * 16 / 16, 40 * 3, 1e-9);  // links of the ring, phits of a packet
}

TEST_F(StatisticsOfARun, OccupancyCountsEveryQueueInEachSample) {
  struct Expected {
    const char* topology;
    u64 transit, injection;
  };
  // Three channels for each end of a link: a 3x3 mesh has 12 links, a crossbar of 6 nodes those of its NICs.
  for (const auto& [topology, transit, injection] :
       {Expected{"kind = \"torus\", dims = [4, 4]", 16 * 4 * 3, 16},
        Expected{"kind = \"mesh\", dims = [3, 3]", 24 * 3, 9}, Expected{"kind = \"crossbar\", nodes = 6", 12 * 3, 6}}) {
    const RunResult result = run(
        std::string("topology = {") + topology + "}\nworkload = {offered_load = 0.9}\nsimulation = {cycles = 1050}\n",
        {"statistics.occupancy_cycles=100"});
    EXPECT_EQ(result.extra.occupancy_samples, 10U);
    EXPECT_EQ(sum(result.extra.occupancy, &OccupancyRow::transit_queues), 10 * transit) << topology;
    EXPECT_EQ(sum(result.extra.occupancy, &OccupancyRow::injection_queues), 10 * injection) << topology;
    EXPECT_GT(result.extra.occupancy.size(), 1U);
  }
}

TEST_F(StatisticsOfARun, NoIntervalHasMorePhitsThanLinksCarry) {
  const RunResult result = run(tornado_ring, {"statistics.series_cycles=1"});
  double injected = 0, accepted = 0, busy = 0;
  for (const SeriesRow& row : result.extra.series) {
    // Ring routers inject into two directions at most, and consume one packet at a time.
    EXPECT_LE(row.injected_load, 1.0 + 1e-12) << row.begin;
    EXPECT_LE(row.accepted_load, 1.0 + 1e-12) << row.begin;
    EXPECT_LE(row.utilisation, 0.5 + 1e-12) << row.begin;  // all go up the ring
    injected += row.injected_load;
    accepted += row.accepted_load;
    busy += row.utilisation;
  }
  // 5 packets of 16 phits a node, over 3 of the 16 directed links each.
  EXPECT_NEAR(injected, 80, 1e-9);
  EXPECT_NEAR(accepted, 80, 1e-9);
  EXPECT_NEAR(busy * 16, 80 * 3 * 8, 1e-6);
}

TEST_F(StatisticsOfARun, SeriesAreTheSameWhateverTheirIntervalsAre) {
  const auto sums = [&](const char* cycles) {
    const RunResult result = run(tornado_ring, {std::string("statistics.series_cycles=") + cycles});
    std::array<double, 4> all{};
    for (const SeriesRow& row : result.extra.series) {
      const double length = static_cast<double>(row.end - row.begin);
      all[0] += row.injected_load * length;
      all[1] += row.accepted_load * length;
      all[2] += row.network_packets_mean * length;
      all[3] += row.queued_packets_mean * length;
    }
    return all;
  };
  const auto fine = sums("1"), middle = sums("13"), one = sums("1000000");
  for (std::size_t k = 0; k < fine.size(); ++k) {
    EXPECT_NEAR(fine[k], middle[k], 1e-6) << k;
    EXPECT_NEAR(fine[k], one[k], 1e-6) << k;
    EXPECT_GT(fine[k], 0) << k;
  }
}

TEST_F(StatisticsOfARun, PacketsWaitInQueuesAsLongAsTheirEventsSay) {
  const RunResult result = run(tornado_ring, {"statistics.series_cycles=10", "statistics.events=" + events(),
                                              "statistics.injection_latency=true"});
  std::ifstream file(events());
  std::map<std::string, std::deque<u64>> generated, injected;
  double waited = 0, travelled = 0, squares = 0, slowest = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    u64 tick = 0, born = 0;
    std::string kind, place, queue, from, to;
    words >> tick >> kind >> place >> queue >> from >> to >> born;
    const std::string name = from + " " + to + " " + std::to_string(born);
    if (kind == "generated") generated[name].push_back(tick);
    if (kind == "injected") {
      waited += static_cast<double>(tick - generated[name].front());
      generated[name].pop_front();
      injected[name].push_back(tick);
    }
    if (kind == "delivered") {
      const double latency = static_cast<double>(tick - 1 - injected[name].front());
      injected[name].pop_front();
      travelled += latency;
      squares += latency * latency;
      slowest = std::max(slowest, latency);
    }
  }
  double queued = 0;
  for (const SeriesRow& row : result.extra.series)
    queued += row.queued_packets_mean * static_cast<double>(row.end - row.begin);
  EXPECT_NEAR(queued, waited, 1e-6);
  const InjectionLatency& latency = result.extra.injection_latency;
  ASSERT_EQ(latency.packets, 40U);
  EXPECT_NEAR(latency.mean, travelled / 40, 1e-9);
  EXPECT_NEAR(latency.stddev, std::sqrt(squares / 40 - travelled / 40 * travelled / 40), 1e-6);
  EXPECT_DOUBLE_EQ(latency.max, slowest);
  EXPECT_NEAR(latency.mean, result.latency_network_mean, 1e-9);
}

TEST_F(StatisticsOfARun, WhatIsInjectedGoesAsFarAsMinimalRoutesAndToWhomItIsFor) {
  const RunResult result =
      run("topology = {kind = \"torus\", dims = [8]}\nworkload = {pattern = \"tornado\", offered_load = 0.3}\n"
          "simulation = {cycles = 200}\n",
          {"statistics.distances=true", "statistics.pairs=true"});
  ASSERT_EQ(result.extra.distances.size(), 1U);
  EXPECT_EQ(result.extra.distances[0].links, 3U);
  EXPECT_EQ(result.extra.distances[0].injected_packets, result.counts.injected);
  EXPECT_EQ(result.extra.distances[0].packets, result.counts.delivered);
  EXPECT_LT(result.counts.delivered, result.counts.injected);
  EXPECT_EQ(sum(result.extra.pairs, &PairRow::injected_packets), result.counts.injected);
  EXPECT_EQ(sum(result.extra.pairs, &PairRow::packets), result.counts.delivered);
}

TEST_F(StatisticsOfARun, QueuesOneByOneAddUpToTheirHistogram) {
  const RunResult result = run(tornado_ring, {"statistics.occupancy_cycles=3", "statistics.queues=true"});
  double of_queues = 0, of_nodes = 0, transit = 0, injection = 0;
  for (const QueueRow& row : result.extra.queues) {
    of_queues += row.packets_mean;
    EXPECT_LE(row.packets_mean, static_cast<double>(row.packets_max));
    EXPECT_EQ(row.port, 0U);  // all go up the ring
  }
  for (const QueueRow& row : result.extra.injection_queues) of_nodes += row.packets_mean;
  const double samples = static_cast<double>(result.extra.occupancy_samples);
  for (const OccupancyRow& row : result.extra.occupancy) {
    transit += static_cast<double>(row.packets * row.transit_queues) / samples;
    injection += static_cast<double>(row.packets * row.injection_queues) / samples;
  }
  EXPECT_EQ(result.extra.injection_queues.size(), 8U);
  EXPECT_NEAR(of_queues, transit, 1e-9);
  EXPECT_NEAR(of_nodes, injection, 1e-9);
  EXPECT_GT(transit, 0);
  EXPECT_GT(injection, 0);
}

TEST_F(StatisticsOfARun, EachPacketLeavesEveryQueueThatItArrivedIn) {
  run(tornado_ring, {"statistics.events=" + events(), "statistics.departures=true"});
  std::ifstream file(events());
  std::map<std::string, u64> kinds;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string tick, kind;
    words >> tick >> kind;
    ++kinds[kind];
  }
  EXPECT_EQ(kinds["left"], kinds["arrived"]);
  EXPECT_EQ(kinds["left"], 120U);
}

TEST_F(StatisticsOfARun, PacketEventsTellTheLifeOfEachPacketInOrder) {
  const RunResult result =
      run(tornado_ring, {"statistics.events=" + events(), "statistics.event_nodes=[2]", "statistics.pairs=true"});
  std::ifstream file(events());
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "# weft packet events 1, 1 tick a cycle");
  std::getline(file, line);
  std::map<std::string, u64> of_kind;
  u64 lines = 0, last = 0;
  std::set<std::string> places;
  double latency = 0;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    u64 tick = 0, source = 0, destination = 0, generated = 0;
    std::string kind, place, queue;
    words >> tick >> kind >> place >> queue >> source >> destination >> generated;
    EXPECT_TRUE(words && words.eof()) << line;
    EXPECT_GE(tick, last);
    last = tick;
    ++lines;
    ++of_kind[kind];
    places.insert(place);
    EXPECT_EQ(source, 2U);
    EXPECT_EQ(destination, 5U);
    if (kind == "generated") {
      EXPECT_EQ(tick, generated);
    }
    if (kind == "delivered") {
      EXPECT_EQ(place, "r5");
      latency += static_cast<double>(tick - 1 - generated);
    }
  }
  EXPECT_EQ(lines, result.extra.events);
  EXPECT_EQ(of_kind,
            (std::map<std::string, u64>{{"generated", 5}, {"injected", 5}, {"arrived", 15}, {"delivered", 5}}));
  EXPECT_EQ(places, (std::set<std::string>{"r2", "r3", "r4", "r5"}));
  EXPECT_NEAR(latency / 5, result.extra.pairs.at(2).latency_mean, 1e-9);
}

TEST_F(StatisticsOfARun, NodesThatAreNotThereCannotBeFollowed) {
  try {
    static_cast<void>(run(tornado_ring, {"statistics.events=" + events(), "statistics.event_nodes=[2,8]"}));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_TRUE(contains(error.what(), "statistics.event_nodes has 8 (the network has the nodes 0 to 7)"));
  }
  EXPECT_TRUE(contains(validation_error(tornado_ring, {"statistics.event_nodes=[2]"}),
                       "has no effect with statistics.events = none; remove it, or give statistics.events"));
}

}  // namespace
}  // namespace weft::tools::testing
