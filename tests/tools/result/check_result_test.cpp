// Results that no run can have are refused when they are read, and say what is wrong.
#include "tools/result/check_result.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/tools/result/sample_result.hpp"
#include "tools/result/hdf5_result.hpp"

namespace weft::tools {
namespace {

/// What is said about the sample with a change, which its file must say too.
template <class Change>
std::string problem_with(Change&& change) {
  RunResult r = sample_result();
  change(r);
  const std::string problem = result_problem(r);
  const ScratchFolder scratch;
  write_hdf5(r, scratch.file("r.h5"));
  try {
    static_cast<void>(read_hdf5(scratch.file("r.h5")));
    EXPECT_EQ(problem, "");
  } catch (const InputError& refused) {
    EXPECT_NE(problem, "");
    EXPECT_NE(std::string(refused.what()).find(problem), std::string::npos) << refused.what();
  }
  return problem;
}

TEST(CheckResult, TakesWhatRunsWrite) {
  EXPECT_EQ(problem_with([](RunResult&) {}), "");
  EXPECT_EQ(result_problem(RunResult{}), "");
  EXPECT_EQ(result_problem(sample_of_seeds()), "");
}

TEST(CheckResult, RefusesTimesOutOfOrderOrBeyondTheRun) {
  constexpr Tick late = Tick{1} << 60;
  EXPECT_EQ(
      problem_with([](RunResult& r) { r.batches.back().end = late; }),
      "row 4 of table 'batches' is of the cycles 9500 to 1152921504606846976, after one that ends at 9500, in a run "
      "of 12345");
  EXPECT_NE(problem_with([](RunResult& r) { std::swap(r.intervals[2], r.intervals[3]); }), "");
  EXPECT_NE(problem_with([](RunResult& r) { r.intervals[0].begin = 501; }), "");
  EXPECT_NE(problem_with([](RunResult& r) { std::swap(r.extra.series[0], r.extra.series[1]); }), "");
}

TEST(CheckResult, RefusesBinsAndDistancesThatAreNone) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_NE(problem_with([&](RunResult& r) { r.latency_histogram[1].high = infinite; }), "");
  EXPECT_NE(problem_with([&](RunResult& r) { r.latency_histogram[1].low = std::nan(""); }), "");
  EXPECT_NE(problem_with([&](RunResult& r) { r.latency_histogram[1].low = -1; }), "");
  EXPECT_NE(problem_with([](RunResult& r) { std::swap(r.latency_histogram[1].low, r.latency_histogram[1].high); }), "");
  EXPECT_EQ(problem_with([](RunResult& r) {
              r.extra.distances = {{9, 1}, {2, 7}};
            }),
            "row 1 of the distances is of 2 links, after one of 9");
}

TEST(CheckResult, RefusesAConfigThatIsNoneOrDeeperThanAnyIs) {
  EXPECT_EQ(problem_with([](RunResult& r) { r.config_json = "{"; }), "attribute 'config_json' is no JSON");
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + "1" + std::string(depth, ']'); };
  EXPECT_EQ(problem_with([&](RunResult& r) { r.config_json = nested(20); }), "");
  EXPECT_NE(problem_with([&](RunResult& r) { r.config_json = nested(50'000); }), "");
}

}  // namespace
}  // namespace weft::tools
