// Plain least squares on every set of columns, the best feasible one wins; see the header.
#include "tools/study/scaling/least_squares.hpp"

#include <Eigen/QR>
#include <cstddef>

#include "engine/base/error.hpp"

namespace weft::tools {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double dependent = 1e-7;  // a column of length 1 of which less is left is explained by the others
constexpr double better = 1e-9;     // relative gain that is worth another column

/// Columns as Householder's rotations have them, those first that the others explain least.
Eigen::ColPivHouseholderQR<Matrix> rotated(const Matrix& columns) {
  Eigen::ColPivHouseholderQR<Matrix> qr(columns.rows(), columns.cols());
  qr.setThreshold(dependent);
  qr.compute(columns);
  return qr;
}

/// The columns of `a` with length 1; zero columns stay zero. `length` gets the lengths before.
Matrix unit_columns(const std::vector<std::vector<double>>& a, Vector& length) {
  const auto rows = static_cast<Eigen::Index>(a.size());
  const auto columns = rows == 0 ? Eigen::Index{0} : static_cast<Eigen::Index>(a.front().size());
  Matrix scaled(rows, columns);
  for (Eigen::Index row = 0; row < rows; ++row) {
    for (Eigen::Index c = 0; c < columns; ++c)
      scaled(row, c) = a[static_cast<std::size_t>(row)][static_cast<std::size_t>(c)];
  }
  length = scaled.colwise().norm();
  for (Eigen::Index c = 0; c < columns; ++c) {
    if (length(c) > 0) scaled.col(c) /= length(c);
  }
  return scaled;
}

/// The columns of a set, bit by bit.
std::vector<Eigen::Index> members(std::size_t set, Eigen::Index columns) {
  std::vector<Eigen::Index> which;
  for (Eigen::Index c = 0; c < columns; ++c) {
    if ((set >> c & 1) != 0) which.push_back(c);
  }
  return which;
}

}  // namespace

std::vector<double> own_shares(const std::vector<std::vector<double>>& a) {
  Vector length;
  const Matrix columns = unit_columns(a, length);
  std::vector<double> shares;
  const std::size_t all = (std::size_t{1} << columns.cols()) - 1;
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    const Matrix others = columns(Eigen::all, members(all & ~(std::size_t{1} << c), columns.cols()));
    const Vector column = columns.col(c);
    const bool alone = others.size() == 0 || others.isZero(0);
    shares.push_back(alone ? column.norm() : (column - others * rotated(others).solve(column)).norm());
  }
  return shares;
}

std::vector<double> nonnegative_least_squares(const std::vector<std::vector<double>>& a, const std::vector<double>& b) {
  Vector length;
  const Matrix scaled = unit_columns(a, length);
  const Eigen::Index columns = scaled.cols();
  WEFT_ASSERT(b.size() == a.size() && columns <= 16);
  const Vector wanted = Eigen::Map<const Vector>(b.data(), static_cast<Eigen::Index>(b.size()));
  std::vector<double> best(static_cast<std::size_t>(columns), 0.0);
  double least = wanted.squaredNorm();
  // By number of columns, so that a column that gains nothing stays out.
  for (std::size_t count = 1; count <= best.size(); ++count) {
    for (std::size_t set = 1; set < std::size_t{1} << columns; ++set) {
      const std::vector<Eigen::Index> which = members(set, columns);
      if (which.size() != count) continue;
      const Matrix chosen = scaled(Eigen::all, which);
      const auto qr = rotated(chosen);
      if (qr.rank() < chosen.cols()) continue;
      const Vector x = qr.solve(wanted);
      const double residual = (wanted - chosen * x).squaredNorm();
      if (x.minCoeff() < 0 || residual > least - better * wanted.squaredNorm()) continue;
      least = residual;
      best.assign(best.size(), 0.0);
      for (std::size_t k = 0; k < which.size(); ++k)
        best[static_cast<std::size_t>(which[k])] = x(static_cast<Eigen::Index>(k)) / length(which[k]);
    }
  }
  return best;
}

}  // namespace weft::tools
