// Study files: what they mean, the matrix that they make, and what is wrong with bad ones.
#include "tools/study/scaling/study.hpp"

#include "tests/tools/study/scaling/study_file.hpp"

namespace weft::tools {
namespace {

using StudyTest = testing::StudyFile;

const char* const two_sizes =
    "[[scaling.size]]\nname = \"small\"\nset = [\"topology.dims=[4, 4]\"]\n"
    "[[scaling.size]]\nname = \"large\"\nset = [\"topology.dims=[8, 8]\", \"simulation.cycles=100\"]\n";

TEST_F(StudyTest, AStudyThatCannotBeReadToItsEndIsNoShorterOne) {
  EXPECT_THROW(static_cast<void>(load_scaling_study("/proc/self/mem")), SystemError);
  EXPECT_THROW(static_cast<void>(load_scaling_study("/dev/zero")), ConfigError);
  std::string deep;
  for (int ix = 0; ix < 40'000; ++ix) deep += "a.";
  EXPECT_NE(error_of(deep + "b = 1\n").find("study.toml:4: tables or lists more than 16 deep"), std::string::npos);
}

TEST_F(StudyTest, defaults_are_those_of_the_documentation) {
  const ScalingStudy study = load("ranks = [1, 2]\n");
  EXPECT_EQ(study.kind, ScalingKind::strong);
  EXPECT_EQ(study.name, "study");
  EXPECT_EQ(study.repeats, 3u);
  EXPECT_EQ(study.protocols, std::vector<std::string>{"windowed"});
  EXPECT_EQ(study.partitions, std::vector<std::string>{"auto"});
  ASSERT_EQ(study.sizes.size(), 1u);
  EXPECT_TRUE(study.sizes[0].settings.empty());
  EXPECT_EQ(study.out, (directory_ / "study-scaling").string());
}

TEST_F(StudyTest, sizes_change_the_base) {
  const ScalingStudy study = load("ranks = [1]\n" + std::string(two_sizes));
  EXPECT_EQ(study.config(study.sizes[1]).integers("topology.dims"), (std::vector<i64>{8, 8}));
  EXPECT_EQ(study.config(study.sizes[1]).integer("simulation.cycles"), 100);
}

TEST_F(StudyTest, a_strong_matrix_has_every_combination_and_one_rank_once_for_each_size) {
  const auto cells =
      study_cells(load("ranks = [1, 2, 3]\npartitions = [\"metis\", \"block\"]\n" + std::string(two_sizes)));
  EXPECT_EQ(cells.size(), 2u * (1 + 2 * 2));
  EXPECT_EQ(cells[0], (Cell{0, 1, "sequential", "none"}));
  EXPECT_EQ(cells[1], (Cell{0, 2, "null-message", "metis"}));
  EXPECT_EQ(cells.back(), (Cell{1, 3, "null-message", "block"}));
}

TEST_F(StudyTest, the_protocol_auto_is_one_for_all_rank_counts) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(load("ranks = [1]\n").protocols, Words{"windowed"});
  EXPECT_EQ(load("ranks = [1, 2, 4]\n").protocols, Words{"null-message"});
  const std::string both = "protocols = [\"auto\", \"windowed\"]\n";
  EXPECT_EQ(load("ranks = [2]\n" + both).protocols, Words{"windowed"});
  EXPECT_EQ(load("ranks = [2, 3]\n" + both).protocols, (Words{"null-message", "windowed"}));
}

TEST_F(StudyTest, a_weak_matrix_has_each_size_on_its_own_rank_count) {
  const auto cells = study_cells(load("kind = \"weak\"\nranks = [1, 4]\n" + std::string(two_sizes)));
  EXPECT_EQ(cells, (std::vector<Cell>{{0, 1, "sequential", "none"}, {1, 4, "null-message", "auto"}}));
}

TEST_F(StudyTest, a_weak_study_needs_as_many_sizes_as_rank_counts) {
  const std::string error = error_of("kind = \"weak\"\nranks = [1, 2, 4]\n" + std::string(two_sizes));
  EXPECT_NE(error.find("2 sizes and 3 rank counts"), std::string::npos) << error;
}

TEST_F(StudyTest, what_is_wrong_is_said_with_its_line) {
  const struct {
    const char* text;
    const char* place;
    const char* words;
  } cases[] = {
      {"", ":2: ", "scaling.ranks is missing"},
      {"ranks = [1]\nrepeats = 2\n", ":5: ", "did you mean scaling.repeat?"},
      {"ranks = [2, 1]\n", ":4: ", "not ascending"},
      {"ranks = [1, 1]\n", ":4: ", "twice"},
      {"ranks = [0]\n", ":4: ", "from 1 to"},
      {"ranks = []\n", ":4: ", "at least one value"},
      {"ranks = [1]\nrepeat = 0\n", ":5: ", "from 1 to"},
      {"ranks = [1]\nkind = \"string\"\n", ":5: ", "\"strong\" or \"weak\""},
      {"ranks = [1]\nprotocols = [\"windowd\"]\n", ":5: ", "did you mean 'windowed'?"},
      {"ranks = [1]\nprotocols = [\"sequential\"]\n", ":5: ", "leave it out"},
      {"ranks = [1]\npartitions = [\"block\", \"block\"]\n", ":5: ", "twice"},
      {"ranks = [1]\n[[scaling.size]]\nset = []\n", ":5: ", "scaling.size.name is missing"},
      {"ranks = [1]\n[[scaling.size]]\nname = \"a\"\n[[scaling.size]]\nname = \"a\"\n", ":8: ", "two sizes"},
      {"ranks = [1]\n[[scaling.size]]\nname = \"a\"\nset = [\"topology.dms=[2, 2]\"]\n", "size 'a'", "topology.dims"},
      {"ranks = [1]\n[[scaling.size]]\nname = \"a\"\nset = [\"parallel.partition=block\"]\n", "size 'a'",
       "scaling.partitions"},
      {"ranks = [1\n", ":", "not valid TOML"},
  };
  for (const auto& one : cases) {
    const std::string error = error_of(one.text);
    EXPECT_NE(error.find(one.place), std::string::npos) << one.text << error;
    EXPECT_NE(error.find(one.words), std::string::npos) << one.text << error;
  }
}

TEST_F(StudyTest, the_example_loads) {
  const ScalingStudy study = load_scaling_study(WEFT_SOURCE_DIR "/examples/scaling.toml");
  EXPECT_EQ(study.sizes.size(), 3u);
  EXPECT_EQ(study_cells(study).size(), 12u);
}

TEST_F(StudyTest, a_study_or_base_that_is_not_there_is_named) {
  EXPECT_THROW(load_scaling_study((directory_ / "none.toml").string()), ConfigError);
  std::filesystem::remove(directory_ / "base.toml");
  EXPECT_NE(error_of("ranks = [1]\n").find("base.toml"), std::string::npos);
}

}  // namespace
}  // namespace weft::tools
