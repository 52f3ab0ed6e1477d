// The few kinds of chart that the report needs, drawn as inline SVG: no script, no library, colours by CSS class.
#include "tools/result/svg_chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <numeric>

#include "tools/result/svg_axes.hpp"
#include "tools/text/markup.hpp"
#include "tools/text/numbers.hpp"

namespace weft::tools {
namespace svg {
namespace {

constexpr std::size_t most_bars = 256, most_cells = 2048;

std::string colour(u32 ix) { return "var(--series-" + std::to_string(ix % series_colours) + ")"; }

/// The line through the points as path data. With `clip`, what lies above the axis is left out, so that the line ends
/// and begins at its upper end.
std::string line_data(const Axes& axes, const std::vector<std::pair<double, double>>& points, bool clip) {
  std::string path;
  const auto add = [&](bool moves, double x, double y) {
    path += fmt::format("{}{} {}", moves ? "M" : "L", place(axes.x(x)), place(axes.y(y)));
  };
  const auto above = [&](double y) { return clip && y > axes.y_high; };
  const auto along = [&](double y) { return axes.log_y ? std::log(std::max(y, 1e-300)) : y; };
  for (std::size_t ix = 0; ix < points.size(); ++ix) {
    const auto [x, y] = points[ix];
    if (ix > 0 && above(y) != above(points[ix - 1].second)) {
      const auto [x0, y0] = points[ix - 1];
      const double share = (along(axes.y_high) - along(y0)) / (along(y) - along(y0));
      add(!above(y), x0 + (x - x0) * share, axes.y_high);
    }
    if (!above(y)) add(path.empty(), x, y);
  }
  return path;
}

std::string draw_series(const Axes& axes, const ChartSeries& series, bool clip) {
  const std::string path = line_data(axes, series.points, clip);
  if (path.empty()) return {};
  std::string out;
  if (series.filled) {
    out += fmt::format("<path class=\"area\" style=\"fill:{0}\" d=\"{1}L{2} {3}L{4} {3}Z\"/>\n", colour(series.colour),
                       path, place(axes.x(series.points.back().first)), place(axes.y(0)),
                       place(axes.x(series.points.front().first)));
  }
  if (series.markers) {
    for (const auto& [x, y] : series.points) {
      if (clip && y > axes.y_high) continue;
      out += fmt::format("<circle style=\"fill:{}\" r=\"3\"{}{}><title>{}</title></circle>\n", colour(series.colour),
                         attribute("cx", axes.x(x)), attribute("cy", axes.y(y)),
                         escaped(fmt::format("{}: {} at {}", series.label, significant(y), significant(x))));
    }
  }
  return out + fmt::format("<path class=\"line\" style=\"stroke:{}{}\" d=\"{}\"><title>{}</title></path>\n",
                           colour(series.colour), series.dashed ? ";stroke-dasharray:5 4" : "", path,
                           escaped(series.label));
}

std::string draw_legend(const std::vector<ChartSeries>& series) {
  std::string out = "<p class=\"legend\">";
  for (const ChartSeries& one : series) {
    out += "<span><i style=\"border-top:3px " + std::string(one.dashed ? "dashed " : "solid ") + colour(one.colour) +
           "\"></i>" + escaped(one.label) + "</span> ";
  }
  return out + "</p>\n";
}

/// A logarithmic y axis from the least value to the largest, both rounded to a tick.
void use_log_y(Axes& axes, const std::vector<ChartSeries>& all, double y_high) {
  double y_low = y_high;
  for (const ChartSeries& series : all) {
    for (const auto& [x, y] : series.points) y_low = y > 0 ? std::min(y_low, y) : y_low;
  }
  if (!(y_low > 0) || !std::isfinite(y_high)) return;
  const auto power = [](double value) { return std::pow(10.0, std::floor(std::log10(value))); };
  axes.log_y = true;
  axes.y_low = axes.y_high = power(y_low);
  for (const double digit : {2.0, 5.0}) {
    if (power(y_low) * digit <= y_low) axes.y_low = power(y_low) * digit;
  }
  for (const double digit : {10.0, 5.0, 2.0, 1.0}) {
    if (power(y_high) * digit >= y_high || digit == 10.0) axes.y_high = power(y_high) * digit;
  }
  if (!(axes.y_high > axes.y_low)) axes.y_high = axes.y_low * 10;
}

std::string title_of(const LineChart& chart) { return chart.y_label + " over " + chart.x_label; }

/// Everything inside the <svg> of a line chart.
std::string draw_chart(const LineChart& chart) {
  double y_high = chart.y_high;
  if (!(y_high > 0)) {
    for (const ChartSeries& series : chart.series) {
      for (const auto& [x, y] : series.points) y_high = std::max(y_high, y);
    }
  }
  Axes axes = make_axes(chart.x_low, chart.x_high, y_high, chart.log_x);
  if (chart.log_y) use_log_y(axes, chart.series, y_high);
  std::string out;
  for (std::size_t ix = 0; ix < chart.bands.size(); ++ix) {
    const ChartBand& band = chart.bands[ix];
    out += std::string("<rect class=\"band") + (ix % 2 == 1 ? " odd" : "") + "\"" + attribute("x", axes.x(band.begin)) +
           attribute("y", top) + attribute("width", axes.x(band.end) - axes.x(band.begin)) +
           attribute("height", plot_height) + "><title>" + escaped(band.title) + "</title></rect>\n";
  }
  out += draw_axes(axes, chart.x_label, chart.y_label);
  for (const ChartSeries& series : chart.series) out += draw_series(axes, series, chart.clip);
  return out;
}

/// The parts of the bars as series without points.
std::vector<ChartSeries> legend_of(const StackedChart& chart) {
  std::vector<ChartSeries> series;
  for (u32 part = 0; part < chart.parts.size(); ++part) {
    series.push_back({chart.parts[part], part, false, false, {}});
  }
  return series;
}

/// Everything inside the <svg> of a stacked chart.
std::string draw_stacks(const StackedChart& chart) {
  double y_high = chart.y_high;
  for (const std::vector<double>& bar : chart.values) {
    y_high = std::max(y_high, std::accumulate(bar.begin(), bar.end(), 0.0));
  }
  const double bars = static_cast<double>(chart.values.size());
  Axes axes = make_axes(0, bars, y_high, false);
  std::string out;
  for (const double value : multiples(0, axes.y_high * 1.0001, tick_step(axes.y_high, 4))) {
    out += line_from(left, axes.y(value), width - right, axes.y(value), value == 0 ? "axis" : "grid");
    out += text_at(left - 6, axes.y(value) + 4, "end", tick_label(value));
  }
  out += text_at(4, 12, "start", chart.y_label);
  const double pitch = plot_width / std::max(1.0, bars);
  const double bar_width = std::min(pitch * 0.7, 60.0);
  for (std::size_t first = 0, next = 0; first < chart.groups.size(); first = next) {
    while (next < chart.groups.size() && chart.groups[next] == chart.groups[first]) ++next;
    const double middle = left + pitch * 0.5 * static_cast<double>(first + next);
    out += text_at(middle, top + plot_height + 32, "middle", chart.groups[first]);
    if (first > 0) {
      const double x = left + pitch * static_cast<double>(first);
      out += line_from(x, top, x, top + plot_height + 32, "grid");
    }
  }
  for (std::size_t bar = 0; bar < chart.values.size(); ++bar) {
    const double middle = left + pitch * (static_cast<double>(bar) + 0.5);
    out += text_at(middle, top + plot_height + 16, "middle", chart.bars[bar]);
    double from = 0;
    for (u32 part = 0; part < chart.values[bar].size(); ++part) {
      const double value = chart.values[bar][part], to = from + value;
      out += "<rect style=\"fill:" + colour(part) + "\"" + attribute("x", middle - bar_width / 2) +
             attribute("y", axes.y(to)) + attribute("width", bar_width) +
             attribute("height", axes.y(from) - axes.y(to)) + "><title>" +
             escaped(chart.bars[bar] + ", " + chart.parts[part] + ": " + significant(value, 3)) + "</title></rect>\n";
      from = to;
    }
  }
  return out;
}

/// What the report's style sheet says about charts, for a file that stands alone.
constexpr const char* file_style =
    "svg{--soft:#62625c;--line:#dddcd6;--series-0:#2a78d6;--series-1:#d9591f;--series-2:#168a61;--series-3:#b77d00;"
    "--series-4:#c8508a;--series-5:#4a3aa7;--series-6:#d03b3b;--series-7:#4f7d0b}"
    "text{fill:var(--soft);font:11.5px system-ui,sans-serif}.axis{stroke:var(--soft)}.grid{stroke:var(--line)}"
    ".line{fill:none;stroke-width:1.8;stroke-linejoin:round}.area{opacity:.13}.band{fill:#ece9de}";

std::string file_of(const std::vector<ChartSeries>& series, const std::string& title, const std::string& drawing) {
  constexpr double line_height = 16, margin = 8;
  const double full = height + line_height * static_cast<double>(series.size()) + margin;
  std::string out = svg_open(full, title, "xmlns=\"http://www.w3.org/2000/svg\" ") + "<style>" + file_style +
                    "</style>\n<rect fill=\"#fff\" width=\"100%\" height=\"100%\"/>\n" + drawing;
  for (std::size_t ix = 0; ix < series.size(); ++ix) {
    const double y = height + line_height * (static_cast<double>(ix) + 0.5);
    out += "<path style=\"stroke:" + colour(series[ix].colour) + ";stroke-width:3" +
           (series[ix].dashed ? ";stroke-dasharray:5 4" : "") + "\" d=\"M" + place(left) + " " + place(y) +
           "h24\"/>\n" + text_at(left + 30, y + 4, "start", series[ix].label);
  }
  return out + "</svg>\n";
}

/// Item `group` of `groups` covers the values [first, last).
struct Share {
  std::size_t first, last;
};
Share share_of(std::size_t group, std::size_t groups, std::size_t values) {
  return {group * values / groups, (group + 1) * values / groups};
}

std::string share_name(const std::string& item, Share share) {
  const std::string first = item + " " + std::to_string(share.first);
  return share.last - share.first == 1 ? first : first + " to " + std::to_string(share.last - 1);
}

}  // namespace
}  // namespace svg

double round_axis_end(double value) {
  if (!(value > 0) || !std::isfinite(value)) value = 1;
  const double step = svg::tick_step(value, 4);
  return std::ceil(value / step - 1e-9) * step;
}

std::string line_chart(const LineChart& chart) {
  return svg::draw_legend(chart.series) + svg::svg_open(svg::height, svg::title_of(chart)) + svg::draw_chart(chart) +
         "</svg>\n";
}

std::string line_chart_file(const LineChart& chart) {
  return svg::file_of(chart.series, svg::title_of(chart), svg::draw_chart(chart));
}

std::string stacked_chart(const StackedChart& chart) {
  return svg::draw_legend(svg::legend_of(chart)) + svg::svg_open(svg::height, chart.y_label) + svg::draw_stacks(chart) +
         "</svg>\n";
}

std::string stacked_chart_file(const StackedChart& chart) {
  return svg::file_of(svg::legend_of(chart), chart.y_label, svg::draw_stacks(chart));
}

std::string bar_chart(const std::vector<double>& values, const std::string& x_label, const std::string& y_label,
                      const std::string& item) {
  if (values.empty()) return {};
  const std::size_t bars = std::min(values.size(), svg::most_bars);
  svg::Axes axes =
      svg::make_axes(0, static_cast<double>(values.size()), *std::max_element(values.begin(), values.end()), false);
  axes.index_x = true;
  std::string out = svg::svg_open(svg::height, y_label + " per " + item) + svg::draw_axes(axes, x_label, y_label);
  const double pitch = svg::plot_width / static_cast<double>(bars);
  for (std::size_t bar = 0; bar < bars; ++bar) {
    const svg::Share share = svg::share_of(bar, bars, values.size());
    const double value = *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(share.first),
                                           values.begin() + static_cast<std::ptrdiff_t>(share.last));
    const double y = axes.y(value);
    out += "<rect class=\"bar\"" + svg::attribute("x", svg::left + pitch * (static_cast<double>(bar) + 0.08)) +
           svg::attribute("y", y) + svg::attribute("width", pitch * 0.84) +
           svg::attribute("height", svg::top + svg::plot_height - y) + "><title>" +
           escaped(svg::share_name(item, share) + ": " + significant(value, 6)) + "</title></rect>\n";
  }
  return out + "</svg>\n";
}

std::string heat_strip(const std::vector<u64>& values, const std::string& item, const std::string& unit) {
  if (values.empty()) return {};
  const std::size_t cells = std::min(values.size(), svg::most_cells);
  const std::size_t columns = std::min<std::size_t>(cells, 64);
  const std::size_t rows = (cells + columns - 1) / columns;
  std::vector<double> means(cells, 0.0);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const svg::Share share = svg::share_of(cell, cells, values.size());
    for (std::size_t ix = share.first; ix < share.last; ++ix) means[cell] += static_cast<double>(values[ix]);
    means[cell] /= static_cast<double>(share.last - share.first);
  }
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  const double span = *most - *least;
  const double cell_width = (svg::width - 8) / static_cast<double>(columns);
  const double cell_height = rows == 1 ? 24 : std::min(14.0, cell_width);
  std::string out = "<p class=\"legend\">" +
                    escaped(item + "s in order of their numbers, " + unit + ": from " + significant(*least, 6)) +
                    " <i class=\"ramp\"></i> to " + escaped(significant(*most, 6)) + "</p>\n" +
                    svg::svg_open(static_cast<double>(rows) * cell_height + 2, unit + " per " + item);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    // Equal values everywhere are shown in the middle of the scale, not at an end of it.
    const double fraction = span > 0 ? (means[cell] - *least) / span : 0.5;
    char opacity[16];
    std::snprintf(opacity, sizeof opacity, "%.2f", 0.08 + 0.92 * fraction);
    out +=
        "<rect class=\"cell\"" + svg::attribute("x", 4 + cell_width * static_cast<double>(cell % columns)) +
        svg::attribute("y", cell_height * static_cast<double>(cell / columns)) +
        svg::attribute("width", cell_width - 0.6) + svg::attribute("height", cell_height - 0.6) + " fill-opacity=\"" +
        opacity + "\"><title>" +
        escaped(svg::share_name(item, svg::share_of(cell, cells, values.size())) + ": " + significant(means[cell], 6)) +
        "</title></rect>\n";
  }
  return out + "</svg>\n";
}

}  // namespace weft::tools
