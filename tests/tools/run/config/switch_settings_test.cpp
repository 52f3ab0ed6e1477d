// What is said against settings of switches of cells that cannot be.
#include "models/machine/memory.hpp"
#include "models/routing/router_kind.hpp"
#include "tests/tools/run/config/config_file.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools {
namespace {

using testing::contains;

struct CellSettings : testing::ConfigFile {
  using Overrides = std::vector<std::string>;
  const std::string torus_ =
      "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[router]\nkind = \"switch\"\nvirtual_channels = 3\n"
      "[packet]\nphits = 16\n[workload]\nkind = \"synthetic\"\noffered_load = 0.1\n[simulation]\ncycles = 100\n";
  [[nodiscard]] std::string error(const Overrides& overrides) const { return validation_error(torus_, overrides); }
  /// What is wrong with the sizes of buffers.
  [[nodiscard]] std::string size_error(const Overrides& overrides) const {
    const Config config = load(torus_, overrides);
    models::RouterSettings settings;
    settings.kind = "switch";
    settings.virtual_channels = 3;
    settings.packet_phits = 16;
    settings.own = router_parameters(config);
    try {
      models::check_capacity(*make_network(config), settings);
    } catch (const ConfigError& wrong) {
      return wrong.what();
    }
    return "";
  }
  [[nodiscard]] std::string speedup_error(const Overrides& overrides, const std::vector<u64>& cell_ticks) const {
    const Config config = load(torus_, overrides);
    try {
      check_speedup(config, time_scale(config), cell_ticks);
    } catch (const ConfigError& wrong) {
      return wrong.what();
    }
    return "";
  }
};

TEST_F(CellSettings, AreTakenWhereTheyFitTogether) {
  EXPECT_EQ(error({}), "");
  EXPECT_EQ(error({"router.speedup=4", "router.output_buffer_cells=16"}), "");
  EXPECT_EQ(error({"router.traffic_classes=2", "router.class_modes=adaptive, basic", "router.class_shares=[0,2]",
                   "router.class_priority=strict"}),
            "");
  EXPECT_EQ(size_error({"router.buffers=shared"}), "");
  EXPECT_EQ(size_error({"router.buffers=shared", "router.buffer_cells=60", "router.reserved_cells=20"}), "");
}

TEST_F(CellSettings, SpeedUpNeedsBuffersAtTheOutputs) {
  EXPECT_TRUE(contains(error({"router.speedup=2"}), "router.speedup = 2 needs buffers at the outputs"));
  const std::string few = size_error({"router.speedup=2", "router.output_buffer_cells=15"});
  EXPECT_TRUE(contains(few, "router.output_buffer_cells = 15 is too few for packets of 16 phits"));
  EXPECT_TRUE(contains(few, "use output_buffer_cells = 32, or 0"));
}

TEST_F(CellSettings, SpeedUpMustGiveAWholeNumberOfTicksAndSayWhichTicksWould) {
  EXPECT_EQ(speedup_error({"router.speedup=1"}, {1, 7}), "");
  EXPECT_EQ(speedup_error({"router.speedup=3"}, {6, 9}), "");
  std::string wrong = speedup_error({"router.speedup=2"}, {1});
  EXPECT_TRUE(contains(wrong,
                       "router.speedup = 2 makes a phit pass switches in no whole number of ticks (links "
                       "take 1 tick)"));
  EXPECT_TRUE(contains(wrong,
                       "use router.speedup = 1, or give a cycle 2 ticks, for example by simulation.tick_ps = "
                       "1000 and link.rate_gbps = 16.0"));
  // A cycle of 6 ticks of 500 ps.
  const Overrides six{"simulation.tick_ps=500", "link.rate_gbps=10.666666666666666", "router.speedup=4"};
  wrong = speedup_error(six, {6});
  EXPECT_TRUE(contains(wrong, "links take 6 ticks"));
  EXPECT_TRUE(contains(wrong, "use router.speedup = 3, or simulation.tick_ps = 250"));
  EXPECT_FALSE(contains(wrong, "rate_gbps"));
  // A tick that is the cycle.
  EXPECT_TRUE(contains(speedup_error({"simulation.tick_ps=2000", "router.speedup=2"}, {1}),
                       "simulation.tick_ps = 1000 and link.rate_gbps = 16.0"));
}

TEST_F(CellSettings, SharedBuffersReserveAPacketForEachChannel) {
  EXPECT_TRUE(contains(error({"router.reserved_cells=20"}), "router.reserved_cells = 20 has no effect"));
  EXPECT_TRUE(contains(size_error({"router.buffers=shared", "router.reserved_cells=15"}),
                       "router.reserved_cells = 15 is too few for packets of 16 phits (a whole one must fit in); use "
                       "reserved_cells = 16"));
  EXPECT_TRUE(contains(size_error({"router.buffers=shared", "router.buffer_cells=47"}),
                       "router.buffer_cells = 47 is too few for 3 channels with 16 cells reserved for each; use "
                       "buffer_cells = 96"));
  EXPECT_TRUE(contains(size_error({"router.buffers=shared", "router.traffic_classes=2"}), "for 6 channels"));
}

TEST_F(CellSettings, ClassesHaveAWeightAndAModeEach) {
  EXPECT_TRUE(contains(error({"router.traffic_classes=3", "router.class_shares=[1,2]"}),
                       "router.class_shares = [1, 2] has 2 weights for 3 traffic classes; write one for each, for "
                       "example class_shares = [1, 1, 1]"));
  EXPECT_TRUE(contains(error({"router.class_shares=[1,2]"}), "give router.traffic_classes"));
  EXPECT_TRUE(
      contains(error({"router.traffic_classes=2", "router.class_shares=[0,0]"}), "leaves no class any packets"));
  EXPECT_TRUE(contains(error({"router.traffic_classes=2", "router.class_modes=basic"}),
                       "has 1 modes for 2 traffic classes; write one for each, for example class_modes = \"basic, "
                       "basic\""));
  EXPECT_TRUE(contains(error({"router.traffic_classes=2", "router.class_modes=basic,fast"}),
                       "names no routing algorithm of dally routers; take one of \"adaptive\", \"improved\""));
  EXPECT_TRUE(contains(error({"router.traffic_classes=2", "router.class_modes=basic,trc", "router.routing=dally:trc"}),
                       "router.class_modes = \"basic,trc\" has no effect beside router.routing = \"dally:trc\""));
  EXPECT_TRUE(
      contains(error({"router.traffic_classes=2", "router.class_modes=basic,adaptive", "router.virtual_channels=2"}),
               "router.virtual_channels = 2 is too few for routing = \"adaptive\""));
  EXPECT_TRUE(contains(error({"router.class_priority=strict"}), "has no effect with router.traffic_classes = 1"));
}

}  // namespace
}  // namespace weft::tools
