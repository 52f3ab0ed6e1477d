// Coordinates, ticks and axes of the charts in svg_chart.hpp, and what every drawing is made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace weft::tools::svg {

inline constexpr double width = 640, height = 240;
inline constexpr double left = 56, right = 14, top = 24, bottom = 40;
inline constexpr double plot_width = width - left - right, plot_height = height - top - bottom;

/// A coordinate in the drawing: a tenth of a unit is finer than a pixel.
[[nodiscard]] std::string place(double value);
/// ` name="value"`.
[[nodiscard]] std::string attribute(const char* name, double value);
[[nodiscard]] std::string svg_open(double svg_height, const std::string& description, const char* attributes = "");
[[nodiscard]] std::string text_at(double x, double y, const char* anchor, const std::string& text);
[[nodiscard]] std::string line_from(double x1, double y1, double x2, double y2, const char* css_class);

/// Distance between ticks so that about `ticks` of them cover `span`: 1, 2 or 5 times a power of ten.
[[nodiscard]] double tick_step(double span, int ticks);
/// Multiples of `step` from `low` to `high`, both included where they are multiples; 100 at most.
[[nodiscard]] std::vector<double> multiples(double low, double high, double step);
/// Tick values are round, so that 3 digits tell them apart and trailing zeros say nothing.
[[nodiscard]] std::string tick_label(double value);
/// Ticks of a logarithmic axis: 1-2-5 within a decade or two, decades alone beyond.
[[nodiscard]] std::vector<double> log_ticks(double low, double high);

/// Maps data to the drawing.
struct Axes {
  double x_low, x_high, y_high;
  bool log_x;
  bool index_x = false;  ///< x counts items: ticks are whole numbers in the middle of each item's place
  bool log_y = false;
  double y_low = 0;  ///< more than 0 only if log_y

  [[nodiscard]] double x(double value) const {
    const double fraction = log_x ? std::log(std::max(value, 1e-300) / x_low) / std::log(x_high / x_low)
                                  : (value - x_low) / (x_high - x_low);
    return left + plot_width * std::clamp(fraction, 0.0, 1.0);
  }
  [[nodiscard]] double y(double value) const {
    const double fraction =
        log_y ? std::log(std::max(value, 1e-300) / y_low) / std::log(y_high / y_low) : value / y_high;
    return top + plot_height * (1 - std::clamp(fraction, 0.0, 1.0));
  }
};

[[nodiscard]] Axes make_axes(double x_low, double x_high, double y_high, bool log_x);
[[nodiscard]] std::string draw_axes(const Axes& axes, const std::string& x_label, const std::string& y_label);

}  // namespace weft::tools::svg
