// Rates of links and lengths of packets in the config: what they come to, and which routers refuse them.
#include "models/routing/router_kind.hpp"
#include "tests/tools/run/config/config_file.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools {
namespace {

using testing::contains;

struct LinkRates : testing::ConfigFile {
  const std::string torus_ = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n";
  const std::string dragonfly_ =
      "[topology]\nkind = \"dragonfly\"\nnodes_per_router = 2\nrouters_per_group = 4\nglobal_links = 2\n";
  const std::vector<std::string> cycle_of_six_{"simulation.tick_ps=500", "link.rate_gbps=10.666666666666666"};

  [[nodiscard]] u64 ticks(const std::string& link_class, const std::vector<std::string>& overrides) const {
    const Config config = load(dragonfly_, overrides);
    return cell_ticks(config, link_class, time_scale(config));
  }
  [[nodiscard]] std::string ticks_error(const std::string& link_class,
                                        const std::vector<std::string>& overrides) const {
    try {
      static_cast<void>(ticks(link_class, overrides));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  /// What is wrong for a switch on a torus, without what it says to the same network without `overrides`.
  [[nodiscard]] std::string switch_error(std::vector<std::string> overrides) const {
    const std::string kind = "router.kind=switch";
    const std::string before = validation_error(torus_, {kind});
    overrides.push_back(kind);
    const std::string with = validation_error(torus_, overrides);
    return with == before ? "" : with;
  }
  static std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
};

TEST_F(LinkRates, AreTicksOfAPhitClassByClass) {
  EXPECT_EQ(ticks("link", {}), 1U);
  EXPECT_EQ(ticks("global", {}), 1U);
  EXPECT_EQ(ticks("link", {"link.phits_per_cycle=0.25"}), 4U);
  EXPECT_EQ(ticks("global", {"link.phits_per_cycle=0.25"}), 4U) << "a class that says nothing is as all links";
  EXPECT_EQ(ticks("node", {"link.phits_per_cycle=0.25", "link.node.phits_per_cycle=0.5"}), 2U);
  EXPECT_EQ(ticks("node", {"link.phits_per_cycle=0.25", "link.node.phits_per_cycle=1"}), 1U);
  EXPECT_EQ(ticks("global", joined(cycle_of_six_, {"link.global.phits_per_cycle=3"})), 2U);
  EXPECT_EQ(ticks("link", joined(cycle_of_six_, {"link.global.phits_per_cycle=3"})), 6U);
  EXPECT_EQ(ticks("global", joined(cycle_of_six_, {"link.global.phits_per_cycle=1.5"})), 4U);
}

TEST_F(LinkRates, OfAClassHaveATableOfTheirOwn) {
  const Config config =
      load("[link]\nphits_per_cycle = 0.5\n[link.node]\nphits_per_cycle = 0.25\nlatency_cycles = 7\n" + dragonfly_);
  EXPECT_EQ(cell_ticks(config, "global", time_scale(config)), 2U);
  EXPECT_EQ(cell_ticks(config, "node", time_scale(config)), 4U);
  EXPECT_EQ(config.integer("link.node.latency_cycles"), 7);
}

TEST_F(LinkRates, MustGiveAWholeNumberOfTicksAndSayWhichTicksWould) {
  std::string error = ticks_error("global", {"link.global.phits_per_cycle=2"});
  EXPECT_TRUE(contains(error, "--set link.global.phits_per_cycle=2"));
  EXPECT_TRUE(contains(error, "link.global.phits_per_cycle = 2.0 makes a phit last 0.5 ticks"));
  EXPECT_TRUE(contains(error, "a cycle is 1 tick)"));
  EXPECT_TRUE(
      contains(error, "give a cycle 2 ticks, for example by simulation.tick_ps = 1000 and link.rate_gbps = 16.0"));
  EXPECT_EQ(ticks("global", {"link.global.phits_per_cycle=2", "simulation.tick_ps=1000", "link.rate_gbps=16.0"}), 1U);
  error = ticks_error("global", {"link.global.phits_per_cycle=0.895"});
  EXPECT_TRUE(contains(error, "use link.global.phits_per_cycle = 0.5 or 1.0, nearest to it with this tick"));
  EXPECT_TRUE(contains(error, "give a cycle 179 ticks (of 17 ticks for 0.8947368421052632)"));

  error = ticks_error("link", joined(cycle_of_six_, {"link.phits_per_cycle=4"}));
  EXPECT_TRUE(contains(error, "makes a phit last 1.5 ticks (no positive whole number; a cycle is 6 ticks of 500 ps)"));
  EXPECT_TRUE(contains(error, "use link.phits_per_cycle = 3.0 or 6.0, nearest to it with this tick"));
  EXPECT_TRUE(contains(error, ", or simulation.tick_ps = 250"));
  EXPECT_EQ(ticks("link", joined(cycle_of_six_, {"link.phits_per_cycle=4", "simulation.tick_ps=250"})), 3U);

  // A tick that is the cycle: the rate of the links must say so.
  error = ticks_error("link", {"simulation.tick_ps=2000", "link.phits_per_cycle=4"});
  EXPECT_TRUE(contains(error, "simulation.tick_ps = 500 and link.rate_gbps = 16.0"));
  EXPECT_EQ(ticks("link", {"simulation.tick_ps=500", "link.rate_gbps=16.0", "link.phits_per_cycle=4"}), 1U);
  // A cycle of 3200 ps without ticks.
  EXPECT_TRUE(
      contains(ticks_error("link", {"link.rate_gbps=10", "link.phits_per_cycle=2"}), "simulation.tick_ps = 1600"));
  // No tick does: the rates beside it, and one that is nearer with a finer tick.
  error = ticks_error("link", joined(cycle_of_six_, {"link.phits_per_cycle=3.3"}));
  EXPECT_TRUE(contains(error, "; use link.phits_per_cycle = 3.0 or 6.0"));
  EXPECT_TRUE(contains(error, "simulation.tick_ps = 1 and link.phits_per_cycle = 3.3003300330033003"));
  const auto finer = joined(cycle_of_six_, {"simulation.tick_ps=1", "link.phits_per_cycle=3.3003300330033003"});
  EXPECT_EQ(ticks("link", finer), 909U);
}

TEST_F(LinkRates, HaveLimits) {
  EXPECT_TRUE(contains(load_error(torus_, {"link.phits_per_cycle=0"}), "link.phits_per_cycle"));
  EXPECT_TRUE(contains(load_error(torus_, {"link.phits_per_cycle=10000"}), "1000.0"));
  EXPECT_TRUE(
      contains(ticks_error("link", {"simulation.tick_ps=1", "link.rate_gbps=0.032", "link.phits_per_cycle=0.5"}),
               "ticks (at most 1000000)"));
}

TEST_F(LinkRates, AreRefusedByRoutersThatKnowNone) {
  for (const std::string key : {"link.phits_per_cycle", "link.node.phits_per_cycle"}) {
    const std::string error = validation_error(torus_, {key + "=0.5"});
    EXPECT_TRUE(contains(error, key + " = 0.5 does not fit router.kind = \"bubble\""));
    EXPECT_TRUE(contains(error, "routers that know rates: "));
    EXPECT_EQ(validation_error(torus_, {key + "=1"}), "");
  }
  EXPECT_TRUE(contains(validation_error(dragonfly_, {"link.global.phits_per_cycle=0.5"}),
                       "does not fit router.kind = \"dragonfly\""));
  EXPECT_TRUE(contains(validation_error(torus_, {"link.global.phits_per_cycle=0.5"}),
                       "has no effect with topology.kind = \"torus\" (it is a key of dragonfly"));
}

TEST_F(LinkRates, AreTakenBySwitches) {
  EXPECT_TRUE(contains(validation_error(torus_, {"link.phits_per_cycle=0.5"}),
                       "use router.kind = \"extoll\" or \"infiniband\" or "));
  EXPECT_EQ(switch_error({"link.phits_per_cycle=0.5", "link.node.phits_per_cycle=0.25"}), "");
  EXPECT_TRUE(contains(switch_error({"link.node.phits_per_cycle=3"}), "makes a phit last"));
  EXPECT_TRUE(contains(
      switch_error({"simulation.tick_ps=1", "link.rate_gbps=32", "link.node.phits_per_cycle=0.00125"}),
      "link.node.phits_per_cycle = 0.00125 makes a packet take 12800000 ticks on a link, 800000 for each phit"));
}

struct PacketCells : LinkRates {
  [[nodiscard]] workloads::PacketLengths cells(const std::vector<std::string>& overrides) const {
    return packet_lengths(load(torus_, overrides));
  }
};

TEST_F(PacketCells, AreAllOfAPacketUnlessARangeIsGiven) {
  EXPECT_EQ(cells({}).least(), 16U);
  EXPECT_EQ(cells({"packet.phits=9"}).most(), 9U);
  EXPECT_DOUBLE_EQ(cells({"packet.phits=9"}).mean(), 9);
  EXPECT_EQ(cells({"workload.packet_cells=[2, 5]"}).least(), 2U);
  EXPECT_EQ(cells({"workload.packet_cells=[2, 5]"}).most(), 5U);
  EXPECT_DOUBLE_EQ(cells({"workload.packet_cells=[2, 5]"}).mean(), 3.5);
}

TEST_F(PacketCells, AreRefusedByRoutersOfOneLengthAndByMessages) {
  const std::string error = validation_error(torus_, {"workload.packet_cells=[1, 4]"});
  EXPECT_TRUE(contains(error, "workload.packet_cells = [1, 4] does not fit router.kind = \"bubble\""));
  EXPECT_TRUE(contains(error, "routers that take packets of any length: "));
  EXPECT_TRUE(
      contains(validation_error(torus_, {"workload.packet_cells=[1, 4]", "workload.kind=kernel", "workload.name=mesh"}),
               "has no effect with workload.kind = \"kernel\""));
}

TEST_F(PacketCells, AreARangeThatFitsInAPacket) {
  EXPECT_EQ(switch_error({"workload.packet_cells=[1, 16]"}), "");
  EXPECT_EQ(switch_error({"workload.packet_cells=[4, 4]", "workload.kind=burst"}), "");
  EXPECT_TRUE(contains(switch_error({"workload.packet_cells=[4, 2]"}), "use packet_cells = [2, 4]"));
  EXPECT_TRUE(contains(switch_error({"workload.packet_cells=[3]"}), "is no range"));
  EXPECT_TRUE(contains(load_error(torus_, {"workload.packet_cells=[]"}), "is empty"));
  const std::string error = switch_error({"workload.packet_cells=[2, 32]"});
  EXPECT_TRUE(contains(error, "workload.packet_cells = [2, 32] is more than packet.phits = 16"));
  EXPECT_TRUE(contains(error, "use packet_cells = [2, 16] or packet.phits = 32"));
  EXPECT_TRUE(contains(load_error(torus_, {"workload.packet_cells=[0, 4]"}), "out of range"));
}

}  // namespace
}  // namespace weft::tools
