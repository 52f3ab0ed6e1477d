// The files of a run are those that were there when it started.
#include "tools/run/checkpoint/run_inputs.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/base/error.hpp"
#include "tests/engine/thread_ranks.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tools/run/checkpoint/checkpointing.hpp"
#include "tools/run/setup/ranks_agree.hpp"

namespace weft::tools::testing {
namespace {

class Inputs : public ::testing::Test {
 protected:
  Inputs() {
    put(scratch_.file("config.toml"),
        "format = 1\n[topology]\nkind = \"torus\"\ndims = [4, 4]\n[workload]\nkind = \"trace\"\npath = \"app.trc\"\n");
    put(scratch_.file("app.trc"), "s 0 1 5 100\nr 0 1 5 100\n");
    put(scratch_.file("nodes.txt"), "0 0 0\n");
  }
  [[nodiscard]] Config config(std::vector<std::string> overrides = {}) const {
    return Config::load(scratch_.file("config.toml"), overrides);
  }
  [[nodiscard]] Config placed() const { return config({"placement.policy=file", "placement.path=nodes.txt"}); }

  ScratchFolder scratch_;
};

TEST_F(Inputs, AreHashedByContentAlone) {
  const u64 hash = RunInputs(config()).hash();
  EXPECT_NE(hash, 0U);
  std::filesystem::rename(scratch_.file("app.trc"), scratch_.file("other.trc"));
  EXPECT_EQ(RunInputs(config({"workload.path=other.trc"})).hash(), hash);
  put(scratch_.file("app.trc"), "s 0 1 5 101\nr 0 1 5 101\n");
  EXPECT_NE(RunInputs(config()).hash(), hash);
}

TEST_F(Inputs, CountThePlacementFileIfItIsUsed) {
  const u64 hash = RunInputs(placed()).hash();
  EXPECT_NE(hash, RunInputs(config()).hash());
  put(scratch_.file("nodes.txt"), "1 0 0\n");
  EXPECT_NE(RunInputs(placed()).hash(), hash);
  EXPECT_EQ(RunInputs(config({"workload.kind=synthetic"})).hash(), 0U);
}

TEST_F(Inputs, ThatCannotBeReadAreNamed) {
  std::filesystem::remove(scratch_.file("app.trc"));
  EXPECT_THROW(RunInputs{config()}, InputError);
  std::filesystem::create_directory(scratch_.file("app.trc"));
  EXPECT_THROW(RunInputs{config()}, InputError);
}

TEST_F(Inputs, ThatChangeWhileTheyAreReadAreNoticed) {
  const RunInputs inputs(placed());
  EXPECT_NO_THROW(inputs.check_unchanged());
  put(scratch_.file("copy"), "0 0 0\n");
  std::filesystem::rename(scratch_.file("copy"), scratch_.file("nodes.txt"));
  EXPECT_NO_THROW(inputs.check_unchanged()) << "the same content in a new file";
  put(scratch_.file("nodes.txt"), "1 0 0\n");
  try {
    inputs.check_unchanged();
    FAIL() << "another placement passed for the one that was hashed";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("nodes.txt"), std::string::npos) << error.what();
  }
}

TEST_F(Inputs, APipeIsNotReadBeforeItsTimeAndCannotBeTakenUpAgain) {
  std::filesystem::remove(scratch_.file("app.trc"));
  ASSERT_EQ(::mkfifo(scratch_.file("app.trc").c_str(), 0600), 0);
  EXPECT_EQ(RunInputs(config()).unrepeatable(), scratch_.file("app.trc"));
}

TEST_F(Inputs, ThatDifferBetweenRanksAreRefusedOnAll) {
  const Config same = config();
  const auto compare = [&](u64 odd) {
    engine::testing::run_ranks(
        3, [&](engine::Transport& rank) { check_ranks_agree(same, rank.rank() == 2 ? odd : 7, rank); });
  };
  EXPECT_NO_THROW(compare(7));
  EXPECT_THROW(compare(8), InputError);
}

TEST_F(Inputs, TheCheckpointLiesBesideTheResult) {
  EXPECT_EQ(checkpoint_path(config(), ""), "run.ckpt.h5");
  EXPECT_EQ(checkpoint_path(config(), "out/result.h5"), "out/result.ckpt.h5");
  EXPECT_EQ(checkpoint_path(config(), "result.hdf5"), "result.ckpt.h5");
  EXPECT_EQ(checkpoint_path(config(), "my.result"), "my.result.ckpt.h5");
  EXPECT_EQ(checkpoint_path(config({"checkpoint.path=a.h5"}), "result.h5"), "a.h5");
  EXPECT_FALSE(checkpoint_wanted(config()));
  for (const char* setting : {"checkpoint.path=a.h5", "checkpoint.every_seconds=5", "checkpoint.every_cycles=5"}) {
    EXPECT_TRUE(checkpoint_wanted(config({setting}))) << setting;
  }
}

}  // namespace
}  // namespace weft::tools::testing
