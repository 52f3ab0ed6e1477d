// Points are put together by times that are right to a factor of a few, and by what is known better where something is.
#include "tools/study/point_time.hpp"

#include <cmath>

#include "engine/base/error.hpp"
#include "tests/tools/study/done_point.hpp"
#include "tests/tools/study/sweep_file.hpp"
#include "tools/study/sweep_estimate.hpp"

namespace weft::tools::sweep {
namespace {

class PointTimeTest : public testing::SweepFile {
 protected:
  static PointState done_in(double wall_s) { return testing::done_point("wall_s", wall_s); }
};

TEST_F(PointTimeTest, GrowsWithPacketsAndIsUnknownForTasks) {
  const auto seconds = [&](const std::vector<std::string>& settings) {
    const SweepStudy read = study(head + loads);
    return estimated_seconds(read.config.with(settings), {1 << 20, 1 << 20, {}}, 1);
  };
  EXPECT_GT(seconds({"workload.offered_load=0.8"}).value(), 1.9 * seconds({"workload.offered_load=0.4"}).value());
  EXPECT_GT(seconds({"simulation.cycles=2000000"}).value(), 50 * seconds({"simulation.cycles=20000"}).value());
  EXPECT_GT(seconds({"measure.seeds=4"}).value(), 3.9 * seconds({}).value());
  EXPECT_FALSE(seconds({"workload.kind=\"kernel\"", "workload.name=\"mesh\""}).has_value());
}

TEST_F(PointTimeTest, GoesByWhatDonePointsTook) {
  const SweepStudy read = study(head + "[[sweep.axis]]\nkey = \"workload.offered_load\"\nvalues = [0.2, 0.3, 0.4]\n");
  const auto points = sweep_points(read);
  const auto sizes = Networks(read).of(read, points);
  const auto before = estimated_seconds(read, points, std::vector<PointState>(3), sizes);
  const auto after = estimated_seconds(read, points, {PointState(), done_in(1000), PointState()}, sizes);
  EXPECT_NEAR(*after[1], 1000, 1);
  EXPECT_NEAR(*after[2] / *after[1], *before[2] / *before[1], 0.01);
  const auto tasks = estimated_seconds(read, points, {PointState(), done_in(7), PointState()}, {{}, {}, {}});
  EXPECT_NEAR(*tasks[0], 7, 1);
}

TEST_F(PointTimeTest, FillsTasksOfAnArray) {
  const auto tasks = [](const std::vector<std::optional<double>>& seconds) { return tasks_for(seconds, 300); };
  EXPECT_EQ(tasks(std::vector<std::optional<double>>(60, 1.0)), 1u);
  EXPECT_EQ(tasks(std::vector<std::optional<double>>(60, 100.0)), 20u);
  EXPECT_EQ(tasks(std::vector<std::optional<double>>(60, 1e6)), 60u);
  EXPECT_EQ(tasks(std::vector<std::optional<double>>(60, std::nullopt)), 60u);
  EXPECT_EQ(tasks({std::nullopt, 10.0, 10.0}), 2u);
  EXPECT_EQ(tasks_for(std::vector<std::optional<double>>(60, 1.0), 0), 60u);
  EXPECT_EQ(tasks({}), 1u);
}

TEST_F(PointTimeTest, KnowsTheNetworkOfEachPointAndWhichHasTooFewRouters) {
  const SweepStudy read =
      study(head + "ranks = 9\n[[sweep.axis]]\nkey = \"topology.dims\"\nvalues = [[4, 4], [2, 4]]\n");
  const auto points = sweep_points(read);
  const auto sizes = Networks(read).of(read, points);
  EXPECT_EQ(sizes[0]->routers, 16u);
  EXPECT_EQ(sizes[1]->nodes, 8u);
  try {
    check_ranks(read, points, sizes);
    FAIL();
  } catch (const ConfigError& refused) {
    EXPECT_TRUE(testing::contains(refused.what(), "point 1 (topology.dims=[2, 4]): ranks = 9 are more than the 8"))
        << refused.what();
  }
  EXPECT_NO_THROW(check_ranks(read, {points[0]}, {sizes[0]}));
}

TEST_F(PointTimeTest, PilotsSayWhatACycleCostsUpToWhatIsAccepted) {
  // A cycle takes 1 ms and 10 ms for each unit of load; the network takes 0.5.
  const PilotCost low{0.1, 0.002, 0.25}, high{0.5, 0.006, 0.5};
  EXPECT_NEAR(run_seconds(low, high, 1000, 0.3), 0.5 + 4, 1e-9);
  EXPECT_NEAR(run_seconds(low, high, 1000, 0.9), 0.5 + 6, 1e-9);
  EXPECT_NEAR(run_seconds(high, high, 1000, 0.9), 0.5 + 6, 1e-9);
}

TEST_F(PointTimeTest, ShortSweepsAreEstimatedWithoutPilotsAndCountWhatASearchWillAsk) {
  SweepTable table{study(head + search_of_load), {}, {}};
  table.points = sweep_points(table.study);
  table.states.resize(table.points.size());
  Networks networks(table.study);
  const auto sizes = networks.of(table.study, table.points);
  // No program of this name could be started.
  const SweepEstimate whole = estimate_of(table, sizes, {0, 1, 2, 3, 4}, "/no/such/program", 1);
  EXPECT_EQ(whole.later, 4U);
  EXPECT_EQ(whole.unknown, 0U);
  double seconds = 0;
  for (const auto& one : estimated_seconds(table.study, table.points, table.states, sizes)) seconds += *one;
  EXPECT_NEAR(whole.cpu_s, seconds * 9 / 5, 1e-9);
}

}  // namespace
}  // namespace weft::tools::sweep
