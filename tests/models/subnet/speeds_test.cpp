// Speeds of links: their names, what is usual, and which are odd.
#include "models/subnet/speeds.hpp"

#include <gtest/gtest.h>

#include "models/subnet/distances.hpp"
#include "models/subnet/subnet_topology.hpp"
#include "tests/models/subnet/fabric_of.hpp"

namespace weft::models {
namespace {

double rate(const std::string& name) {
  const auto speed = link_speed_named(name);
  return speed ? speed->rate : 0;
}

Subnet tree_of(const std::string& speed) {
  Subnet subnet = fabric("tree", {{"arity", i64{4}}, {"levels", i64{2}}});
  for (u32 s = 0; s < subnet.switches(); ++s) {
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) subnet.set_speed(s, port, *link_speed_named(speed));
  }
  return subnet;
}

/// First port of a switch that leads to another switch, or to a host.
u32 port_to(const Subnet& subnet, u32 s, Peer::Kind kind) {
  u32 port = 1;
  while (subnet.peer(s, port).kind != kind) ++port;
  return port;
}

TEST(LinkSpeeds, HaveTheDataRatesOfTheirNames) {
  EXPECT_DOUBLE_EQ(rate("1xSDR"), 2);
  EXPECT_DOUBLE_EQ(rate("4xDDR"), 16);
  EXPECT_DOUBLE_EQ(rate("4xQDR"), 32);
  EXPECT_DOUBLE_EQ(rate("4xFDR10"), 40);
  EXPECT_NEAR(rate("4xFDR"), 54.5454545, 1e-6);
  EXPECT_DOUBLE_EQ(rate("4xEDR"), 100);
  EXPECT_DOUBLE_EQ(rate("2xHDR"), 100);
  EXPECT_DOUBLE_EQ(rate("12xqdr"), 96);
  EXPECT_DOUBLE_EQ(rate("4xNDR"), 400);
  EXPECT_DOUBLE_EQ(rate("25 Gb/s"), 25);
  EXPECT_DOUBLE_EQ(rate("2.5Gbps"), 2.5);
  for (const char* none : {"", "4x", "QDR", "4xABC", "-4xQDR", "0xQDR", "25", "25 MB/s", "nan Gb/s", "99xQDR"})
    EXPECT_FALSE(link_speed_named(none)) << none;
}

TEST(LinkSpeeds, AreComparedWithTheUsualOneOfHosts) {
  Subnet subnet = tree_of("4xQDR");
  EXPECT_TRUE(relative_rates(subnet).empty()) << "all alike";
  EXPECT_EQ(usual_speed(subnet).name, "4xQDR");
  const u32 up = port_to(subnet, 0, Peer::Kind::router), down = port_to(subnet, 0, Peer::Kind::node);
  subnet.set_speed(0, up, *link_speed_named("1xSDR"));
  subnet.set_speed(0, down, *link_speed_named("4xHDR"));
  const std::vector<double> rates = relative_rates(subnet);
  const Peer far = subnet.peer(0, up);
  EXPECT_DOUBLE_EQ(rates[subnet.channel(0, up)], 1.0 / 16);
  EXPECT_DOUBLE_EQ(rates[subnet.channel(far.id, far.port)], 1.0 / 16) << "both directions";
  EXPECT_DOUBLE_EQ(rates[subnet.host_channel(subnet.peer(0, down).id)], 6.25);
  EXPECT_EQ(speeds_of(subnet), (std::map<std::string, u64>{{"1xSDR", 1}, {"4xHDR", 1}, {"4xQDR", 30}}));
}

TEST(LinkSpeeds, ThatAreOddAreNamedAndSeveralGenerationsAreNot) {
  Subnet subnet = tree_of("4xEDR");
  const u32 up = port_to(subnet, 0, Peer::Kind::router);
  subnet.set_speed(0, up, *link_speed_named("4xQDR"));
  const std::vector<SlowLink> slow = slow_links(subnet, fabric_levels(subnet).level);
  ASSERT_EQ(slow.size(), 1U);
  EXPECT_EQ(slow[0].channel, subnet.channel(0, up));
  EXPECT_EQ(slow[0].speed.text(), "4xQDR (32 Gb/s)");
  EXPECT_EQ(slow[0].usual.name, "4xEDR");
  EXPECT_EQ(slow[0].alike, 15U);

  Subnet half = tree_of("4xEDR");
  for (u32 s = 0; s < 2; ++s) {
    for (u32 port = 1; port <= half.switch_at(s).ports; ++port) {
      if (half.peer(s, port).kind == Peer::Kind::node) half.set_speed(s, port, *link_speed_named("4xQDR"));
    }
  }
  EXPECT_TRUE(slow_links(half, fabric_levels(half).level).empty()) << "half of the hosts are older";
}

TEST(LinkSpeeds, AreThoseOfTheLinksOfTheTopology) {
  Subnet subnet = tree_of("4xQDR");
  const SubnetTopology alike(subnet, "tree", std::nullopt);
  EXPECT_TRUE(alike.link_rates().empty());
  const u32 up = port_to(subnet, 0, Peer::Kind::router);
  subnet.set_speed(0, up, *link_speed_named("1xQDR"));
  const SubnetTopology slow(subnet, "tree", std::nullopt);
  EXPECT_EQ(slow.link_rates(), (std::vector<double>{0.25, 1.0}));
  EXPECT_EQ(slow.link_rate(RouterId(0), up - 1), 0.25);
  EXPECT_EQ(slow.link_speed(RouterId(0), up - 1), "1xQDR");
  EXPECT_LT(slow.uniform_load_bound(), alike.uniform_load_bound() + 1e-12);
  EXPECT_TRUE(SubnetTopology(subnet, "tree", std::nullopt, {}, false).link_rates().empty());
}

}  // namespace
}  // namespace weft::models
