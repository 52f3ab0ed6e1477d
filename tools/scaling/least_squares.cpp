// Plain least squares by modified Gram-Schmidt on every set of columns, the best feasible one wins; see the header.
#include "tools/scaling/least_squares.hpp"

#include <cmath>
#include <cstddef>

#include "engine/error.hpp"

namespace weft::tools {
namespace {

constexpr double dependent = 1e-7;  // a column of length 1 of which less is left is explained by the others
constexpr double better = 1e-9;     // relative gain that is worth another column

using Column = std::vector<double>;

double dot(const Column& x, const Column& y) {
  double sum = 0;
  for (std::size_t ix = 0; ix < x.size(); ++ix) sum += x[ix] * y[ix];
  return sum;
}

void subtract(Column& from, double factor, const Column& what) {
  for (std::size_t ix = 0; ix < from.size(); ++ix) from[ix] -= factor * what[ix];
}

/// Least squares with the columns chosen; false if they depend on each other. `rest` becomes b - A x.
bool solve(std::vector<Column> chosen, Column& rest, std::vector<double>& x) {
  const std::size_t n = chosen.size();
  std::vector<Column> r(n, Column(n, 0.0));
  x.assign(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      r[i][j] = dot(chosen[i], chosen[j]);
      subtract(chosen[j], r[i][j], chosen[i]);
    }
    r[j][j] = std::sqrt(dot(chosen[j], chosen[j]));
    if (r[j][j] < dependent) return false;
    for (double& value : chosen[j]) value /= r[j][j];
    x[j] = dot(chosen[j], rest);
    subtract(rest, x[j], chosen[j]);
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t k = j + 1; k < n; ++k) x[j] -= r[j][k] * x[k];
    x[j] /= r[j][j];
  }
  return true;
}

/// The columns of `a` with length 1; zero columns stay zero. `length` gets the lengths before.
std::vector<Column> unit_columns(const std::vector<std::vector<double>>& a, std::vector<double>& length) {
  const std::size_t rows = a.size(), columns = rows == 0 ? 0 : a.front().size();
  std::vector<Column> scaled(columns, Column(rows));
  length.assign(columns, 0.0);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t row = 0; row < rows; ++row) scaled[c][row] = a[row][c];
    length[c] = std::sqrt(dot(scaled[c], scaled[c]));
    for (double& value : scaled[c]) value /= length[c] > 0 ? length[c] : 1;
  }
  return scaled;
}

/// What of `column` is orthogonal to the others given.
Column remainder(Column column, std::vector<Column> others) {
  for (std::size_t j = 0; j < others.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) subtract(others[j], dot(others[i], others[j]), others[i]);
    const double left = std::sqrt(dot(others[j], others[j]));
    for (double& value : others[j]) value = left < dependent ? 0 : value / left;
    subtract(column, dot(others[j], column), others[j]);
  }
  return column;
}

}  // namespace

std::vector<double> own_shares(const std::vector<std::vector<double>>& a) {
  std::vector<double> length;
  const std::vector<Column> columns = unit_columns(a, length);
  std::vector<double> shares;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<Column> others = columns;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(c));
    const Column own = remainder(columns[c], std::move(others));
    shares.push_back(std::sqrt(dot(own, own)));
  }
  return shares;
}

std::vector<double> nonnegative_least_squares(const std::vector<std::vector<double>>& a, const std::vector<double>& b) {
  const std::size_t rows = a.size(), columns = rows == 0 ? 0 : a.front().size();
  WEFT_ASSERT(b.size() == rows && columns <= 16);
  std::vector<double> length, best(columns, 0.0);
  const std::vector<Column> scaled = unit_columns(a, length);
  double least = dot(b, b);
  // By number of columns, so that a column that gains nothing stays out.
  for (std::size_t wanted = 1; wanted <= columns; ++wanted) {
    for (std::size_t set = 1; set < std::size_t{1} << columns; ++set) {
      std::vector<Column> chosen;
      std::vector<std::size_t> which;
      for (std::size_t c = 0; c < columns; ++c) {
        if ((set >> c & 1) == 0) continue;
        which.push_back(c);
        chosen.push_back(scaled[c]);
      }
      Column rest = b;
      std::vector<double> x;
      if (which.size() != wanted || !solve(std::move(chosen), rest, x)) continue;
      bool feasible = true;
      for (const double value : x) feasible = feasible && value >= 0;
      const double residual = dot(rest, rest);
      if (!feasible || residual > least - better * dot(b, b)) continue;
      least = residual;
      best.assign(columns, 0.0);
      for (std::size_t k = 0; k < which.size(); ++k) best[which[k]] = x[k] / length[which[k]];
    }
  }
  return best;
}

}  // namespace weft::tools
