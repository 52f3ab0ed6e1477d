// The performance model recovers known coefficients, and its errors are those of points that it has not seen.
#include "tools/scaling/model.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace weft::tools {
namespace {

constexpr double cache = 2e6;
constexpr u32 cores = 8;

/// Runs of networks of three sizes on so many ranks, their times as `truth` has them.
std::vector<ModelRow> runs(const PerformanceModel& truth, const std::vector<u32>& rank_counts) {
  std::vector<ModelRow> rows;
  for (const double nodes : {1000.0, 4000.0, 16000.0}) {
    for (const u32 ranks : rank_counts) {
      WorkLoad work;
      work.ranks = ranks;
      work.events = nodes * 700;
      work.imbalance = ranks == 1 ? 1 : 1.02 + 0.001 * ranks;
      work.windows = 10000 + nodes / 10;
      work.remote_messages = ranks == 1 ? 0 : 900 * std::sqrt(nodes * ranks);
      work.bytes = nodes * 2400;
      rows.push_back({work, truth.wall_s(work)});
    }
  }
  return rows;
}

PerformanceModel known() { return {cache, cores, {5e-8, 3e-8, 2e-6, 4e-7, 6e-6}}; }

TEST(performance_model, counts_what_a_run_has_to_do) {
  const PerformanceModel model{1000, 2, {}};
  const WorkLoad work{4, 800, 1.5, 10, 40, 8000};
  const auto counts = model.counts(work);
  EXPECT_DOUBLE_EQ(counts[0], 2 * 800 / 4 * 1.5);      // four ranks on two cores take turns
  EXPECT_DOUBLE_EQ(counts[1], counts[0] * (1 - 0.5));  // 2000 bytes a rank, half of it in the cache
  EXPECT_DOUBLE_EQ(counts[2], 10 * 2);                 // a tree over four ranks is two deep
  EXPECT_DOUBLE_EQ(counts[3], 2 * 40 / 4);
  EXPECT_DOUBLE_EQ(counts[4], 10);
}

TEST(performance_model, one_rank_neither_synchronises_nor_switches) {
  const PerformanceModel model{1000, 1, {}};
  const auto counts = model.counts({1, 800, 1, 10, 0, 500});
  EXPECT_EQ(counts, (std::array<double, terms>{800, 0, 0, 0, 0}));
}

TEST(performance_model, recovers_the_coefficients_that_made_the_times) {
  const PerformanceModel truth = known();
  const auto rows = runs(truth, {1, 2, 4, 8, 16, 24});
  const PerformanceModel fitted = fit_model(rows, cache, cores);
  for (std::size_t term = 0; term < terms; ++term) {
    EXPECT_NEAR(fitted.seconds[term] / truth.seconds[term], 1, 1e-3) << term_name(static_cast<Term>(term));
  }
  EXPECT_LT(model_error(fitted, rows).worst, 1e-3);
}

TEST(performance_model, predicts_rank_counts_that_were_left_out_of_the_fit) {
  const auto errors = held_out_errors(runs(known(), {1, 2, 4, 8, 16, 24}), cache, cores);
  ASSERT_EQ(errors.size(), 7u);
  EXPECT_EQ(errors.front().ranks, 1u);
  EXPECT_EQ(errors.back().ranks, 0u);
  EXPECT_EQ(errors.back().rows, 18u);
  EXPECT_LT(errors.back().worst, 0.01);
}

TEST(performance_model, is_judged_on_points_that_it_has_not_seen) {
  // Three times the true time on 8 ranks: a model that had seen it would be wrong elsewhere, one that had not is wrong
  // here by two thirds.
  auto rows = runs(known(), {1, 2, 4, 8});
  for (ModelRow& row : rows) row.wall_s *= row.work.ranks == 8 ? 3 : 1;
  const auto errors = held_out_errors(rows, cache, cores);
  ASSERT_EQ(errors.size(), 5u);
  EXPECT_EQ(errors[3].ranks, 8u);
  EXPECT_NEAR(errors[3].mean, 2.0 / 3, 0.02);
}

TEST(performance_model, never_has_negative_times) {
  // Faster than the work allows on several ranks: no coefficient may become negative to follow it.
  auto rows = runs(known(), {1, 2, 4});
  for (ModelRow& row : rows) row.wall_s /= row.work.ranks;
  for (const double seconds : fit_model(rows, cache, cores).seconds) EXPECT_GE(seconds, 0);
}

TEST(performance_model, cannot_be_judged_with_one_rank_count) {
  EXPECT_TRUE(held_out_errors(runs(known(), {2}), cache, cores).empty());
}

}  // namespace
}  // namespace weft::tools
