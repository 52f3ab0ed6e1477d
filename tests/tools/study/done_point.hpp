// A point of a sweep that is done.
#pragma once

#include <cmath>
#include <string>

#include "tools/study/sweep_folder.hpp"

namespace weft::tools::testing {

/// One figure of it is known.
inline sweep::PointState done_point(const std::string& figure, double value) {
  sweep::PointState state;
  state.status = sweep::PointStatus::done;
  state.figures.assign(sweep::sweep_figures().size(), NAN);
  state.figures[sweep::figure_ix(figure)] = value;
  return state;
}

}  // namespace weft::tools::testing
