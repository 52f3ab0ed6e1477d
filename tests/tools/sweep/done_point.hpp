// A point of a sweep that is done.
#pragma once

#include <cmath>
#include <string>

#include "tools/sweep/sweep_folder.hpp"

namespace weft::tools::testing {

/// One figure of it is known.
inline PointState done_point(const std::string& figure, double value) {
  PointState state;
  state.status = PointStatus::done;
  state.figures.assign(sweep_figures().size(), NAN);
  state.figures[figure_ix(figure)] = value;
  return state;
}

}  // namespace weft::tools::testing
