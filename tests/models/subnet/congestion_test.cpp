// Counted congestion beside a plain count, and cases whose congestion is known.
#include "models/subnet/congestion.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "engine/random.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "models/topology/topology.hpp"
#include "tests/models/subnet/fabric_of.hpp"

namespace weft::models {
namespace {

/// The definition, word by word.
std::vector<u32> plain_count(const Subnet& subnet, const ForwardingTables& tables,
                             const std::vector<FlowRoute>& routes) {
  std::map<u32, u32> on_channel;
  for (const FlowRoute& route : routes) {
    for_channels(subnet, tables, route.from_host, route.target, [&](u32 channel) { ++on_channel[channel]; });
  }
  std::vector<u32> congestion;
  for (const FlowRoute& route : routes) {
    u32 most = 0;
    for_channels(subnet, tables, route.from_host, route.target,
                 [&](u32 channel) { most = std::max(most, on_channel[channel]); });
    congestion.push_back(most);
  }
  return congestion;
}

std::vector<FlowRoute> random_routes(u32 hosts, u32 count, u64 seed) {
  std::vector<FlowRoute> routes;
  for (u32 k = 0; k < count; ++k) {
    const u32 from = engine::scale_to(engine::remix(seed, 2 * k), hosts);
    const u32 to = engine::scale_to(engine::remix(seed, 2 * k + 1), hosts - 1);
    routes.push_back({from, to < from ? to : to + 1});
  }
  return routes;
}

TEST(Congestion, IsThatOfAPlainCount) {
  for (const Subnet& subnet :
       {fabric("tree", {{"arity", i64{4}}, {"levels", i64{3}}}), fabric("torus", {{"dims", std::vector<i64>{6, 5}}})}) {
    const FabricRouting routing = route_subnet(subnet, "minhop");
    CongestionCounter counter(subnet, routing.tables);
    for (const u32 count : {1U, 63U, 64U, 65U, 500U, 7U}) {
      const auto routes = random_routes(subnet.hosts(), count, count);
      std::vector<u32> congestion(routes.size());
      ASSERT_FALSE(counter.count(routes, congestion));
      EXPECT_EQ(congestion, plain_count(subnet, routing.tables, routes)) << count;
    }
  }
}

TEST(Congestion, IsCountedBeyondSixteenBits) {
  const Subnet subnet = fabric("crossbar", {{"nodes", i64{3}}});
  const FabricRouting routing = route_subnet(subnet, "minhop");
  CongestionCounter counter(subnet, routing.tables);
  const std::vector<FlowRoute> routes(70'000, FlowRoute{0, 1});
  std::vector<u32> congestion(routes.size());
  ASSERT_FALSE(counter.count(routes, congestion));
  EXPECT_EQ(congestion.front(), 70'000U);
}

TEST(Congestion, OfAPermutationOnACrossbarIsOne) {
  const Subnet subnet = fabric("crossbar", {{"nodes", i64{16}}});
  const FabricRouting routing = route_subnet(subnet, "minhop");
  CongestionCounter counter(subnet, routing.tables);
  std::vector<FlowRoute> routes;
  for (u32 h = 0; h < 16; ++h) routes.push_back({h, (h * 5 + 3) % 16});
  std::erase_if(routes, [](const FlowRoute& route) { return route.from_host == route.target; });
  std::vector<u32> congestion(routes.size());
  ASSERT_FALSE(counter.count(routes, congestion));
  EXPECT_EQ(std::count(congestion.begin(), congestion.end(), 1U), static_cast<i64>(routes.size()));
}

TEST(Congestion, OfEveryShiftOnAFullTreeWithDmodkIsOne) {
  const Subnet subnet = fabric("tree", {{"arity", i64{4}}, {"levels", i64{3}}});
  const FabricRouting routing = route_subnet(subnet, "dmodk");
  CongestionCounter counter(subnet, routing.tables);
  for (u32 shift = 1; shift < 64; ++shift) {
    std::vector<FlowRoute> routes;
    for (u32 h = 0; h < 64; ++h) routes.push_back({h, (h + shift) % 64});
    std::vector<u32> congestion(routes.size());
    ASSERT_FALSE(counter.count(routes, congestion));
    EXPECT_EQ(std::count(congestion.begin(), congestion.end(), 1U), 64) << "shift " << shift;
  }
}

TEST(Congestion, SaysWhichRouteDoesNotArrive) {
  const Subnet subnet = fabric("tree", {{"arity", i64{2}}, {"levels", i64{2}}});
  FabricRouting routing = route_subnet(subnet, "minhop");
  const auto broken = [&](RouteEnd end) {
    CongestionCounter counter(subnet, routing.tables);
    const std::vector<FlowRoute> routes{{0, 1}, {0, 3}, {1, 2}};
    std::vector<u32> congestion(routes.size());
    const auto found = counter.count(routes, congestion);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->route, 1U);
    EXPECT_EQ(found->end, end);
  };
  const u32 leaf = subnet.peer_of_host(0).id;
  const u8 up = routing.tables.port(leaf, 3);
  routing.tables.set_port(leaf, 3, ForwardingTables::none);
  broken(RouteEnd::no_entry);
  routing.tables.set_port(leaf, 3, static_cast<u8>(subnet.peer_of_host(1).port));
  broken(RouteEnd::wrong_host);
  routing.tables.set_port(leaf, 3, up);
  const Peer top = subnet.peer(leaf, up);
  routing.tables.set_port(top.id, 3, static_cast<u8>(top.port));
  broken(RouteEnd::loops);
}

}  // namespace
}  // namespace weft::models
