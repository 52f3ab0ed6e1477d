// Draws axes; see the header.
#include "tools/result/svg_axes.hpp"

#include <cstdio>

#include "tools/result/svg_chart.hpp"
#include "tools/text/markup.hpp"
#include "tools/text/numbers.hpp"

namespace weft::tools::svg {

std::vector<double> multiples(double low, double high, double step) {
  constexpr int most_ticks = 100;
  std::vector<double> ticks;
  const double first = std::ceil(low / step);
  // Counted, since adding a step to a large or infinite value may change nothing.
  for (int ix = 0; ix < most_ticks; ++ix) {
    const double value = (first + ix) * step;
    if (!(value <= high) || (ix > 0 && !(value > ticks.back()))) break;
    ticks.push_back(value);
  }
  return ticks;
}

std::string tick_label(double value) {
  const std::string text = std::abs(value) >= 1000 ? with_prefix(value) : significant(value, 3);
  const std::size_t unit_at = std::min(text.find(' '), text.size());
  std::string number = text.substr(0, unit_at);
  if (number.find('.') != std::string::npos && number.find('e') == std::string::npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
  }
  return number + text.substr(unit_at);
}

std::string place(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f", std::clamp(std::isfinite(value) ? value : 0.0, -1e5, 1e5));
  return text;
}

std::string attribute(const char* name, double value) { return std::string(" ") + name + "=\"" + place(value) + "\""; }

std::string svg_open(double svg_height, const std::string& description, const char* attributes) {
  return std::string("<svg ") + attributes + "viewBox=\"0 0 " + place(width) + " " + place(svg_height) +
         "\" role=\"img\" aria-label=\"" + escaped(description) + "\">\n";
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return "<text" + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + anchor + "\">" + escaped(text) +
         "</text>\n";
}

std::string line_from(double x1, double y1, double x2, double y2, const char* css_class) {
  return std::string("<line class=\"") + css_class + "\"" + attribute("x1", x1) + attribute("y1", y1) +
         attribute("x2", x2) + attribute("y2", y2) + "/>\n";
}

double tick_step(double span, int ticks) {
  if (!(span > 0) || !std::isfinite(span)) return 1;
  const double raw = span / ticks;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
}

std::vector<double> log_ticks(double low, double high) {
  const bool fine = high / low < 200;
  std::vector<double> ticks;
  if (!(low > 0) || !std::isfinite(low) || !std::isfinite(high)) return ticks;
  const int last = static_cast<int>(std::ceil(std::log10(std::max(low, high))));
  for (int exponent = static_cast<int>(std::floor(std::log10(low))); exponent <= last; ++exponent) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (digit > 1 && !fine) continue;
      const double value = std::pow(10.0, exponent) * digit;
      if (value >= low * 0.9999 && value <= high * 1.0001) ticks.push_back(value);
    }
  }
  return ticks;
}

Axes make_axes(double x_low, double x_high, double y_high, bool log_x) {
  Axes axes{x_low, x_high, round_axis_end(y_high), log_x};
  if (log_x && !(axes.x_low > 0)) axes.x_low = 0.5;
  if (!(axes.x_high > axes.x_low)) axes.x_high = log_x ? axes.x_low * 2 : axes.x_low + 1;
  return axes;
}

namespace {

std::string x_tick(const Axes& axes, double value) {
  const double x = axes.x(axes.index_x ? value + 0.5 : value);
  return line_from(x, top + plot_height, x, top + plot_height + 4, "axis") +
         text_at(x, top + plot_height + 16, "middle", tick_label(value));
}

}  // namespace

std::string draw_axes(const Axes& axes, const std::string& x_label, const std::string& y_label) {
  std::string out;
  const auto y_tick = [&](double value, bool is_axis) {
    out += line_from(left, axes.y(value), width - right, axes.y(value), is_axis ? "axis" : "grid");
    out += text_at(left - 6, axes.y(value) + 4, "end", tick_label(value));
  };
  if (axes.log_y) {
    out += line_from(left, axes.y(axes.y_low), width - right, axes.y(axes.y_low), "axis");
    for (const double value : log_ticks(axes.y_low, axes.y_high)) y_tick(value, false);
  } else {
    for (const double value : multiples(0, axes.y_high * 1.0001, tick_step(axes.y_high, 4))) y_tick(value, value == 0);
  }
  if (axes.log_x) {
    for (const double value : log_ticks(axes.x_low, axes.x_high)) out += x_tick(axes, value);
  } else {
    const double step = std::max(tick_step(axes.x_high - axes.x_low, 6), axes.index_x ? 1.0 : 0.0);
    const double last = axes.index_x ? axes.x_high - 1 : axes.x_high;
    for (const double value : multiples(axes.x_low, last + step * 1e-6, step)) out += x_tick(axes, value);
  }
  out += text_at(left + plot_width / 2, height - 6, "middle", x_label);
  return out + text_at(4, 12, "start", y_label);
}

}  // namespace weft::tools::svg
