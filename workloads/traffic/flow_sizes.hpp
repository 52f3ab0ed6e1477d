// How large flows are: measured distributions of data centres, one size, or a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/parameters.hpp"
#include "engine/base/types.hpp"

namespace weft::workloads {

/// A distribution of sizes in bytes: a distribution function with straight lines between its points.
class FlowSizes {
 public:
  struct Point {
    double bytes = 0, fraction = 0;  ///< of the flows that are at most so large
  };
  /// Both ascending; the last fraction is 1. What the first point has is the fraction of flows of exactly its size.
  /// Sizes are multiplied by `scale`, and are 1 byte at least.
  FlowSizes(std::vector<Point> points, double scale);

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] u64 most() const { return size_at(1); }
  /// The size of the flow that the bits were drawn for.
  [[nodiscard]] u64 draw(u64 bits) const;

 private:
  [[nodiscard]] u64 size_at(double fraction) const;

  std::vector<Point> points_;
  double mean_ = 0;
};

/// Names for workload.flow_sizes, `fixed` and `file` besides.
[[nodiscard]] std::vector<std::string> names_of_flow_sizes();
/// The sizes by workload.flow_sizes, flow_bytes, flow_sizes_path, flow_scale. Throws ConfigError, InputError.
[[nodiscard]] FlowSizes flow_sizes(const Parameters& keys);
/// Lines `bytes fraction` (or per cent, where the last is 100), both ascending. Throws InputError with file and line.
[[nodiscard]] std::vector<FlowSizes::Point> read_flow_sizes(std::string_view text, const std::string& name);

}  // namespace weft::workloads
