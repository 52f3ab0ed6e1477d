// The plots of a scaling study.
#pragma once

#include <vector>

#include "tools/result/svg_chart.hpp"
#include "tools/scaling/tables.hpp"

namespace weft::tools {

/// Speed-up over ranks, with the ideal as a dashed line.
[[nodiscard]] LineChart speed_up_chart(const ScalingResult& result);
/// Parallel efficiency over ranks.
[[nodiscard]] LineChart efficiency_chart(const ScalingResult& result);
/// Fractions of time for computing, exchange and waiting, a bar for each point of several ranks.
[[nodiscard]] StackedChart time_chart(const ScalingResult& result);
/// Predicted efficiency over ranks, a line for each prediction.
[[nodiscard]] LineChart prediction_chart(const ScalingResult& result);

}  // namespace weft::tools
