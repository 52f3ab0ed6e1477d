// Distributions of flow sizes as papers and their simulators have them, and from files.
#include "workloads/traffic/flow_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/text_line.hpp"
#include "engine/random.hpp"

namespace weft::workloads {
namespace {

struct KnownSizes {
  const char* name;
  std::vector<FlowSizes::Point> points;
};

const std::vector<KnownSizes>& known_sizes() {
  static const std::vector<KnownSizes> all{
      // Web search, DCTCP (Alizadeh et al., SIGCOMM 2010), with the points of HPCC's traffic generator (SIGCOMM 2019).
      {"web-search",
       {{0, 0},
        {1e4, 0.15},
        {2e4, 0.2},
        {3e4, 0.3},
        {5e4, 0.4},
        {8e4, 0.53},
        {2e5, 0.6},
        {1e6, 0.7},
        {2e6, 0.8},
        {5e6, 0.9},
        {1e7, 0.97},
        {3e7, 1}}},
      // Data mining, VL2 (Greenberg et al., SIGCOMM 2009), with the points of HKUST's TrafficGenerator.
      {"data-mining",
       {{0, 0},
        {180, 0.1},
        {216, 0.2},
        {560, 0.3},
        {900, 0.4},
        {1100, 0.5},
        {1870, 0.6},
        {3160, 0.7},
        {1e4, 0.8},
        {4e5, 0.9},
        {3.16e6, 0.95},
        {1e8, 0.98},
        {1e9, 1}}},
      // Hadoop at Facebook (Roy et al., SIGCOMM 2015), with the points of HPCC's traffic generator.
      {"hadoop", {{0, 0},      {100, 0.01},  {200, 0.02}, {300, 0.05},  {350, 0.15}, {400, 0.2},  {500, 0.3},
                  {600, 0.4},  {700, 0.5},   {1000, 0.6}, {2000, 0.67}, {7000, 0.7}, {3e4, 0.72}, {5e4, 0.82},
                  {8e4, 0.87}, {1.2e5, 0.9}, {3e5, 0.95}, {1e6, 0.975}, {2e6, 0.99}, {1e7, 1}}}};
  return all;
}

}  // namespace

FlowSizes::FlowSizes(std::vector<Point> points, double scale) : points_(std::move(points)) {
  WEFT_ASSERT(!points_.empty());
  for (Point& point : points_) point.bytes *= scale;
  mean_ = points_.front().bytes * points_.front().fraction;
  for (std::size_t k = 1; k < points_.size(); ++k)
    mean_ += 0.5 * (points_[k].bytes + points_[k - 1].bytes) * (points_[k].fraction - points_[k - 1].fraction);
  mean_ = std::max(mean_, 1.0);
}

u64 FlowSizes::size_at(double fraction) const {
  auto above = std::ranges::lower_bound(points_, fraction, {}, &Point::fraction);
  if (above == points_.end()) --above;
  double bytes = above->bytes;
  if (above != points_.begin()) {
    const Point& below = *std::prev(above);
    const double width = above->fraction - below.fraction;
    if (width > 0) bytes = below.bytes + (above->bytes - below.bytes) * (fraction - below.fraction) / width;
  }
  return std::max<u64>(1, static_cast<u64>(std::llround(bytes)));
}

u64 FlowSizes::draw(u64 bits) const { return size_at(engine::to_unit(bits)); }

std::vector<std::string> names_of_flow_sizes() {
  std::vector<std::string> names;
  for (const KnownSizes& known : known_sizes()) names.emplace_back(known.name);
  names.emplace_back("fixed");
  names.emplace_back("file");
  return names;
}

std::vector<FlowSizes::Point> read_flow_sizes(std::string_view text, const std::string& name) {
  constexpr double most_bytes = 1e15;
  std::vector<FlowSizes::Point> points;
  for_each_line_with_words(text, name, [&](const TextLine& line) {
    line.expect_words(2, "bytes fraction");
    const FlowSizes::Point point{line.weight(0, "size in bytes"), line.weight(1, "fraction")};
    if (point.bytes > most_bytes) line.fail(fmt::format("a flow of {} bytes is too large (at most 1e15)", point.bytes));
    if (!points.empty() && (point.bytes < points.back().bytes || point.fraction < points.back().fraction))
      line.fail("sizes and fractions do not ascend (it is a distribution function); sort them");
    points.push_back(point);
  });
  if (points.empty() || points.back().fraction <= 0) {
    throw InputError(
        fmt::format("{}: no line with a fraction above 0; write lines `bytes fraction`, up to 1", shown(name)));
  }
  const double whole = points.back().fraction;
  if (whole != 1 && whole != 100) {
    throw InputError(
        fmt::format("{}: the last fraction is {} (all flows are at most as large as the last size); make "
                    "it 1, or 100 for per cent",
                    shown(name), whole));
  }
  for (FlowSizes::Point& point : points) point.fraction /= whole;
  return points;
}

FlowSizes flow_sizes(const Parameters& keys) {
  const std::string name = keys.text("flow_sizes");
  const double scale = keys.real("flow_scale");
  if (name == "fixed") return {{{static_cast<double>(keys.integer("flow_bytes")), 1}}, scale};
  for (const KnownSizes& known : known_sizes()) {
    if (name == known.name) return {known.points, scale};
  }
  const std::string path = keys.text("flow_sizes_path");
  if (path.empty()) {
    throw ConfigError(
        "workload.flow_sizes = \"file\" needs a file (workload.flow_sizes_path is not given); add for example "
        "flow_sizes_path = \"sizes.txt\"");
  }
  constexpr u64 most_file_bytes = u64{16} << 20;
  const std::string text = read_text_file<InputError>(path, most_file_bytes, "file of workload.flow_sizes_path");
  return {read_flow_sizes(text, path), scale};
}

}  // namespace weft::workloads
