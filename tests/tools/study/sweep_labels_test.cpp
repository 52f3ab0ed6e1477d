// Axes with labels: values that people read by a name, and choices with settings of their own.
#include "tests/tools/study/done_point.hpp"
#include "tests/tools/study/sweep_file.hpp"
#include "tools/study/sweep_table.hpp"

namespace weft::tools::sweep {
namespace {

const std::string networks =
    "[[sweep.axis]]\nname = \"network\"\nvalues = [\n"
    "  {label = \"torus, 16\", topology.kind = \"torus\", topology.dims = [4, 4], router.routing = \"smart\"},\n"
    "  {label = \"tree\", topology.kind = \"thin-tree\", topology.down = 4, topology.up = 2, topology.levels = "
    "2},\n]\n";

class SweepLabelsTest : public testing::SweepFile {
 protected:
  void SetUp() override {
    testing::SweepFile::SetUp();
    write("base.toml", "format = 1\n[simulation]\nseed = 5\n");
  }
};

TEST_F(SweepLabelsTest, EachChoiceSetsItsOwnKeysAndNoOthers) {
  const SweepStudy read = study(head + networks + loads);
  const std::vector<SweepPoint> points = sweep_points(read);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].settings, (std::vector<std::string>{"router.routing=\"smart\"", "topology.dims=[4, 4]",
                                                          "topology.kind=\"torus\"", "workload.offered_load=0.1"}));
  EXPECT_EQ(points[3].settings,
            (std::vector<std::string>{"topology.kind=\"thin-tree\"", "topology.down=4", "topology.levels=2",
                                      "topology.up=2", "workload.offered_load=0.2"}));
  EXPECT_EQ(point_text(read, points[0]), "network=\"torus, 16\", workload.offered_load=0.1");
  EXPECT_TRUE(points[0].name.starts_with("network-torusx16_offered_load-0.1_")) << points[0].name;
}

TEST_F(SweepLabelsTest, TablesShowTheLabelAndHoldTheSettingsToo) {
  SweepTable table{study(head + networks + loads), {}, {}};
  table.points = sweep_points(table.study);
  table.states.assign(4, testing::done_point("load_accepted", 0.1));
  const std::string text = sweep_text(table), csv = sweep_csv(table);
  EXPECT_TRUE(contains(text, "network  offered_load")) << text;
  EXPECT_TRUE(contains(text, "torus, 16"));
  EXPECT_FALSE(contains(text, "thin-tree")) << text;
  EXPECT_TRUE(contains(csv, "index,name,status,network,router.routing,topology.dims,")) << csv;
  EXPECT_TRUE(contains(csv, "\"torus, 16\",smart,\"[4, 4]\",torus,")) << csv;
}

TEST_F(SweepLabelsTest, ValuesOfAKeyMayHaveLabels) {
  const std::string axis = "[[sweep.axis]]\nkey = \"topology.kind\"\nvalues = [\"torus\", \"mesh\"]\n";
  const std::string dims = "set = [\"topology.dims=[4, 4]\"]\n";
  const SweepStudy read = study(head + dims + axis + "labels = [\"with wrap\", \"without\"]\n");
  EXPECT_EQ(read.keys(), (std::vector<std::string>{"kind", "topology.kind"}));
  EXPECT_EQ(sweep_points(read)[1].values, (std::vector<std::string>{"\"without\"", "\"mesh\""}));
  EXPECT_EQ(study(head + dims + axis + "labels = [\"a\", \"b\"]\nname = \"wrap\"\n").keys().front(), "wrap");
}

TEST_F(SweepLabelsTest, LabelsThatNameNothingAreRefused) {
  const auto axis = [](const std::string& more) {
    return head + "[[sweep.axis]]\nkey = \"packet.phits\"\nvalues = [4, 8]\n" + more;
  };
  EXPECT_TRUE(contains(error(axis("labels = [\"a\"]\n")), "has 1 texts for 2 values"));
  EXPECT_TRUE(contains(error(axis("labels = [\"a\", \"a\"]\n")), "label \"a\" twice"));
  EXPECT_TRUE(contains(error(axis("labels = [\"a\", \"b\"]\nname = \"a b\"\n")), "is no plain name"));
  EXPECT_TRUE(contains(error(axis("name = \"a\"\n")), "is for axes with labels"));
  EXPECT_TRUE(contains(error(head + "[[sweep.axis]]\nvalues = [{topology.kind = \"torus\"}]\n"), "without a label"));
  EXPECT_TRUE(contains(error(head + "[[sweep.axis]]\nvalues = [{label = \"a\", topology.knid = \"torus\"}]\n"),
                       "unknown key topology.knid"));
  EXPECT_TRUE(contains(error(head + "[[sweep.axis]]\nvalues = [{label = \"a\"}]\n"), "sets nothing"));
  EXPECT_TRUE(contains(error(head + networks + "[[sweep.axis]]\nkey = \"topology.kind\"\nvalues = [\"mesh\"]\n"),
                       "topology.kind is in two axes"));
}

TEST_F(SweepLabelsTest, QuickTakesWhatTheStudySaysIntoAFolderOfItsOwn) {
  write("study.toml",
        head + "repeat = 3\n" + networks + loads + "[sweep.quick]\nset = [\"packet.phits=4\"]\nrepeat = 1\n");
  const SweepStudy quick = load_sweep((directory_ / "study.toml").string(), {"simulation.cycles=100"}, true);
  EXPECT_EQ(quick.repeat, 1U);
  EXPECT_EQ(quick.name, "study-quick");
  EXPECT_TRUE(quick.out.ends_with("study-quick"));
  EXPECT_EQ(quick.set, (std::vector<std::string>{"packet.phits=4", "simulation.cycles=100"}));
  write("study.toml", head + networks + loads);
  try {
    static_cast<void>(load_sweep((directory_ / "study.toml").string(), {}, true));
    FAIL();
  } catch (const ConfigError& refused) {
    EXPECT_TRUE(contains(refused.what(), "no [sweep.quick]"));
  }
}

}  // namespace
}  // namespace weft::tools::sweep
