// Study files of sweeps: which points they stand for, and what is refused with which words.
#include "tools/study/sweep_study.hpp"

#include <fstream>
#include <set>

#include "tests/tools/config/config_file.hpp"

namespace weft::tools {
namespace {

using testing::contains;

class SweepStudyTest : public testing::ConfigFile {
 protected:
  void SetUp() override {
    ConfigFile::SetUp();
    std::ofstream(directory_ / "base.toml") << "format = 1\n[topology]\nkind = \"torus\"\ndims = [4, 4]\n"
                                            << "[simulation]\nseed = 5\n";
  }
  SweepStudy study(const std::string& text) const {
    const std::string file = (directory_ / "study.toml").string();
    std::ofstream(file) << text;
    return load_sweep(file);
  }
  std::string error(const std::string& text) const {
    try {
      static_cast<void>(sweep_points(study(text)));
    } catch (const ConfigError& refused) {
      return refused.what();
    }
    return "";
  }
  /// The values of all points, a line each.
  std::string values(const std::string& text) const {
    std::string lines;
    for (const SweepPoint& point : sweep_points(study(text))) {
      for (const std::string& value : point.values) lines += value + " ";
      lines += "\n";
    }
    return lines;
  }
};

const std::string head = "format = 1\n[sweep]\nbase = \"base.toml\"\n";
const std::string loads = "[[sweep.axis]]\nkey = \"workload.offered_load\"\nvalues = [0.1, 0.2]\n";
const std::string requests = "[[sweep.axis]]\nkey = \"router.request\"\nvalues = [\"random\", \"smart\"]\n";

TEST_F(SweepStudyTest, PointsAreTheProductWithTheLastAxisFastest) {
  EXPECT_EQ(values(head + requests + loads), "\"random\" 0.1 \n\"random\" 0.2 \n\"smart\" 0.1 \n\"smart\" 0.2 \n");
}

TEST_F(SweepStudyTest, AStudyThatCannotBeReadToItsEndIsNoShorterOne) {
  EXPECT_THROW(static_cast<void>(load_sweep("/proc/self/mem")), SystemError);
  EXPECT_THROW(static_cast<void>(load_sweep("/dev/zero")), ConfigError);
  std::string deep;
  for (int ix = 0; ix < 40'000; ++ix) deep += "a.";
  EXPECT_TRUE(contains(error(deep + "b = 1\n"), "study.toml:1: tables or lists more than 16 deep"));
}

TEST_F(SweepStudyTest, TheBaseMayIncludeOtherConfigs) {
  std::ofstream(directory_ / "more.toml") << "include = \"base.toml\"\n[simulation]\nseed = 9\n";
  EXPECT_EQ(values("format = 1\n[sweep]\nbase = \"more.toml\"\nrepeat = 2\n" + loads),
            "0.1 9 \n0.1 10 \n0.2 9 \n0.2 10 \n");
}

TEST_F(SweepStudyTest, RepetitionsCountSeedsFromThatOfTheConfig) {
  EXPECT_EQ(values(head + "repeat = 2\n" + loads), "0.1 5 \n0.1 6 \n0.2 5 \n0.2 6 \n");
}

TEST_F(SweepStudyTest, RangesEndWhereTheySayWithoutRoundingErrors) {
  const std::string axis = "[[sweep.axis]]\nkey = \"workload.offered_load\"\n";
  EXPECT_EQ(values(head + axis + "from = 0.1\nto = 0.7\nstep = 0.2\n"), "0.1 \n0.3 \n0.5 \n0.7 \n");
  EXPECT_EQ(values(head + axis + "from = 0.3\nto = 0.1\nstep = -0.1\n"), "0.3 \n0.2 \n0.1 \n");
  EXPECT_EQ(values(head + "[[sweep.axis]]\nkey = \"packet.phits\"\nfrom = 8\nto = 17\nstep = 4\n"), "8 \n12 \n16 \n");
}

TEST_F(SweepStudyTest, ZippedSettingsChangeTogether) {
  EXPECT_EQ(values(head + "[[sweep.axis]]\nkeys = [\"topology.dims\", \"router.virtual_channels\"]\n" +
                   "values = [[[4, 4], 2], [[8, 8], 3]]\n"),
            "[4, 4] 2 \n[8, 8] 3 \n");
}

TEST_F(SweepStudyTest, NamesOfPointsAreDifferentAndStayWhenAnAxisGrows) {
  const auto before = sweep_points(study(head + loads));
  const auto after =
      sweep_points(study(head + "[[sweep.axis]]\nkey = \"workload.offered_load\"\n" + "values = [0.05, 0.1, 0.2]\n"));
  ASSERT_EQ(before.size(), 2u);
  ASSERT_EQ(after.size(), 3u);
  EXPECT_EQ(before[0].name, after[1].name);
  EXPECT_EQ(before[1].name, after[2].name);
  EXPECT_NE(after[0].name, after[1].name);
  EXPECT_TRUE(before[0].name.starts_with("offered_load-0.1_")) << before[0].name;
}

TEST_F(SweepStudyTest, PathsAreSeenFromTheStudyAndTheNameIsThatOfTheFile) {
  const SweepStudy read = study(head + loads);
  EXPECT_EQ(read.name, "study");
  EXPECT_EQ(read.base, (directory_ / "base.toml").string());
  EXPECT_EQ(read.out, (directory_ / "study").string());
}

TEST_F(SweepStudyTest, CommonSettingsReachEveryPoint) {
  for (const SweepPoint& point : sweep_points(study(head + "set = [\"packet.phits=8\"]\n" + loads))) {
    EXPECT_EQ(point.settings.front(), "packet.phits=8");
    EXPECT_EQ(point.settings.size(), 2u);
  }
}

TEST_F(SweepStudyTest, UnknownKeysGetASuggestionAndTheirLine) {
  EXPECT_TRUE(contains(error(head + "repeats = 2\n" + loads), "study.toml:4: unknown key repeats"));
  EXPECT_TRUE(contains(error(head + "repeats = 2\n" + loads), "did you mean repeat?"));
  EXPECT_TRUE(contains(error(head + "[[sweep.axis]]\nkey = \"workload.ofered_load\"\nvalues = [1]\n"),
                       "did you mean workload.offered_load"));
  EXPECT_TRUE(contains(error(head + loads + "valuse = [1]\n"), "did you mean values?"));
  EXPECT_TRUE(contains(error(head + loads + "[slurm]\npartitoin = \"p\"\n"), "did you mean partition?"));
  EXPECT_TRUE(contains(error(head + loads + "[swept]\n"), "did you mean sweep?"));
}

TEST_F(SweepStudyTest, ImpossiblePointsAreNamed) {
  const std::string text = error(head + "[[sweep.axis]]\nkey = \"workload.offered_load\"\nvalues = [0.1, 2.0]\n");
  EXPECT_TRUE(contains(text, "point 1 (workload.offered_load=2.0)"));
  EXPECT_TRUE(contains(text, "out of range"));
}

TEST_F(SweepStudyTest, TheSameRunTwiceIsRefused) {
  EXPECT_TRUE(contains(error(head + "[[sweep.axis]]\nkey = \"workload.offered_load\"\nvalues = [0.1, 0.2, 0.1]\n"),
                       "point 2 (workload.offered_load=0.1): is the same run as point 0"));
  EXPECT_TRUE(contains(error(head + "[[sweep.axis]]\nkey = \"parallel.partition\"\nvalues = [\"metis\", \"block\"]\n"),
                       "the same run"));
}

TEST_F(SweepStudyTest, ContradictionsAreRefused) {
  EXPECT_TRUE(contains(error(head), "no axis"));
  EXPECT_TRUE(contains(error("[sweep]\nbase = \"base.toml\"\n" + loads), "format is missing"));
  EXPECT_TRUE(contains(error("format = 2\n[sweep]\n"), "format = 1 only"));
  EXPECT_TRUE(contains(error("format = 1\n[sweep]\n" + loads), "base is missing"));
  EXPECT_TRUE(contains(error(head + loads + loads), "in two axes"));
  EXPECT_TRUE(contains(error(head + loads + "step = 1\n"), "an axis has one of them"));
  EXPECT_TRUE(contains(error(head + "name = \"a/b\"\n" + loads), "no plain name"));
  EXPECT_TRUE(contains(error(head + "repeat = 2\n[[sweep.axis]]\nkey = \"simulation.seed\"\nvalues = [1, 2]\n"),
                       "both choose the seed"));
  EXPECT_TRUE(
      contains(error(head + "[[sweep.axis]]\nkey = \"checkpoint.path\"\nvalues = [\"a\"]\n"), "cannot be swept"));
  EXPECT_TRUE(contains(error(head + "ranks = 4\n" + loads + "[slurm]\nntasks = 2\n"), "less than the ranks"));
  EXPECT_TRUE(contains(error(head + "[[sweep.axis]]\nkey = \"workload.offered_load\"\nfrom = 0\nto = 1\nstep = 0\n"),
                       "never leads"));
}

TEST_F(SweepStudyTest, TheExampleHasThePointsThatItSays) {
  const SweepStudy example = load_sweep(WEFT_SOURCE_DIR "/examples/studies/torus-load.toml");
  EXPECT_EQ(sweep_points(example).size(), 60u);
}

}  // namespace
}  // namespace weft::tools
