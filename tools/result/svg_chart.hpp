// The few kinds of chart that the report needs, drawn as inline SVG: no script, no library, colours by CSS class.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/types.hpp"
#include "tools/text/markup.hpp"

namespace weft::tools {

/// Number of distinct series colours; the style sheet defines the variables --series-0 ... of that many.
inline constexpr u32 series_colours = 8;

struct ChartSeries {
  std::string label;
  u32 colour = 0;  ///< index below series_colours
  bool dashed = false;
  bool filled = false;  ///< area down to zero
  std::vector<std::pair<double, double>> points;
  bool markers = false;  ///< a dot at each point, without which a single one is not seen
};

/// A shaded range of x, with what it means.
struct ChartBand {
  double begin = 0, end = 0;
  std::string title;
};

/// A line chart; y starts at zero (or, logarithmic, at the least value), its axis ends at a round number.
struct LineChart {
  std::string x_label, y_label;
  double x_low = 0, x_high = 1;
  double y_high = 0;  ///< 0: from the points
  bool log_x = false;
  std::vector<ChartSeries> series;
  std::vector<ChartBand> bands;
  bool log_y = false;
  bool clip = false;  ///< leave out what lies above the axis; else it is drawn along its end
};
/// Where a linear axis for values up to this one ends.
[[nodiscard]] double round_axis_end(double value);

/// The chart as an <svg> element with a legend of the series as HTML above it; x_low > 0 is needed if log_x.
[[nodiscard]] std::string line_chart(const LineChart& chart);

/// The same as a file of its own, which brings its colours and its legend.
[[nodiscard]] std::string line_chart_file(const LineChart& chart);

/// Bars that are divided into parts, from the bottom up.
struct StackedChart {
  std::string y_label;
  std::vector<std::string> parts;           ///< names; at most series_colours
  std::vector<std::string> bars;            ///< labels below the bars
  std::vector<std::string> groups;          ///< of the bars; neighbours of one group share a second label
  std::vector<std::vector<double>> values;  ///< [bar][part], none negative
  double y_high = 0;                        ///< 0: from the bars
};
/// As line_chart and line_chart_file.
[[nodiscard]] std::string stacked_chart(const StackedChart& chart);
[[nodiscard]] std::string stacked_chart_file(const StackedChart& chart);

/// Bars over an index 0.. (tasks, bursts); beyond 256 values neighbours share a bar that shows their largest.
[[nodiscard]] std::string bar_chart(const std::vector<double>& values, const std::string& x_label,
                                    const std::string& y_label, const std::string& item);

/// A strip of cells shaded by value, index order left to right, top to bottom; beyond 2048 values neighbours share a
/// cell that shows their mean.
[[nodiscard]] std::string heat_strip(const std::vector<u64>& values, const std::string& item, const std::string& unit);

}  // namespace weft::tools
