// What the table of a sweep says of a point.
#include <cmath>
#include <gtest/gtest.h>

#include "tests/tools/study/done_point.hpp"
#include "tools/study/sweep_folder.hpp"

namespace weft::tools::sweep {
namespace {

PointState done_with(double converged) { return testing::done_point("converged", converged); }

TEST(PointStates, SayWhereNoSteadyStateWasFound) {
  EXPECT_EQ(state_name(done_with(1)), "done");
  EXPECT_EQ(state_name(done_with(0)), "done, not converged");
  EXPECT_EQ(state_name(done_with(NAN)), "done");  // a run that looked for none
  EXPECT_EQ(state_name(PointState{}), "missing");
}

TEST(PointStates, SayWhereTheNetworkCouldNotTakeWhatWasOffered) {
  RunResult run;
  const SweepFigure& figure = sweep_figures()[figure_ix("saturated")];
  EXPECT_TRUE(std::isnan(figure.of(run)));
  run.load_untaken_fraction = 0.04;
  EXPECT_EQ(figure.of(run), 0);
  run.falls_behind = true;
  EXPECT_EQ(figure.of(run), 1);
  run.falls_behind = false;
  run.load_untaken_fraction = 0.06;
  EXPECT_EQ(figure.of(run), 1);
  PointState state = done_with(0);
  state.figures[figure_ix("saturated")] = 1;
  EXPECT_EQ(state_name(state), "done, not converged, saturated");
}

TEST(PointStates, TakeTheFlagFromARunThatWasMeasured) {
  RunResult run;
  const SweepFigure& figure = sweep_figures()[figure_ix("converged")];
  EXPECT_TRUE(std::isnan(figure.of(run)));
  run.measured = true;
  EXPECT_EQ(figure.of(run), 1);
  run.converged = false;
  EXPECT_EQ(figure.of(run), 0);
}

}  // namespace
}  // namespace weft::tools::sweep
