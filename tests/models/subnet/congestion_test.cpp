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
std::vector<double> plain_count(const Subnet& subnet, const ForwardingTables& tables,
                                const std::vector<FlowRoute>& routes) {
  std::map<u32, u32> on_channel;
  for (const FlowRoute& route : routes) {
    for_channels(subnet, tables, route.from_host, route.target, [&](u32 channel) { ++on_channel[channel]; });
  }
  std::vector<double> congestion;
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
      std::vector<double> congestion(routes.size());
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
  std::vector<double> congestion(routes.size());
  ASSERT_FALSE(counter.count(routes, congestion));
  EXPECT_EQ(congestion.front(), 70'000);
}

TEST(Congestion, OfAPermutationOnACrossbarIsOne) {
  const Subnet subnet = fabric("crossbar", {{"nodes", i64{16}}});
  const FabricRouting routing = route_subnet(subnet, "minhop");
  CongestionCounter counter(subnet, routing.tables);
  std::vector<FlowRoute> routes;
  for (u32 h = 0; h < 16; ++h) routes.push_back({h, (h * 5 + 3) % 16});
  std::erase_if(routes, [](const FlowRoute& route) { return route.from_host == route.target; });
  std::vector<double> congestion(routes.size());
  ASSERT_FALSE(counter.count(routes, congestion));
  EXPECT_EQ(std::count(congestion.begin(), congestion.end(), 1.0), static_cast<i64>(routes.size()));
}

TEST(Congestion, OfEveryShiftOnAFullTreeWithDmodkIsOne) {
  const Subnet subnet = fabric("tree", {{"arity", i64{4}}, {"levels", i64{3}}});
  const FabricRouting routing = route_subnet(subnet, "dmodk");
  CongestionCounter counter(subnet, routing.tables);
  for (u32 shift = 1; shift < 64; ++shift) {
    std::vector<FlowRoute> routes;
    for (u32 h = 0; h < 64; ++h) routes.push_back({h, (h + shift) % 64});
    std::vector<double> congestion(routes.size());
    ASSERT_FALSE(counter.count(routes, congestion));
    EXPECT_EQ(std::count(congestion.begin(), congestion.end(), 1.0), 64) << "shift " << shift;
  }
}

TEST(Congestion, CountsByHowMuchSlowerALinkIsThanTheUsualOne) {
  Subnet subnet = fabric("clos", {{"leaf_down", i64{4}}, {"leaf_up", i64{1}}, {"leaves", i64{2}}});
  const LinkSpeed usual{"4xQDR", 32}, slow{"1xSDR", 2}, fast{"4xHDR", 200};
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) subnet.set_speed(s, port, usual);
  }
  const FabricRouting routing = route_subnet(subnet, "minhop");
  const std::vector<FlowRoute> routes{{0, 4}, {1, 5}, {2, 3}};
  std::vector<double> congestion(routes.size());
  const auto count = [&] {
    CongestionCounter counter(subnet, routing.tables);
    EXPECT_FALSE(counter.count(routes, congestion));
    return counter.weighted();
  };
  EXPECT_FALSE(count());
  EXPECT_EQ(congestion, (std::vector<double>{2, 2, 1}));
  const Peer up =
      subnet.peer(0, 1).kind == Peer::Kind::router ? Peer{Peer::Kind::router, 0, 1} : Peer{Peer::Kind::router, 0, 5};
  ASSERT_EQ(subnet.peer(up.id, up.port).kind, Peer::Kind::router);
  subnet.set_speed(up.id, up.port, slow);
  EXPECT_TRUE(count());
  EXPECT_EQ(congestion, (std::vector<double>{32, 32, 1}));
  subnet.set_speed(up.id, up.port, fast);
  const Peer other = subnet.peer(up.id, up.port);
  for (u32 port = 1; port <= subnet.switch_at(other.id).ports; ++port) {
    if (subnet.peer(other.id, port).kind == Peer::Kind::router) subnet.set_speed(other.id, port, fast);
  }
  EXPECT_TRUE(count());
  EXPECT_EQ(congestion, (std::vector<double>{1, 1, 1})) << "hosts' links are what holds them back";
  EXPECT_EQ(congestion_bin(1.2), 2U);
  EXPECT_EQ(congestion_bin(2.0), 2U);
}

TEST(Congestion, SaysWhichRouteDoesNotArrive) {
  const Subnet subnet = fabric("tree", {{"arity", i64{2}}, {"levels", i64{2}}});
  FabricRouting routing = route_subnet(subnet, "minhop");
  const auto broken = [&](RouteEnd end) {
    CongestionCounter counter(subnet, routing.tables);
    const std::vector<FlowRoute> routes{{0, 1}, {0, 3}, {1, 2}};
    std::vector<double> congestion(routes.size());
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
