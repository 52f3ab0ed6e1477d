// Routes of small fabrics that are wrong on purpose: what arrives, what does not and where it ends; credit loops.
#include "models/subnet/routes.hpp"

#include <gtest/gtest.h>

#include "models/subnet/dependencies.hpp"
#include "models/subnet/distances.hpp"

namespace weft::models {
namespace {

/// A ring of switches, host h at port 3 of switch h; port 1 leads to the next switch, port 2 to the one before.
Subnet ring(u32 switches) {
  Subnet subnet;
  for (u32 s = 0; s < switches; ++s) {
    subnet.add_switch({.name = "s" + std::to_string(s), .ports = 4});
    subnet.add_host({.name = "h" + std::to_string(s), .lid = s + 1});
  }
  for (u32 s = 0; s < switches; ++s) {
    EXPECT_TRUE(subnet.connect_switches(s, 1, (s + 1) % switches, 2));
    EXPECT_TRUE(subnet.connect_host(s, s, 3));
  }
  return subnet;
}

/// Always forward.
ForwardingTables clockwise(const Subnet& subnet) {
  ForwardingTables tables(subnet);
  for (u32 t = 0; t < tables.targets(); ++t) {
    for (u32 s = 0; s < subnet.switches(); ++s) tables.set_port(s, t, s == t ? 3 : 1);
  }
  return tables;
}

u64 ending(const RouteSurvey& survey, RouteEnd end) { return survey.ends[static_cast<std::size_t>(end)]; }

TEST(Routes, OfAOneWayRingHaveTheLinksThatEachTargetIsAway) {
  const Subnet subnet = ring(4);
  const RouteSurvey survey = survey_routes(subnet, clockwise(subnet));
  EXPECT_EQ(survey.routes, 12U);
  EXPECT_EQ(ending(survey, RouteEnd::arrives), 12U);
  EXPECT_EQ(survey.links, (std::vector<u64>{0, 0, 0, 4, 4, 4}));
  EXPECT_TRUE(survey.faults.empty());
  for (u32 s = 0; s < 4; ++s) {
    EXPECT_EQ(survey.targets_through[subnet.channel(s, 1)], 3U);
    EXPECT_EQ(survey.routes_through[subnet.channel(s, 1)], 6U);  // 1 + 2 + 3
    EXPECT_EQ(survey.routes_through[subnet.channel(s, 2)], 0U);
    EXPECT_EQ(survey.routes_through[subnet.channel(s, 3)], 3U);
  }
}

TEST(Routes, AgreeWithThoseThatAreFollowedOneByOne) {
  const Subnet subnet = ring(7);
  ForwardingTables tables = clockwise(subnet);
  u64 state = 7;
  for (u32 t = 0; t < 7; ++t) {
    for (u32 s = 0; s < 7; ++s) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      const u32 draw = static_cast<u32>(state >> 59);  // some routes loop, end early, or reach another host
      if (draw < 10) tables.set_port(s, t, static_cast<u8>(draw == 5 ? ForwardingTables::none : draw < 5 ? draw : 2));
    }
  }
  std::array<u64, 5> ends{};
  std::vector<u64> links(20, 0), loads(subnet.channels(), 0);
  for (u32 h = 0; h < 7; ++h) {
    for (u32 t = 0; t < 7; ++t) {
      if (h == t) continue;
      std::vector<u32> channels;
      const RouteEnd end = for_channels(subnet, tables, h, t, [&](u32 channel) { channels.push_back(channel); });
      ++ends[static_cast<std::size_t>(end)];
      if (end != RouteEnd::arrives) continue;
      ++links[channels.size()];
      for (const u32 channel : channels) ++loads[channel];
    }
  }
  RouteSurvey survey = survey_routes(subnet, tables);
  EXPECT_EQ(survey.ends, ends);
  EXPECT_GT(ends[0], 0U);
  EXPECT_GT(ending(survey, RouteEnd::loops), 0U);
  survey.links.resize(20, 0);
  EXPECT_EQ(survey.links, links);
  loads.resize(subnet.switch_channels());
  EXPECT_EQ(survey.routes_through, loads);
}

TEST(Routes, ThatLoopAreNamedWithTheirSwitches) {
  const Subnet subnet = ring(4);
  ForwardingTables tables = clockwise(subnet);
  tables.set_port(2, 0, 2);  // back to switch 1, which sends forward again
  const RouteSurvey survey = survey_routes(subnet, tables);
  EXPECT_EQ(ending(survey, RouteEnd::loops), 2U);
  ASSERT_EQ(survey.faults.size(), 1U);
  EXPECT_EQ(survey.faults[0].target, 0U);
  EXPECT_EQ(survey.faults[0].routes, 2U);
  std::vector<u32> loop = loop_from(subnet, tables, survey.faults[0].at, 0);
  std::ranges::sort(loop);
  EXPECT_EQ(loop, (std::vector<u32>{1, 2}));
}

TEST(Routes, EndWhereThereIsNoEntryNoCableOrAnotherHost) {
  const Subnet subnet = ring(4);
  ForwardingTables tables = clockwise(subnet);
  tables.set_port(3, 0, ForwardingTables::none);
  tables.set_port(1, 2, 4);  // nothing is plugged in there
  tables.set_port(0, 3, 3);  // its own host
  const RouteSurvey survey = survey_routes(subnet, tables);
  EXPECT_EQ(ending(survey, RouteEnd::no_entry), 3U);
  EXPECT_EQ(ending(survey, RouteEnd::not_cabled), 3U);  // of hosts 3, 0 and 1
  EXPECT_EQ(ending(survey, RouteEnd::wrong_host), 1U);  // of host 0 itself
  for (const RouteFault& fault : survey.faults) {
    if (fault.end == RouteEnd::no_entry) {
      EXPECT_EQ(fault.at, 3U);
    }
    if (fault.end == RouteEnd::not_cabled) {
      EXPECT_EQ(fault.at, 1U);
    }
    if (fault.end == RouteEnd::wrong_host) {
      EXPECT_EQ(fault.at, 0U);
    }
    EXPECT_NE(fault.host, tables.host_of(fault.target));
  }
}

TEST(CreditLoops, GoRoundAOneWayRing) {
  const Subnet subnet = ring(5);
  const CreditLoops loops = find_credit_loops(subnet, clockwise(subnet));
  EXPECT_EQ(loops.tangles, 1U);
  EXPECT_EQ(loops.channels, 5U);
  ASSERT_EQ(loops.cycle.size(), 5U);
  for (u32 step = 0; step < 5; ++step) {
    const Peer far = subnet.peer(subnet.owner(loops.cycle[step].channel).id, 1);
    EXPECT_EQ(far.id, subnet.owner(loops.cycle[(step + 1) % 5].channel).id);
  }
}

TEST(CreditLoops, AreBrokenByALaneOfItsOwnForWhatComesFromHosts) {
  const Subnet subnet = ring(5);
  ForwardingTables tables(subnet);
  for (u32 t = 0; t < 5; ++t) {
    for (u32 s = 0; s < 5; ++s) tables.set_port(s, t, s == t ? 3 : (t + 5 - s) % 5 <= 2 ? 1 : 2);
  }
  SlToVl lanes(5);
  for (u32 s = 0; s < 5; ++s) {
    std::vector<SlToVl::Entry> entries;
    for (const u8 in : {1, 2, 3}) {
      for (const u8 out : {1, 2}) {
        SlToVl::Entry entry{.in = in, .out = out, .vl = {}};
        entry.vl[0] = in == 3 ? 0 : 1;  // level 1 has one lane for all
        entries.push_back(entry);
      }
    }
    lanes.set(s, entries);
  }
  // Two links at most: what is on lane 1 goes no further.
  EXPECT_EQ(find_credit_loops(subnet, tables, &lanes, 0).tangles, 0U);
  EXPECT_EQ(find_credit_loops(subnet, tables, &lanes, 1).tangles, 2U);
  EXPECT_EQ(find_credit_loops(subnet, tables).tangles, 2U);  // one each way round
}

TEST(CreditLoops, AreNoneOnALineAndNeedRoutesThatUseThem) {
  const Subnet subnet = ring(5);
  ForwardingTables tables = clockwise(subnet);
  for (u32 t = 0; t < 5; ++t) {
    for (u32 s = 0; s < 5; ++s) tables.set_port(s, t, s == t ? 3 : s < t ? 1 : 2);  // never from 4 to 0
  }
  const CreditLoops loops = find_credit_loops(subnet, tables);
  EXPECT_EQ(loops.tangles, 0U);
  EXPECT_EQ(loops.dependencies, 6U);
  EXPECT_TRUE(loops.cycle.empty());
}

TEST(Distances, CountPairsAlternativesAndParts) {
  Subnet subnet = ring(4);
  const MinimalSurvey minimal = survey_minimal(subnet);
  EXPECT_EQ(minimal.links, (std::vector<u64>{0, 0, 0, 8, 4}));
  EXPECT_EQ(minimal.alternatives, (std::vector<u64>{0, 12, 4}));
  subnet.add_switch({.name = "alone", .ports = 2});
  subnet.add_host({.name = "loose"});
  const u32 far = subnet.add_switch({.name = "far", .ports = 2});
  EXPECT_TRUE(subnet.connect_host(subnet.add_host({.name = "remote"}), far, 1));
  const Connection connection = connection_of(subnet);
  EXPECT_EQ(connection.parts, 3U);
  EXPECT_EQ(connection.hosts_in, (std::vector<u32>{4, 0, 1}));
  EXPECT_EQ(connection.uncabled_hosts, (std::vector<u32>{4}));
  EXPECT_EQ(connection.uncabled_switches, (std::vector<u32>{4}));
  EXPECT_EQ(survey_minimal(subnet).unreachable_pairs, 8U);
  EXPECT_TRUE(tree_levels(subnet).empty());
}

}  // namespace
}  // namespace weft::models
