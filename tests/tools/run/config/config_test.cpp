// The forms in which a config is written: JSON, canonical text, hash; and paths seen from its directory.
#include "tools/run/config/config.hpp"

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/tools/run/config/config_file.hpp"

namespace weft::tools {
namespace {

using testing::contains;

struct ConfigForms : testing::ConfigFile {
  const std::string torus_ = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n";
};

TEST_F(ConfigForms, JsonHoldsEveryKeyInItsTableWithDefaultsAndNulls) {
  const nlohmann::json json = load(torus_).to_json();
  EXPECT_EQ(json.at("format"), 1);
  EXPECT_EQ(json.at("topology").at("dims"), (std::vector<i64>{4, 4}));
  EXPECT_EQ(json.at("workload").at("offered_load"), 0.3);
  EXPECT_EQ(json.at("deadlock").at("unsafe"), false);
  EXPECT_TRUE(json.at("workload").at("path").is_null());
  const std::function<std::size_t(const nlohmann::json&)> keys = [&keys](const nlohmann::json& value) {
    if (!value.is_object()) return std::size_t{1};
    std::size_t count = 0;
    for (const auto& [name, inner] : value.items()) count += keys(inner);
    return count;
  };
  EXPECT_EQ(keys(json), settings().size());
}

TEST_F(ConfigForms, TheCanonicalTextLoadsAsTheSameConfig) {
  const Config config = load(torus_ + "[workload]\npath = \"a \\\"b\\\".trc\"\ncpu_scale = 0.1\n");
  EXPECT_TRUE(contains(config.toml(), "[topology]\nkind = \"torus\"\n"));
  EXPECT_TRUE(contains(config.toml(), "\ndims = [4, 4]\n"));
  const Config again = load_whole(config.toml());
  EXPECT_EQ(again.toml(), config.toml());
  EXPECT_EQ(again.hash(), config.hash());
  EXPECT_EQ(again.to_json(), config.to_json());
}

TEST_F(ConfigForms, TheHashIgnoresOrderDefaultsAndHowTheRunIsCarriedOut) {
  const u64 hash = load(torus_).hash();
  EXPECT_EQ(load("[topology]\ndims = [4, 4]\nkind = \"torus\"\n").hash(), hash);
  EXPECT_EQ(load(torus_ + "[router]\nqueue_packets = 4\n").hash(), hash);
  EXPECT_EQ(load(torus_, {"parallel.protocol=windowed", "parallel.partition=block"}).hash(), hash);
  EXPECT_EQ(load(torus_, {"checkpoint.every_seconds=5"}).hash(), hash);
}

TEST_F(ConfigForms, TheHashSeesEverySettingThatCanChangeAResult) {
  const u64 hash = load(torus_).hash();
  for (const std::string change : {"simulation.seed=2", "router.queue_packets=5", "workload.offered_load=0.30000001",
                                   "topology.dims=[4,5]", "measure.batches=11", "packet.phits=8"}) {
    EXPECT_NE(load(torus_, {change}).hash(), hash) << change;
  }
}

TEST_F(ConfigForms, PathsAreSeenFromTheDirectoryOfTheFile) {
  const Config config = load(torus_);
  EXPECT_EQ(config.directory(), directory_.string());
  EXPECT_EQ(config.resolve_path("traces/a.trc"), (directory_ / "traces/a.trc").string());
  EXPECT_EQ(config.resolve_path("../a.trc"), (directory_.parent_path() / "a.trc").string());
  EXPECT_EQ(config.resolve_path("/data/a.trc"), "/data/a.trc");
}

TEST_F(ConfigForms, TheExamplesLoadAndAreValid) {
  std::size_t examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    if (entry.path().stem() == "scaling") continue;  // a study: see tests/tools/study/scaling/study_test.cpp
    ++examples;
    EXPECT_NO_THROW(validate(Config::load(entry.path().string()))) << entry.path();
  }
  EXPECT_GE(examples, 5U);
}

}  // namespace
}  // namespace weft::tools
