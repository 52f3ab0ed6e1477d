// Searches: which points follow from which results, and what is refused.
#include "tools/study/sweep_search.hpp"

#include <cmath>

#include "tests/tools/study/done_point.hpp"
#include "tests/tools/study/sweep_file.hpp"

namespace weft::tools::sweep {
namespace {

class SweepSearchTest : public testing::SweepFile {
 protected:
  /// A point whose network takes loads up to `most`, and whose latency grows as that of a queue.
  static PointState of_queue(double load, double most) {
    PointState state = testing::done_point("load_accepted", std::min(load, most));
    state.figures[figure_ix("saturated")] = load > most ? 1 : 0;
    state.figures[figure_ix("latency_mean")] = load > most ? 500 : 20 + 1 / (most + 0.005 - load);
    return state;
  }
  /// The sweep at its end, if each point of routing "random" saturates at `first`, each of "smart" at `second`.
  SweepTable searched(const std::string& text, double first, double second, u32* rounds = nullptr) const {
    SweepTable table{study(text), {}, {}};
    const std::vector<std::string> keys = table.study.keys();
    const auto load_at = std::ranges::find(keys, "workload.offered_load") - keys.begin();
    for (u32 round = 1;; ++round) {
      table.points = sweep_points(table.study);
      table.states.clear();
      for (const SweepPoint& point : table.points) {
        const double most = point.values[0] == "\"random\"" ? first : second;
        table.states.push_back(of_queue(number_of(point.values[load_at]), most));
      }
      const auto added = searched_points(table);
      if (rounds != nullptr) *rounds = round;
      if (added.empty()) return table;
      table.study.added.insert(table.study.added.end(), added.begin(), added.end());
    }
  }
};

TEST_F(SweepSearchTest, FindsTheSaturationOfEachCurveToTheStep) {
  u32 rounds = 0;
  const SweepTable table = searched(head + "repeat = 2\n" + requests + search_of_load, 0.333, 0.71, &rounds);
  const std::vector<Saturation> rows = saturations(table);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].values, std::vector<std::string>{"\"random\""});
  EXPECT_NEAR(rows[0].low, 0.33, 1e-9);
  EXPECT_NEAR(rows[0].high, 0.34, 1e-9);
  EXPECT_NEAR(rows[0].accepted, 0.333, 1e-9);
  EXPECT_NEAR(rows[1].low, 0.71, 1e-9);
  EXPECT_NEAR(rows[1].high, 0.72, 1e-9);
  // 5 points first, then 20 steps halved until one is left: 5 more; each with two seeds.
  EXPECT_EQ(table.points.size() % 2, 0U);
  EXPECT_LE(table.points.size(), 4U * 11);
  EXPECT_LE(rounds, 9U);
  EXPECT_TRUE(contains(saturation_text(table), "0.33 to 0.34"));
  EXPECT_TRUE(contains(saturation_csv(table), "smart,0.71,0.72,0.71"));
}

TEST_F(SweepSearchTest, SaysWhatLiesBeyondTheRange) {
  const SweepTable table = searched(head + requests + search_of_load, 0.05, 2.0);
  const std::vector<Saturation> rows = saturations(table);
  EXPECT_TRUE(std::isnan(rows[0].low));
  EXPECT_NEAR(rows[0].high, 0.1, 1e-12);
  EXPECT_NEAR(rows[1].low, 0.9, 1e-12);
  EXPECT_TRUE(std::isnan(rows[1].high));
  EXPECT_TRUE(contains(saturation_text(table), "below 0.1"));
  EXPECT_TRUE(contains(saturation_text(table), "above 0.9"));
}

TEST_F(SweepSearchTest, PutsMorePointsWhereTheCurveIsSteep) {
  const SweepTable table = searched(head + requests + search_of_load, 0.895, 0.895);
  u32 low = 0, high = 0;
  for (const SweepPoint& point : table.points) {
    if (point.values[0] != "\"random\"") continue;
    const double load = number_of(point.values[1]);
    (load < 0.5 ? low : high) += load == 0.5 ? 0 : 1;
  }
  EXPECT_GE(low + high + 1, 9U);
  EXPECT_GT(high, 2 * low);
}

TEST(NextSteps, EndWhereNoStepIsLeft) {
  EXPECT_TRUE(next_steps({{0, false, 1}, {1, false, 2}, {2, true, 9}}, 2, 100).empty());
  EXPECT_TRUE(next_steps({{0, true, 1}}, 0, 5).empty());
  EXPECT_EQ(next_steps({{0, false, 1}, {8, true, 9}}, 8, 2), std::vector<u32>{4});
  EXPECT_TRUE(next_steps({{0, false, 1}, {8, false, 1.5}}, 8, 2).empty());
  EXPECT_EQ(next_steps({{0, false, 1}, {8, false, NAN}}, 8, 3), std::vector<u32>{4});
}

TEST_F(SweepSearchTest, CurvesWithoutAResultAreLeft) {
  SweepTable table{study(head + requests + search_of_load), {}, {}};
  table.points = sweep_points(table.study);
  table.states.assign(table.points.size(), {});
  EXPECT_TRUE(searched_points(table).empty());
}

TEST_F(SweepSearchTest, NeedsNoOtherAxisAndMayBeOfWholeNumbers) {
  const SweepStudy read = study(head + "[sweep.search]\nkey = \"packet.phits\"\nfrom = 8\nto = 40\nprecision = 8\n");
  std::vector<std::string> values;
  for (const SweepPoint& point : sweep_points(read)) values.push_back(point.values[0]);
  EXPECT_EQ(values, (std::vector<std::string>{"8", "16", "24", "32", "40"}));
}

TEST_F(SweepSearchTest, RefusesRangesThatAreNoneAndAKeyThatHasAnAxis) {
  EXPECT_TRUE(
      contains(error(head + "[sweep.search]\nfrom = 0.5\nto = 0.5\nprecision = 0.1\n"), "to is not above from"));
  EXPECT_TRUE(contains(error(head + "[sweep.search]\nfrom = 0.1\nto = 0.5\nprecision = 0\n"), "precision is no step"));
  EXPECT_TRUE(contains(error(head + "[sweep.search]\nfrom = 0.1\nto = \"1\"\nprecision = 0.1\n"), "to is no number"));
  EXPECT_TRUE(contains(error(head + loads + search_of_load), "workload.offered_load has an axis too"));
  EXPECT_TRUE(contains(error(head + "search = 3\n" + loads), "search is a table"));
}

}  // namespace
}  // namespace weft::tools::sweep
