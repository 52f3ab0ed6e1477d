// Keys that change nothing in a run: which they are, what is said of them, and who may give them all the same.
#include "tools/run/config/check/effect.hpp"

#include <algorithm>

#include "tests/tools/run/config/config_file.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {
namespace {

using testing::contains;

struct KeysWithoutEffect : testing::ConfigFile {
  const std::string torus_ = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n";
  const std::string dragonfly_ =
      "[topology]\nkind = \"dragonfly\"\nnodes_per_router = 2\nrouters_per_group = 4\nglobal_links = 2\n";
  const std::string cells_ = torus_ + "[router]\nkind = \"switch\"\n";

  std::string error(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return validation_error(text, overrides);
  }
};

TEST_F(KeysWithoutEffect, RoutesForSwitchesAreRefusedOnAPlainRouter) {
  const std::string said = error(dragonfly_ + "[router]\nvirtual_channels = 4\nrouting = \"ugal-l\"\n");
  EXPECT_TRUE(contains(said, "router.routing = \"ugal-l\" goes by the occupancy of outputs, which only switches"));
  EXPECT_TRUE(contains(said, "use router.kind = \"switch\" and router.routing = \"ugal-l\""));
  EXPECT_EQ(error(dragonfly_ + "[router]\nkind = \"switch\"\nvirtual_channels = 4\nrouting = \"ugal-l\"\n"), "");
}

TEST_F(KeysWithoutEffect, MeasuringIsRefusedBesideANumberOfCycles) {
  const std::string run = torus_ + "[simulation]\ncycles = 1000\n";
  EXPECT_EQ(error(run + "[measure]\nseeds = 3\n"), "");
  for (const char* const key : {"warmup_cycles = 3001", "batches = 3", "interval_cycles = 500", "method = \"mser\"",
                                "precision_fraction = 0.1", "max_warmup_cycles = 9000"}) {
    const std::string said = error(run + "[measure]\n" + key + "\n");
    EXPECT_TRUE(contains(said, "has no effect with simulation.stop = \"cycles\"; remove it, or simulation.cycles"))
        << key;
  }
}

TEST_F(KeysWithoutEffect, KeysOfQueuesOfPacketsAreRefusedOnSwitchesOfCells) {
  for (const char* const key : {"queue_packets = 8", "arbitration = \"age\"", "injection_queues = 2",
                                "injection = \"dor\"", "consumption = \"multiple\"", "lbr_packets = 1"}) {
    EXPECT_TRUE(contains(error(cells_ + key + "\n"), "has no effect on switch routers")) << key;
    EXPECT_TRUE(contains(error(torus_ + "[deadlock]\nunsafe = true\n[router]\nkind = \"wormhole\"\n" + key + "\n"),
                         "has no effect on wormhole routers"))
        << key;
  }
}

TEST_F(KeysWithoutEffect, AKeyOfAChoiceThatIsNotMadeNamesTheChoice) {
  EXPECT_TRUE(
      contains(error(cells_ + "[congestion]\nmin_cells = 8\n"),
               "congestion.min_cells = 8 has no effect with congestion.kind = \"none\"; remove it, or use kind = "
               "\"dcqcn\" or \"infiniband\""));
  EXPECT_TRUE(
      contains(error(cells_ + "[congestion]\nkind = \"dcqcn\"\ncct_increase = 2\n"), "use kind = \"infiniband\""));
  EXPECT_EQ(error(cells_ + "[congestion]\nkind = \"dcqcn\"\nmin_cells = 8\n"), "");
  EXPECT_TRUE(contains(error(cells_ + "[congestion]\nwindow_cells = 64\n"), "use kind = \"windows\""));
  EXPECT_TRUE(contains(error(torus_ + "[congestion]\nkind = \"windows\"\n"), "or router.kind = \"extoll\""));
  EXPECT_TRUE(contains(error(cells_ + "notice_cells = 4\n"), "(it is for modes that ask neighbours)"));
  EXPECT_TRUE(
      contains(error(torus_ + "[statistics]\nmost_pairs = 5\n"), "has no effect with statistics.pairs = false"));
  EXPECT_TRUE(contains(error(torus_ + "[statistics]\nevent_nodes = [1]\n"), "remove it, or give statistics.events"));
  EXPECT_TRUE(contains(error(torus_ + "[faults]\nseed = 3\n"),
                       "without faults.random_links, random_nodes or what happens during the run"));
  EXPECT_TRUE(contains(error(torus_ + "[congestion]\nkind = \"gcc\"\ngcc_period_cycles = 3\n"),
                       "remove it, or give congestion.gcc_packets"));
  EXPECT_TRUE(contains(error(torus_ + "[workload]\nmessage_bytes = 3\n"), "with workload.kind = \"synthetic\""));
  EXPECT_TRUE(contains(error(torus_ + "[workload]\nkind = \"burst\"\noffered_load = 0.35\n"),
                       "remove it, or use workload.kind = \"synthetic\""));
}

TEST_F(KeysWithoutEffect, WhatOnlyTheNetworkSaysIsAskedOfIt) {
  EXPECT_TRUE(contains(error(torus_ + "[link.node]\nlatency_cycles = 7\n"),
                       "has no effect with router.kind = \"bubble\" (nodes sit inside its routers)"));
  EXPECT_EQ(error(dragonfly_ + "[link.node]\nlatency_cycles = 7\n"), "");
  EXPECT_TRUE(contains(error(dragonfly_ + "[router]\nconsumption = \"multiple\"\n"),
                       "a node consumes through a link of its own"));
  EXPECT_EQ(error(torus_ + "[router]\nconsumption = \"multiple\"\n"), "");
}

TEST_F(KeysWithoutEffect, AChoiceByOccupancyHasItsKeysWhereItIsMade) {
  const std::string cells = dragonfly_ + "[router]\nkind = \"switch\"\nvirtual_channels = 4\nugal_bias_cells = 4\n";
  EXPECT_EQ(error(cells + "routing = \"ugal-l\"\n"), "");
  EXPECT_EQ(error(cells + "traffic_classes = 2\nclass_modes = \"minimal, ugal-l\"\n"), "");
  EXPECT_TRUE(contains(error(cells + "routing = \"minimal\"\n"), "for modes that choose by what waits"));
}

TEST_F(KeysWithoutEffect, AnOverrideMayMakeAKeyOfTheFileUselessButNotBeUselessItself) {
  const std::string measured = torus_ + "[measure]\nbatches = 5\n";
  EXPECT_EQ(error(measured, {"simulation.cycles=100"}), "");
  EXPECT_TRUE(contains(error(torus_, {"simulation.cycles=100", "measure.batches=5"}), "--set measure.batches=5"));
  EXPECT_TRUE(contains(error(torus_ + "[simulation]\ncycles = 100\n[measure]\nbatches = 5\n", {"simulation.seed=3"}),
                       "run.toml:8"));
}

TEST_F(KeysWithoutEffect, AFileThatOthersIncludeMayGiveMoreThanEachOfThemUses) {
  std::ofstream(directory_ / "common.toml") << "format = 1\n" << torus_ << "[measure]\nbatches = 5\n";
  EXPECT_EQ(validation_error("include = \"common.toml\"\n[simulation]\ncycles = 100\n"), "");
}

TEST_F(KeysWithoutEffect, TheyCanBeAllowedInTheFileButNotInOverrides) {
  const Config config = load(torus_ + "[simulation]\ncycles = 100\n[measure]\nbatches = 5\n");
  EXPECT_THROW(validate(config), ConfigError);
  EXPECT_NO_THROW(validate(config, UnusedKeys::noted_in_file));
  EXPECT_THROW(validate(config.with({"measure.batches=4"}), UnusedKeys::noted_in_file), ConfigError);
  EXPECT_NO_THROW(validate(config.with({"measure.batches=4"}), UnusedKeys::noted));
}

TEST_F(KeysWithoutEffect, ConditionsAreOfKeysThatThereAreAndOfTheirWords) {
  for (const Setting& row : settings()) {
    for (const Condition& condition : row.conditions) {
      const Setting* const other = find_setting(condition.key);
      ASSERT_NE(other, nullptr) << row.key << " only with " << condition.key;
      if (other->type != SettingType::choice) continue;
      for (const std::string& word : condition.values)
        EXPECT_NE(std::ranges::find(other->choices, word), other->choices.end()) << row.key << ": " << word;
    }
  }
}

}  // namespace
}  // namespace weft::tools
