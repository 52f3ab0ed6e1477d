// Racks, cables and sums of networks that can be counted by hand.
#include "tools/report/cost/network_cost.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "models/topology/planes.hpp"
#include "tests/tools/run/config/config_file.hpp"
#include "tools/report/cost/cost_outputs.hpp"

namespace weft::tools::cost {
namespace {

using models::make_topology;
using testing::contains;

const std::string items =
    "[[switch]]\nname = \"small\"\nup_to_ports = 6\nprice = 100\nprice_per_port = 10\nwatts = 5\nwatts_per_port = 1\n"
    "[[switch]]\nname = \"large\"\nprice = 1000\nprice_per_port = 20\nwatts = 50\nwatts_per_port = 2\n"
    "[nic]\nprice = 7\nwatts = 3\n"
    "[[cable]]\nname = \"backplane\"\nup_to_m = 0.25\nprice = 1\n"
    "[[cable]]\nname = \"copper\"\nup_to_m = 5\nprice = 2\nprice_per_m = 4\n"
    "[[cable]]\nname = \"optical\"\nprice = 30\nprice_per_m = 1\nwatts = 0.5\nwatts_per_m = 0.1\n";

/// The table with this floor, and the prices above.
CostTable table(const std::string& floor) { return read_cost_table("[floor]\n" + floor + items, "prices.toml"); }

const Part& part_of(const NetworkCost& cost, const std::string& what, const std::string& name) {
  static const Part none;
  for (const Part& part : cost.parts) {
    if (part.what == what && part.name == name) return part;
  }
  return none;
}

TEST(NetworkCost, RowsOfATorusAreRacksAndItsColumnsGoFromRackToRack) {
  const auto torus = make_topology({"torus", {{"dims", std::vector<i64>{4, 4}}}});
  const NetworkCost cost = cost_of(*torus, table("switches_per_rack = 4\nracks_per_row = 2\nrack_pitch_m = 1\n"
                                                 "row_pitch_m = 10\nin_rack_m = 0.25\nslack_m = 0.5\n"));
  EXPECT_EQ(cost.racks, 4U);
  EXPECT_EQ(cost.rows(), 2U);
  EXPECT_EQ(cost.width_m(), 2.0);
  EXPECT_EQ(cost.depth_m(), 20.0);
  // Racks 0 1 over 2 3: of the ring 0 1 2 3 two steps stay in a row, two go to the other row and to the other place.
  EXPECT_EQ(part_of(cost, "cable", "backplane").count, 16U);
  EXPECT_EQ(part_of(cost, "cable", "copper").count, 8U);
  EXPECT_DOUBLE_EQ(part_of(cost, "cable", "copper").units, 8 * 1.5);
  EXPECT_EQ(part_of(cost, "cable", "optical").count, 8U);
  EXPECT_DOUBLE_EQ(part_of(cost, "cable", "optical").longest, 11.5);
  EXPECT_DOUBLE_EQ(cost.cable_m(), 16 * 0.25 + 8 * 1.5 + 8 * 11.5);
  EXPECT_EQ(part_of(cost, "nic", "").count, 0U) << "nodes are inside the routers";
  EXPECT_DOUBLE_EQ(cost.price(), 16 * (100 + 4 * 10) + 16 * 1 + 8 * (2 + 4 * 1.5) + 8 * (30 + 11.5));
  EXPECT_DOUBLE_EQ(cost.watts(), 16 * (5 + 4) + 8 * (0.5 + 1.15));
}

TEST(NetworkCost, LevelsOfAFatTreeAreSwitchesOfTheirOwnPortsInRacksOfTheirOwn) {
  const auto tree = make_topology({"tree", {{"arity", i64{4}}, {"levels", i64{2}}}});
  const NetworkCost cost = cost_of(*tree, table("nodes_per_rack = 4\nswitches_per_rack = 1\nracks_per_row = 8\n"
                                                "rack_pitch_m = 1\nrow_pitch_m = 1\nin_rack_m = 0.25\n"));
  EXPECT_EQ(cost.racks, 8U);
  EXPECT_EQ(part_of(cost, "switch", "large").count, 4U) << "leaves have 8 ports";
  EXPECT_EQ(part_of(cost, "switch", "small").count, 4U) << "at the top 4 are left";
  EXPECT_EQ(part_of(cost, "nic", "").count, 16U);
  // Leaf i stands at i, top switch j at 4 + j: the sum of 4 + j - i over all pairs is 16 * 4.
  EXPECT_DOUBLE_EQ(cost.cable_m(), 16 * 0.25 + 64);
  EXPECT_DOUBLE_EQ(cost.price(), 4 * (1000 + 160) + 4 * (100 + 40) + 16 * 7 + 16 * 1 +
                                     // 1 + 2 * 2 + 3 * 3 + 4 * 4 + 3 * 5 metres in 1 + 2 + 3 + 4 + 3 of copper
                                     13 * 2 + 45 * 4 + 3 * 30 + (2 * 6 + 7));
}

TEST(NetworkCost, TopSwitchesMayBeVirtualOnesOfWholeOnes) {
  // "We may consider a single switch as an aggregation of lower radix virtual switches, which results in a smaller
  // number of switches in the topmost stage": 4 tops of 4 ports in 2 switches of 8.
  const auto tree = make_topology({"tree", {{"arity", i64{4}}, {"levels", i64{2}}}});
  const std::string floor =
      "[floor]\nswitches_per_rack = 1\nracks_per_row = 8\nrack_pitch_m = 1\nrow_pitch_m = 1\nin_rack_m = 0.25\n";
  const NetworkCost cost = cost_of(*tree, read_cost_table("virtual_switches = true\n" + floor + items, "prices.toml"));
  EXPECT_EQ(part_of(cost, "switch", "large").count, 4U + 2U);
  EXPECT_DOUBLE_EQ(part_of(cost, "switch", "large").price, 6 * (1000 + 160));
  EXPECT_EQ(part_of(cost, "switch", "small").count, 0U);
  const auto thin = make_topology({"thin-tree", {{"down", i64{4}}, {"up", i64{2}}, {"levels", i64{2}}}});
  const NetworkCost thin_cost =
      cost_of(*thin, read_cost_table("virtual_switches = true\n" + floor + items, "prices.toml"));
  EXPECT_EQ(part_of(thin_cost, "switch", "small").count, 4U + 2U) << "6 ports hold one top switch of 4";
  EXPECT_THROW(static_cast<void>(read_cost_table("virtual_switches = 1\n" + floor + items, "prices.toml")),
               ConfigError);
}

TEST(NetworkCost, GroupsOfADragonflyAreRacks) {
  const auto dragonfly = make_topology(
      {"dragonfly", {{"nodes_per_router", i64{2}}, {"routers_per_group", i64{4}}, {"global_links", i64{2}}}});
  const std::string floor =
      "nodes_per_rack = 8\nracks_per_row = 9\nrack_pitch_m = 1\nrow_pitch_m = 1\nin_rack_m = 0.25\nslack_m = 2\n";
  const NetworkCost cost = cost_of(*dragonfly, table(floor));
  EXPECT_EQ(cost.racks, 9U);
  EXPECT_EQ(part_of(cost, "cable", "backplane").count, 72U + 9 * 6);
  // 36 pairs of groups in a row: 9 - d of them are d apart, 120 in all; up to 3 apart with 2 m of slack is copper.
  EXPECT_EQ(part_of(cost, "cable", "copper").count, 8U + 7 + 6);
  EXPECT_EQ(part_of(cost, "cable", "optical").count, 15U);
  EXPECT_DOUBLE_EQ(cost.cable_m(), (72 + 54) * 0.25 + 120 + 36 * 2);
  EXPECT_EQ(part_of(cost, "switch", "large").units, 36.0 * 7);

  const auto planes = models::with_planes(
      make_topology(
          {"dragonfly", {{"nodes_per_router", i64{2}}, {"routers_per_group", i64{4}}, {"global_links", i64{2}}}}),
      2);
  const NetworkCost both = cost_of(*planes, table(floor));
  EXPECT_EQ(both.racks, 9U) << "the second plane stands beside the first";
  EXPECT_DOUBLE_EQ(both.price(), 2 * cost.price());
  EXPECT_DOUBLE_EQ(both.cable_m(), 2 * cost.cable_m());
}

TEST(NetworkCost, MeasuresOfThinTreesAreThoseOfTheirPaper) {
  // Table 6 of Navaridas et al. 2010: 8:4,4 has phi 0.7243 where the full tree has 1.
  const auto measures = [](i64 up) {
    return measures_of(*make_topology({"thin-tree", {{"down", i64{8}}, {"up", up}, {"levels", i64{4}}}}));
  };
  const Measures slim = measures(4), full = measures(8);
  EXPECT_EQ(slim.switches, 960U);
  EXPECT_EQ(slim.radix, 12U);
  EXPECT_NEAR(0.7243 * static_cast<double>(full.switches) / static_cast<double>(slim.switches), 1.5452, 1e-4);
  EXPECT_NEAR(0.7243 * full.ports() / slim.ports(), 2.0602, 2e-4);
  EXPECT_NEAR(0.7243 * full.crosspoints() / slim.crosspoints(), 2.7470, 2e-4);
}

std::string refusal(const std::string& text, const std::string& kind = "tree") {
  try {
    const auto topology = kind == "tree" ? make_topology({"tree", {{"arity", i64{4}}, {"levels", i64{2}}}})
                                         : make_topology({"ideal", {{"nodes", i64{4}}}});
    static_cast<void>(cost_of(*topology, read_cost_table(text, "p.toml")));
  } catch (const ConfigError& refused) {
    return refused.what();
  }
  return "";
}

const std::string room =
    "[floor]\nnodes_per_rack = 4\nracks_per_row = 8\nrack_pitch_m = 1\nrow_pitch_m = 1\nin_rack_m = 0.25\n";

TEST(CostTable, SaysWhereAndWhyItIsRefused) {
  EXPECT_EQ(refusal(room + items), "");
  EXPECT_TRUE(contains(refusal("[flor]\n"), "p.toml:1: unknown key flor; did you mean floor?"));
  EXPECT_TRUE(contains(refusal(items), "no [floor]"));
  EXPECT_TRUE(contains(refusal("[floor]\nracks_per_row = 8\n" + items), "p.toml:1: [floor] nodes_per_rack and"));
  EXPECT_TRUE(contains(refusal("[floor]\nnodes_per_rack = 0\n"), "p.toml:2: [floor] nodes_per_rack is not possible"));
  EXPECT_TRUE(contains(refusal("[floor]\nnodes_per_rack = 4\nracks_per_row = 8\nrack_pitch_m = -1\n"),
                       "p.toml:4: [floor] rack_pitch_m = -1 is below 0"));
  EXPECT_TRUE(contains(refusal(room + "[[switch]]\nprice = 1\n"), "p.toml:7: [[switch]] name is missing"));
  EXPECT_TRUE(contains(refusal(room + "[[switch]]\nname = \"a\"\npric = 1\n"), "p.toml:9: unknown key pric"));
  EXPECT_TRUE(
      contains(refusal(room + "[[switch]]\nname = \"a\"\nprice = \"1\"\n"), "p.toml:9: [[switch]] price is no"));
  EXPECT_TRUE(contains(refusal(room + "[[switch]]\nname = \"a\"\n[[switch]]\nname = \"b\"\n"),
                       "p.toml:9: [[switch]] 'b' is never taken"));
  EXPECT_TRUE(contains(refusal(room + "[switch]\nname = \"a\"\n"), "p.toml:7: switch is a list of tables"));
  EXPECT_TRUE(contains(refusal(room + "[[switch]]\nname = \"a\"\nup_to_ports = 4\n[[switch]]\nname = \"b\"\n"
                                      "up_to_ports = 4\n"),
                       "p.toml:12: [[switch]] up_to_ports is not above that of 'a'"));
  EXPECT_TRUE(contains(refusal(room + "[[switch]]\nname = \"a\"\n"), "no [[cable]]"));
}

TEST(CostTable, HasAKindForEverythingThatANetworkNeeds) {
  const std::string small = "[[switch]]\nname = \"a\"\nup_to_ports = 7\n[[cable]]\nname = \"c\"\n";
  EXPECT_TRUE(contains(refusal(room + small), "no [[switch]] has 8 ports, as those of the 4-ary 2-tree do"));
  const std::string cut = "[[switch]]\nname = \"a\"\n[[cable]]\nname = \"c\"\nup_to_m = 2\n";
  EXPECT_TRUE(contains(refusal(room + cut), "no [[cable]] is 3 m long"));
  EXPECT_TRUE(contains(refusal("[floor]\nnodes_per_rack = 3\n" + room.substr(room.find("racks")) + items),
                       "nodes_per_rack = 3 is less than the 4 nodes of router 0"));
  EXPECT_TRUE(contains(refusal(room + items, "ideal"), "has no price"));
}

TEST(NetworkCost, TheTextHasALineForEachPartAndTheirSum) {
  const auto tree = make_topology({"tree", {{"arity", i64{4}}, {"levels", i64{2}}}});
  const CostTable prices = table(
      "nodes_per_rack = 4\nswitches_per_rack = 1\nracks_per_row = 8\nrack_pitch_m = 1\n"
      "row_pitch_m = 1\nin_rack_m = 0.25\n");
  const NetworkCost cost = cost_of(*tree, prices);
  const std::string text = cost_text(cost, measures_of(*tree), tree->nodes());
  EXPECT_TRUE(contains(text, "C 8 switches, L 64, Q 512: all counted with 8 ports"));
  EXPECT_TRUE(contains(text, "8 racks in 1 row, 8 m x 1 m"));
  EXPECT_TRUE(contains(text, "cable, copper"));
  const nlohmann::json json = cost_json(cost, tree->nodes());
  EXPECT_DOUBLE_EQ(json["price"].get<double>(), cost.price());
  EXPECT_DOUBLE_EQ(json["price_per_node"].get<double>(), cost.price() / 16);
  EXPECT_EQ(json["parts"].size(), cost.parts.size());
}

}  // namespace
}  // namespace weft::tools::cost
