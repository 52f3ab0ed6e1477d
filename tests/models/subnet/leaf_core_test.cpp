// Clusters of leaves and cores: chips and links counted, mistakes named, LIDs handed out.
#include "models/subnet/leaf_core.hpp"

#include <gtest/gtest.h>
#include <set>

#include "engine/base/error.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "models/subnet/lids.hpp"

namespace weft::models {
namespace {

LeafCoreShape chic() {
  return {.name = "CHiC", .hosts = 528, .leaves = 44, .leaf_uplinks = 12, .cores = 2, .core_cards = 24};
}

TEST(LeafCore, HasTheChipsAndLinksOfCoresThatAreClosNetworks) {
  const Subnet three = leaf_core_subnet(chic());
  EXPECT_EQ(three.switches(), 44U + 2 * (24 + 12));
  EXPECT_EQ(three.hosts(), 528U);
  EXPECT_EQ(three.switch_links(), 44U * 12 + 2 * 24 * 12);
  // A 3,456-port switch is made of 720 chips; between its stages are 3,456 links each.
  const Subnet five = leaf_core_subnet({.name = "Ranger",
                                        .hosts = 3936,
                                        .leaves = 328,
                                        .leaf_uplinks = 12,
                                        .cores = 2,
                                        .core_stages = 5,
                                        .core_cards = 24,
                                        .cable_links = 3,
                                        .spread = true});
  EXPECT_EQ(five.switches(), 328U + 2 * 720);
  EXPECT_EQ(five.switch_links(), 328U * 12 + 2 * 2 * 3456);
}

TEST(LeafCore, IsConnectedHoweverItIsCabled) {
  for (const bool spread : {false, true}) {
    LeafCoreShape shape = chic();
    shape.spread = spread;
    const Subnet subnet = leaf_core_subnet(shape);
    EXPECT_EQ(unrouted_pairs(subnet, route_subnet(subnet, "dmodk").tables).pairs, 0U);
    std::set<u32> chips;
    for (u32 port = 13; port <= 24; ++port) chips.insert(subnet.peer(7, port).id);
    EXPECT_EQ(chips.size(), spread ? 12U : 2U);
  }
}

TEST(LeafCore, RefusesWhatDoesNotFit) {
  for (const auto change : {+[](LeafCoreShape& s) { s.leaf_uplinks = 11; }, +[](LeafCoreShape& s) { s.leaves = 60; },
                            +[](LeafCoreShape& s) { s.core_cards = 25; }, +[](LeafCoreShape& s) { s.core_stages = 4; },
                            +[](LeafCoreShape& s) { s.hosts = 0; }}) {
    LeafCoreShape shape = chic();
    change(shape);
    EXPECT_THROW(static_cast<void>(leaf_core_subnet(shape)), ConfigError);
  }
}

TEST(Lids, AreGivenToThoseThatHaveNone) {
  Subnet subnet;
  subnet.add_switch({.name = "a", .lid = 2, .ports = 4});
  subnet.add_switch({.name = "b", .ports = 4});
  subnet.add_host({.name = "x"});
  subnet.add_host({.name = "y", .lmc = 1});
  subnet.add_host({.name = "z", .lid = 8});
  EXPECT_EQ(hand_out_lids(subnet), 8U);
  EXPECT_EQ(subnet.host_at(0).lid, 1U);
  EXPECT_EQ(subnet.host_at(1).lid, 4U);  // 4 and 5: a multiple of two
  EXPECT_EQ(subnet.switch_at(0).lid, 2U);
  EXPECT_EQ(subnet.switch_at(1).lid, 3U);
}

}  // namespace
}  // namespace weft::models
