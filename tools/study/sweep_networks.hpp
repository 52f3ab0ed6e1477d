// The networks of a sweep's points, each built once: their sizes, and what they cost.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/report/cost/cost_table.hpp"
#include "tools/study/sweep_study.hpp"

namespace weft::tools::sweep {

/// A network, as far as ranks, times and tables depend on it.
struct NetworkSize {
  u64 nodes = 0, routers = 0;
  std::vector<double> figures = {};  ///< [network_figures()]; NaN: not known
};

/// A figure of a network that tables may have.
struct NetworkFigure {
  const char* name;
  const char* unit;  ///< null: the currency of the prices
  bool needs_cost;   ///< only studies with `cost` have it
};
[[nodiscard]] const std::vector<NetworkFigure>& network_figures();

class Networks {
 public:
  /// Reads the study's table of prices, if it names one. Throws ConfigError.
  explicit Networks(const SweepStudy& study);
  /// That of a config; nothing for one that cannot be built. Throws ConfigError where it has no price.
  [[nodiscard]] const std::optional<NetworkSize>& of(const Config& config);
  /// Sizes of the networks at the points of a study, [point].
  [[nodiscard]] std::vector<std::optional<NetworkSize>> of(const SweepStudy& study,
                                                           const std::vector<SweepPoint>& points);
  [[nodiscard]] std::string unit_of(const NetworkFigure& figure) const;

 private:
  std::optional<cost::CostTable> prices_;
  std::map<std::string, std::optional<NetworkSize>> known_;
};

}  // namespace weft::tools::sweep
