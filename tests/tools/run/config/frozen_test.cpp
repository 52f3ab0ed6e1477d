// A frozen config is the same run wherever it lies and whatever becomes of the files that it was made of.
#include "tools/run/config/frozen.hpp"

#include "tests/tools/run/config/config_file.hpp"

namespace weft::tools {
namespace {

class FrozenConfig : public testing::ConfigFile {
 protected:
  /// The config that the frozen text of `config` makes in another folder.
  Config elsewhere(const Config& config) const {
    const std::filesystem::path folder = directory_ / "else" / "where";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "frozen.toml") << frozen_toml(config);
    return Config::load((folder / "frozen.toml").string());
  }
};

TEST_F(FrozenConfig, ReadsBackAsTheSameSettings) {
  const Config config =
      load("[topology]\nkind = \"torus\"\ndims = [4, 4]\n[workload]\noffered_load = 0.3\npattern = \"hot-region\"\n",
           {"simulation.seed=7"});
  const Config again = elsewhere(config);
  EXPECT_EQ(again.toml(), config.toml());
  EXPECT_EQ(again.hash(), config.hash());
  for (const Setting& setting : settings())
    EXPECT_EQ(again.given(setting.key), config.given(setting.key)) << setting.key;
}

TEST_F(FrozenConfig, FilesAreFoundFromEverywhere) {
  const Config config = load("[workload]\nkind = \"trace\"\npath = \"traces/a \\\"b\\\".trc\"\n",
                             {"placement.policy=file", "placement.path=p.txt"});
  const std::string trace = (directory_ / "traces" / "a \"b\".trc").string(),
                    placement = (directory_ / "p.txt").string();
  EXPECT_EQ(input_files(config), (std::vector{trace, placement}));
  const Config again = elsewhere(config);
  EXPECT_EQ(again.text("workload.path"), trace);
  EXPECT_EQ(input_files(again), (std::vector{trace, placement}));
  EXPECT_TRUE(testing::contains(frozen_toml(config), "\n# input: " + trace + "\n"));
}

TEST_F(FrozenConfig, FilesThatTheRunDoesNotReadAreNoInputs) {
  EXPECT_TRUE(input_files(load("[workload]\npath = \"a.trc\"\n")).empty());
}

TEST_F(FrozenConfig, SaysWhereEachSettingWasGiven) {
  const std::string text = frozen_toml(load("[router]\nvirtual_channels = 2\n", {"simulation.seed=7"}));
  EXPECT_TRUE(testing::contains(text, "virtual_channels = 2  # " + path_ + ":3\n"));
  EXPECT_TRUE(testing::contains(text, "seed = 7  # --set simulation.seed=7\n"));
}

}  // namespace
}  // namespace weft::tools
