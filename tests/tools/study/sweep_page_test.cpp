// The page of a sweep and its list of gaps, on made-up results: every point can be seen, every reason is said once.
#include "tools/study/sweep_page.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "tests/tools/report/page/page_spec.hpp"
#include "tests/tools/study/sweep_file.hpp"
#include "tools/study/sweep_table_file.hpp"

namespace weft::tools::sweep {
namespace {

using tools::testing::figure_of;
using tools::testing::page_spec;
using tools::testing::section_of;

class SweepPageTest : public testing::SweepFile {
 protected:
  /// A sweep all points of which are done, with the latency that `latency` gives to each.
  template <class F>
  SweepTable table(const std::string& text, F&& latency) const {
    SweepTable made{study(text), {}, {}};
    made.points = sweep_points(made.study);
    for (const SweepPoint& point : made.points) {
      PointState state;
      state.status = PointStatus::done;
      state.figures.assign(sweep_figures().size(), NAN);
      state.figures[figure_ix("latency_mean")] = latency(point);
      made.states.push_back(state);
    }
    return made;
  }
};

std::string axis(const std::string& key, const std::string& values) {
  return fmt::format("[[sweep.axis]]\nkey = \"{}\"\nvalues = [{}]\n", key, values);
}

TEST_F(SweepPageTest, SettingsThatChangeTogetherAreOneCurve) {
  const auto page = page_spec(sweep_page(table(
      head +
          "[[sweep.axis]]\nkeys = [\"packet.phits\", \"router.queue_packets\"]\nvalues = [[4, 2], [8, 3], [16, 5]]\n",
      [](const SweepPoint& point) { return 10.0 + point.index; })));
  const auto figure = figure_of(page, "Mean latency");
  ASSERT_EQ(figure["series"].size(), 1u);
  EXPECT_EQ(figure["series"][0]["x"], nlohmann::json({4, 8, 16}));
  EXPECT_EQ(figure["series"][0]["y"], nlohmann::json({10, 11, 12}));
  EXPECT_EQ(figure["x"]["label"], "phits (with it queue packets)");
}

TEST_F(SweepPageTest, SettingsOfOneAxisThatDoNotFollowEachOtherAreCurves) {
  const auto page = page_spec(
      sweep_page(table(head + "[[sweep.axis]]\nkeys = [\"packet.phits\", \"router.queue_packets\"]\nvalues = [[4, 2], "
                              "[8, 2], [4, 3], [8, 3], [16, 3]]\n",
                       [](const SweepPoint&) { return 10.0; })));
  const auto series = figure_of(page, "Mean latency")["series"];
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0]["label"], "queue packets 2");
}

TEST_F(SweepPageTest, TheFirstLineSaysHowManyPointsDidNotConvergeAndHowManyAreSaturated) {
  SweepTable made =
      table(head + axis("workload.offered_load", "0.1, 0.2, 0.3"), [](const SweepPoint&) { return 10.0; });
  EXPECT_EQ(sweep_counts(made), "3 points: 3 done");
  EXPECT_FALSE(contains(sweep_page(made), "Saturated"));
  made.states[1].figures[figure_ix("converged")] = 0;
  made.states[2].figures[figure_ix("converged")] = 0;
  made.states[2].figures[figure_ix("saturated")] = 1;
  EXPECT_EQ(sweep_counts(made), "3 points: 3 done, 2 points not converged, 1 point saturated");
  const std::string page = sweep_page(made);
  EXPECT_TRUE(contains(page, "3 points: 3 done, 2 points not converged, 1 point saturated; curves are means"));
  EXPECT_TRUE(contains(page, "Saturated: at least 5 %"));
  const auto spec = page_spec(page);
  EXPECT_EQ(section_of(spec, "Points")["figures"][0]["rows"][2][2]["value"], "done, not converged, saturated");
  EXPECT_EQ(figure_of(spec, "Mean latency")["series"][0]["marks"], nlohmann::json({0, 2, 3}));
}

TEST_F(SweepPageTest, PointsWithoutAResultAreLeftOut) {
  const auto page =
      page_spec(sweep_page(table(head + axis("workload.offered_load", "0.1, 0.2") + axis("packet.phits", "4"),
                                 [](const SweepPoint& point) { return point.index == 0 ? 10.0 : NAN; })));
  EXPECT_EQ(figure_of(page, "Mean latency")["series"][0]["y"], nlohmann::json({10}));
}

TEST_F(SweepPageTest, AllCurvesAreOnOnePicture) {
  const SweepTable made = table(head + loads + axis("packet.phits", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
                                [](const SweepPoint&) { return 20.0; });
  EXPECT_EQ(figure_of(page_spec(sweep_page(made)), "Mean latency")["series"].size(), 10u);
}

TEST_F(SweepPageTest, ATableThatIsReadBackIsTheSamePage) {
  SweepTable made = table(head + loads + axis("router.routing", "\"oblivious\", \"shortest\""),
                          [](const SweepPoint& point) { return 20.0 + point.index; });
  made.states[1].status = PointStatus::failed;
  made.states[1].figures.clear();
  const std::string path = (directory_ / "table.h5").string();
  write_sweep_hdf5(made, path);
  const SweepTable read = read_sweep_table(path);
  EXPECT_EQ(sweep_counts(read), sweep_counts(made));
  EXPECT_EQ(figure_of(page_spec(sweep_page(read)), "Mean latency"),
            figure_of(page_spec(sweep_page(made)), "Mean latency"));
}

TEST_F(SweepPageTest, PointsThatFailForOneReasonSayItOnce) {
  SweepTable made =
      table(head + loads + axis("packet.phits", "1, 2, 3, 4, 5, 6, 7, 8"), [](const SweepPoint&) { return 1.0; });
  for (PointState& state : made.states) {
    state.status = PointStatus::failed;
    state.exit_code = 2;
    state.error = "noise\nweft: error: nodes are no power of two; take 16\n";
  }
  EXPECT_EQ(sweep_gaps(made),
            "16 points: failed with exit code 2: nodes are no power of two; take 16\n  points 0 to 15\n");
  made.states[3].status = PointStatus::done;
  made.states[15].exit_code = 137;
  for (std::size_t ix = 8; ix < 15; ++ix) made.states[ix].status = PointStatus::done;
  EXPECT_EQ(sweep_gaps(made),
            "7 points: failed with exit code 2: nodes are no power of two; take 16\n"
            "  points 0 to 2, 4 to 7; all with workload.offered_load=0.1\n"
            "point 15 (workload.offered_load=0.2, packet.phits=8): failed with exit code 137: nodes are no power of "
            "two; take 16\n");
}

}  // namespace
}  // namespace weft::tools::sweep
