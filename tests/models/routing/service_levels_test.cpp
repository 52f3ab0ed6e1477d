// Lanes that packets of InfiniBand switches get, and what the search for deadlock makes of them.
#include "models/routing/service_levels.hpp"

#include <gtest/gtest.h>
#include <set>

#include "engine/base/error.hpp"
#include "models/routing/channel_search.hpp"
#include "models/subnet/subnet_topology.hpp"
#include "tests/models/cells/infiniband_cases.hpp"

namespace weft::models::testing {
namespace {

using List = std::vector<i64>;
using Answer = ChannelFindings::Answer;

ChannelFindings search(const Topology& topology, const Case& setup) {
  const SearchedRoutes routes = router_kind("infiniband").searched_routes(topology, setup.router);
  return search_channels(topology, *routes.routing,
                         {.virtual_channels = setup.router.virtual_channels, .takes = routes.takes});
}
std::string error_of(const Topology& topology, const Case& setup) {
  try {
    static_cast<void>(router_kind("infiniband").routing(topology, setup.router));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

/// Five switches in a ring, a host at port 3 of each; port 1 leads on, port 2 back. Tables of shortest paths, and lanes
/// by the port that packets come by: from the host 0, from a switch 1.
SubnetTopology ring(bool with_lanes, u8 other_lane = 1) {
  Subnet subnet;
  for (u32 s = 0; s < 5; ++s) subnet.add_switch({.name = "s", .guid = s + 1, .lid = s + 1, .ports = 3});
  for (u32 s = 0; s < 5; ++s) {
    subnet.connect_switches(s, 1, (s + 1) % 5, 2);
    subnet.add_host({.name = "h", .guid = 100 + s, .lid = 10 + s});
    subnet.connect_host(s, s, 3);
  }
  ForwardingTables tables(subnet);
  for (u32 t = 0; t < 5; ++t) {
    for (u32 s = 0; s < 5; ++s) {
      const u32 port = s == t ? 3 : (t + 5 - s) % 5 <= 2 ? 1 : 2;
      tables.set_port(s, t, static_cast<u8>(port));
    }
  }
  SlToVl lanes(5);
  for (u32 s = 0; s < 5; ++s) {
    std::vector<SlToVl::Entry> entries;
    for (const u8 in : {1, 2, 3}) {
      for (const u8 out : {1, 2, 3}) {
        SlToVl::Entry entry{.in = in, .out = out, .vl = {}};
        entry.vl[0] = in == 3 ? 0 : other_lane;
        entries.push_back(entry);
      }
    }
    lanes.set(s, entries);
  }
  return {subnet, "ring", tables, with_lanes ? std::optional(lanes) : std::nullopt};
}

TEST(ServiceLevels, GetTheLanesOfTheirListAtAllPorts) {
  const Case setup = infiniband_case(
      mesh({4}), 8, 1, {{"virtual_channels", i64{4}}, {"sl_shares", List{1, 0, 1}}, {"sl2vl", List{3, 2, 1}}});
  const auto topology = make_topology(setup.topology);
  const auto routing = router_kind("infiniband").routing(*topology, setup.router);
  std::set<u32> lanes;
  for (u64 k = 0; k < 50; ++k) {
    RouteState state;
    routing->begin(state, NodeId(0), NodeId(3), engine::remix(k, 7));
    const u32 lane = routing->node_link_channels(state, false).first;
    EXPECT_EQ(routing->node_link_channels(state, true).first, lane);
    EXPECT_EQ(routing->node_link_channels(state, true).count, 1U);
    u64 word = 0;
    Candidates candidates{OutputSet(&word, 1)};
    EXPECT_EQ(routing->route({1, 0, lane}, {NodeId(0), NodeId(3), state}, candidates), Verdict::waits);
    ASSERT_EQ(std::popcount(word), 1);
    EXPECT_EQ(static_cast<u32>(std::countr_zero(word)) % 4, lane);
    lanes.insert(lane);
  }
  EXPECT_EQ(lanes, (std::set<u32>{3, 1})) << "level 1 has no weight";
}

TEST(ServiceLevels, GetTheLanesOfTheFabricByThePortsOfASwitch) {
  const SubnetTopology fabric = ring(true);
  const Case setup = infiniband_case(mesh({5}), 8, 1, {{"virtual_channels", i64{2}}, {"sl_by", std::string("shares")}});
  const auto routing = router_kind("infiniband").routing(fabric, setup.router);
  const auto output = [&](u32 router, u32 in, u32 to) {
    u64 word = 0;
    Candidates candidates{OutputSet(&word, 1)};
    EXPECT_EQ(routing->route({router, in, 0}, {NodeId(0), NodeId(to), {}}, candidates), Verdict::waits);
    return static_cast<u32>(std::countr_zero(word));
  };
  EXPECT_EQ(output(0, 2, 2), 0U) << "port 0, lane 0: it comes from the host";
  EXPECT_EQ(output(1, 1, 2), 1U) << "port 0, lane 1";
  EXPECT_EQ(output(2, 1, 2), 2U * 2 + 1) << "to the host, on lane 1";
}

TEST(ServiceLevels, CloseACircleWhereTheirLanesDo) {
  const Case by_shares =
      infiniband_case(mesh({5}), 8, 1, {{"virtual_channels", i64{2}}, {"sl_by", std::string("shares")}});
  const ChannelFindings found = search(ring(false), by_shares);
  EXPECT_EQ(found.answer, Answer::cycle);
  EXPECT_GE(found.cycle.size(), 3U);
  EXPECT_EQ(search(ring(true), by_shares).answer, Answer::free) << "two links at most: lane 1 goes no further";

  const Case by_layers = infiniband_case(mesh({5}), 8, 1, {{"virtual_channels", i64{2}}});
  EXPECT_EQ(search(ring(false), by_layers).answer, Answer::free) << "layers on lanes of their own";
  const Case on_one_lane = infiniband_case(mesh({5}), 8, 1, {{"virtual_channels", i64{2}}, {"sl2vl", List{0, 0}}});
  EXPECT_EQ(search(ring(false), on_one_lane).answer, Answer::cycle) << "layers that share a lane are none";
  const auto torus_of = [](const Keys& keys) {
    const Case setup = infiniband_case(torus({4, 4}), 8, 1, keys);
    return search(*make_topology(setup.topology), setup).answer;
  };
  const std::pair<std::string, SettingValue> shares{"sl_by", std::string("shares")},
      minhop{"engine", std::string("minhop")};
  EXPECT_EQ(torus_of({shares, minhop, {"virtual_channels", i64{1}}}), Answer::cycle);
  EXPECT_EQ(torus_of({shares, {"engine", std::string("updn")}, {"virtual_channels", i64{1}}}), Answer::free);
  EXPECT_EQ(torus_of({minhop, {"virtual_channels", i64{4}}}), Answer::free);
}

TEST(ServiceLevels, AreLookedForOnLanesThatFewPacketsTake) {
  // Only level 2 has a lane that its packets change at every second switch: none here, but all levels must be seen.
  const Case setup = infiniband_case(
      torus({6}), 8, 1,
      {{"virtual_channels", i64{3}}, {"sl_shares", List{1'000'000, 0, 1}}, {"engine", std::string("minhop")}});
  const auto topology = make_topology(setup.topology);
  const auto routing = router_kind("infiniband").searched_routes(*topology, setup.router).routing;
  std::set<u32> levels;
  for (u64 k = 0; k < 14; ++k) {
    RouteState state;
    routing->begin(state, NodeId(0), NodeId(3), engine::remix(k, 7));
    levels.insert(state.phase);
  }
  EXPECT_EQ(levels, (std::set<u32>{0, 2}));
}

TEST(ServiceLevels, NeedLanesThatLinksHave) {
  const Case short_list = infiniband_case(torus({5}), 8, 1, {{"sl_shares", List{1, 0, 1}}, {"sl2vl", List{1, 2}}});
  EXPECT_NE(error_of(*make_topology(short_list.topology), short_list).find("router.sl2vl has no lane for SL 2"),
            std::string::npos);
  const Case fits = infiniband_case(torus({5}), 8, 1, {{"sl_shares", List{1, 1}}, {"sl2vl", List{1, 2}}});
  EXPECT_EQ(error_of(*make_topology(fits.topology), fits), "");
  const Case two_lanes =
      infiniband_case(mesh({5}), 8, 1, {{"virtual_channels", i64{2}}, {"sl_by", std::string("shares")}});
  EXPECT_EQ(error_of(ring(true), two_lanes), "");
  const std::string seven = error_of(ring(true, 7), two_lanes);
  EXPECT_NE(seven.find("topology.sl2vl gives SL 0 the lane 7 at switch 0 from port 1 to port 2"), std::string::npos)
      << seven;
  EXPECT_NE(seven.find("use router.virtual_channels = 8"), std::string::npos) << seven;
  EXPECT_NE(error_of(ring(true, 15), two_lanes).find("use other service levels"), std::string::npos);
}

TEST(ServiceLevels, AreAllTriedInTheSearchForDeadlock) {
  const SubnetTopology fabric = ring(true);
  List shares(16, 1);
  shares[4] = 0;
  Case setup = infiniband_case(mesh({5}), 8, 1,
                               {{"virtual_channels", i64{2}}, {"sl_by", std::string("shares")}, {"sl_shares", shares}});
  const SearchedRoutes routes = router_kind("infiniband").searched_routes(fabric, setup.router);
  ASSERT_EQ(routes.routing->beginnings(NodeId(0), NodeId(1)), 15U);
  std::set<u32> levels;
  for (u32 number = 0; number < 15; ++number) {
    RouteState state;
    routes.routing->begin_as(state, NodeId(0), NodeId(1), number);
    levels.insert(state.phase);
  }
  EXPECT_EQ(levels.size(), 15U);
  EXPECT_FALSE(levels.contains(4));
  EXPECT_TRUE(search(fabric, setup).sampled_pairs > 0);  // 14 are few enough to be listed unasked
}

}  // namespace
}  // namespace weft::models::testing
