// Study files of sweeps: which points they stand for, and what is refused with which words.
#include "tools/study/sweep_study.hpp"

#include "tests/tools/study/sweep_file.hpp"

namespace weft::tools::sweep {
namespace {

class SweepStudyTest : public testing::SweepFile {
 protected:
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

const std::string kinds =
    "[[sweep.axis]]\nkeys = [\"router.kind\", \"router.routing\"]\nvalues = [[\"bubble\", \"auto\"], "
    "[\"switch\", \"auto\"]]\n";

TEST_F(SweepStudyTest, KeysAreLeftOutAtPointsWhereTheyHaveNoEffect) {
  const std::string cells =
      "[[sweep.axis]]\nkeys = [\"router.kind\", \"router.buffer_cells\", \"router.queue_packets\"]\n"
      "values = [[\"bubble\", 64, 6], [\"switch\", 96, 4]]\n";
  const std::vector<SweepPoint> points = sweep_points(study(head + cells));
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].settings, (std::vector<std::string>{"router.kind=\"bubble\"", "router.queue_packets=6"}));
  EXPECT_EQ(points[1].settings, (std::vector<std::string>{"router.kind=\"switch\"", "router.buffer_cells=96"}));
  write("base.toml",
        "format = 1\n[topology]\nkind = \"torus\"\ndims = [4, 4]\n[router]\nkind = \"switch\"\nbuffer_cells = 96\n");
  EXPECT_EQ(error(head + kinds), "");
}

TEST_F(SweepStudyTest, AKeyWithoutEffectAtAnyPointIsRefusedWhereverItIsFrom) {
  EXPECT_TRUE(contains(error(head + "set = [\"router.buffer_cells=32\"]\n" + loads),
                       "study.toml: router.buffer_cells has no effect at any point (with router.kind = \"bubble\""));
  EXPECT_TRUE(contains(error(head + "[[sweep.axis]]\nkey = \"router.buffer_cells\"\nvalues = [32]\n"),
                       "router.buffer_cells has no effect at any point"));
  write("base.toml", "format = 1\n[topology]\nkind = \"torus\"\ndims = [4, 4]\n[router]\nbuffer_cells = 32\n");
  EXPECT_TRUE(contains(error(head + loads), "base.toml: router.buffer_cells has no effect at any point"));
  EXPECT_EQ(error(head + kinds), "");
}

TEST_F(SweepStudyTest, PointsThatDifferInNothingThatHasAnEffectAreTheSameRun) {
  const std::string said = error(head + kinds + "[[sweep.axis]]\nkey = \"router.buffer_cells\"\nvalues = [64, 96]\n");
  EXPECT_TRUE(contains(said, "is the same run as point 0"));
  EXPECT_TRUE(contains(said, "or router.buffer_cells has no effect there"));
}

TEST_F(SweepStudyTest, AConfigIsNoStudy) {
  const std::string said = error("format = 1\n[topology]\nkind = \"torus\"\ndims = [4, 4]\n");
  EXPECT_TRUE(contains(said, "is the config of one run, not a study (it has no [sweep]); use weft run"));
  EXPECT_TRUE(contains(said, "base = \"study.toml\""));
  EXPECT_TRUE(contains(error("format = 1\n[scaling]\nranks = [1]\n"), "use weft scaling"));
}

TEST_F(SweepStudyTest, AListOfVeryManyValuesIsShownShort) {
  std::string sizes = "0";
  for (int size = 2; size < 3000; ++size) sizes += ", " + std::to_string(size);
  const std::string said = error(head + "[[sweep.axis]]\nkey = \"topology.dims\"\nvalues = [[" + sizes + "]]\n");
  EXPECT_TRUE(contains(said, "point 0 (topology.dims=[0, 2, 3"));
  EXPECT_LT(said.size(), 500U);
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

TEST_F(SweepStudyTest, PointsAreFoundByNameHashAndIndex) {
  const SweepStudy read = study(head + loads);
  const auto points = sweep_points(read);
  EXPECT_EQ(find_point(read, points, points[1].name).index, 1u);
  EXPECT_EQ(find_point(read, points, points[1].hash()).index, 1u);
  EXPECT_EQ(find_point(read, points, "1").index, 1u);
  for (const char* word : {"2", "", "-1", "x", "99999999999999999999"}) {
    EXPECT_THROW(static_cast<void>(find_point(read, points, word)), ConfigError) << word;
  }
}

TEST_F(SweepStudyTest, TheBaseIsReadOnce) {
  const SweepStudy read = study(head + loads);
  write("base.toml", "no longer a config");
  EXPECT_EQ(sweep_points(read).size(), 2u);
}

TEST_F(SweepStudyTest, SlurmGetsNothingThatItWouldTakeForSomethingElse) {
  const auto refused = [&](const std::string& line) { return error(head + loads + "[slurm]\n" + line + "\n"); };
  for (const char* line :
       {R"(partition = "a\ntouch /tmp/x")", R"(partition = "a b")", R"(partition = "-a")", R"(account = "a#b")",
        R"x(account = "$(id)")x", R"(time = "1:00\nid")", R"(time = "soon")", R"(time = "1:2:3:4")"}) {
    EXPECT_TRUE(contains(refused(line), "study.toml:8: [slurm] ")) << line << ": " << refused(line);
    EXPECT_TRUE(contains(refused(line), "is not possible (SLURM takes ")) << line;
  }
  for (const char* line :
       {R"(extra = ["--mem=4G\nid"])", R"(extra = ["id"])", R"(extra = ["--mem=1\r"])", R"(extra = ["-"])"}) {
    EXPECT_TRUE(contains(refused(line), "holds no option of sbatch")) << line;
  }
  EXPECT_TRUE(contains(refused(R"(extra = ["-N 2 -n 4"])"), "more than one option"));
}

TEST_F(SweepStudyTest, SlurmOptionsAreQuotedWithTheirValues) {
  const SlurmChoice slurm = study(head + loads +
                                  "[slurm]\npartition = \"a,b-2\"\ntime = \"1-02:00:00\"\naccount = \"p@q\"\n"
                                  "extra = [\"--mem=4G\", \"--comment=it's # a \\\"b\\\"\", \"-C gpu&nvme\", "
                                  "\"--exclusive\"]\n")
                                .slurm;
  EXPECT_EQ(slurm.extra, (std::vector<std::string>{"--mem=4G", "--comment=\"it's # a \\\"b\\\"\"", "-C \"gpu&nvme\"",
                                                   "--exclusive"}));
}

TEST_F(SweepStudyTest, TheExampleHasThePointsThatItSays) {
  const SweepStudy example = load_sweep(WEFT_SOURCE_DIR "/examples/studies/torus-load.toml");
  EXPECT_EQ(sweep_points(example).size(), 60u);
}

}  // namespace
}  // namespace weft::tools::sweep
