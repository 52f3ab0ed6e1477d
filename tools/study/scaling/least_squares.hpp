// Least squares with coefficients that cannot be negative: times do not run backwards.
#pragma once

#include <vector>

namespace weft::tools {

/// The x >= 0 with least |A x - b|, [column]; rows of `a` are measurements. Coefficients of columns that are zero or
/// that others already explain are 0. Every set of columns is tried, since the optimum is the plain least-squares
/// solution on the columns that it uses (the Karush-Kuhn-Tucker conditions): exact, and meant for at most about 12
/// columns. Lawson and Hanson's NNLS (Solving Least Squares Problems, 1974, chapter 23) finds the same x.
[[nodiscard]] std::vector<double> nonnegative_least_squares(const std::vector<std::vector<double>>& a,
                                                            const std::vector<double>& b);

/// For each column the part of its length that no combination of the others explains, 0..1: 1 if it is orthogonal to
/// them, 0 if it follows from them or is zero. Small ones have coefficients that mean little.
[[nodiscard]] std::vector<double> own_shares(const std::vector<std::vector<double>>& a);

}  // namespace weft::tools
