// Least squares with coefficients that are not negative, against cases that can be solved by hand.
#include "tools/study/scaling/least_squares.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace weft::tools {
namespace {

using Rows = std::vector<std::vector<double>>;

TEST(least_squares, solves_a_square_system_exactly) {
  const auto x = nonnegative_least_squares({{2, 0}, {1, 3}}, {4, 11});
  EXPECT_NEAR(x.at(0), 2, 1e-12);
  EXPECT_NEAR(x.at(1), 3, 1e-12);
}

TEST(least_squares, gives_the_mean_for_a_column_of_ones) {
  EXPECT_NEAR(nonnegative_least_squares({{1}, {1}, {1}}, {1, 2, 6}).at(0), 3, 1e-12);
}

TEST(least_squares, puts_a_line_through_points_as_the_normal_equations_do) {
  // y = 1/3 + x/2 is the least-squares line through (0, 0.5), (1, 0.5), (2, 1.5).
  const auto x = nonnegative_least_squares({{1, 0}, {1, 1}, {1, 2}}, {0.5, 0.5, 1.5});
  EXPECT_NEAR(x.at(0), 1.0 / 3, 1e-12);
  EXPECT_NEAR(x.at(1), 0.5, 1e-12);
}

TEST(least_squares, puts_zero_where_the_free_solution_is_negative_and_solves_the_rest_anew) {
  // Free solution of (1 1; 0 1) x = (1, 2): x = (-1, 2). With x0 = 0 the best x1 is 3/2.
  const auto x = nonnegative_least_squares({{1, 1}, {0, 1}}, {1, 2});
  EXPECT_EQ(x.at(0), 0);
  EXPECT_NEAR(x.at(1), 1.5, 1e-12);
}

TEST(least_squares, gives_nothing_to_columns_that_would_all_be_negative) {
  EXPECT_EQ(nonnegative_least_squares({{1, 0}, {0, 1}}, {-1, -2}), (std::vector<double>{0, 0}));
}

TEST(least_squares, leaves_out_columns_that_are_zero_or_follow_from_others) {
  const auto x = nonnegative_least_squares({{1, 0, 2}, {2, 0, 4}, {3, 0, 6}}, {2, 4, 6});
  EXPECT_EQ(x.at(1), 0);
  EXPECT_NEAR(x.at(0) + 2 * x.at(2), 2, 1e-12);
  EXPECT_EQ(x.at(0) * x.at(2), 0);
}

TEST(least_squares, is_not_disturbed_by_columns_of_very_different_size) {
  const Rows a{{1e9, 1}, {2e9, 5}, {3e9, 2}};
  std::vector<double> b;
  for (const auto& row : a) b.push_back(3e-8 * row[0] + 4e-2 * row[1]);
  const auto x = nonnegative_least_squares(a, b);
  EXPECT_NEAR(x.at(0), 3e-8, 1e-15);
  EXPECT_NEAR(x.at(1), 4e-2, 1e-9);
}

TEST(least_squares, takes_fewer_rows_than_columns) {
  const auto x = nonnegative_least_squares({{1, 2, 3}}, {6});
  EXPECT_NEAR(x.at(0) + 2 * x.at(1) + 3 * x.at(2), 6, 1e-12);
}

TEST(own_shares, are_sines_of_the_angles_to_what_the_other_columns_span) {
  const auto orthogonal = own_shares({{2, 0}, {0, 3}});
  EXPECT_NEAR(orthogonal.at(0), 1, 1e-12);
  EXPECT_NEAR(orthogonal.at(1), 1, 1e-12);
  const auto at_30_degrees = own_shares({{1, std::sqrt(3)}, {0, 1}});
  EXPECT_NEAR(at_30_degrees.at(0), 0.5, 1e-12);
  EXPECT_NEAR(at_30_degrees.at(1), 0.5, 1e-12);
}

TEST(own_shares, are_zero_for_columns_that_follow_from_others_or_are_zero) {
  for (const double share : own_shares({{1, 0, 1}, {0, 1, 1}, {0, 0, 0}})) EXPECT_NEAR(share, 0, 1e-12);
  const auto with_zero = own_shares({{1, 0}, {2, 0}});
  EXPECT_NEAR(with_zero.at(0), 1, 1e-12);
  EXPECT_EQ(with_zero.at(1), 0);
  EXPECT_NEAR(own_shares({{1, 2}}).at(0), 0, 1e-12) << "one row cannot tell two columns apart";
}

}  // namespace
}  // namespace weft::tools
