// What applications keep of their speed on a routed fabric, from the fractions of run time they spend in communication
// patterns.
#pragma once

#include <string>
#include <vector>

#include "workloads/generator/patterns.hpp"

namespace weft::tools {

/// Run time spent in a pattern, of the whole, as measured or as it would be where every route had a link of its own.
struct PatternShare {
  std::string pattern;
  double share = 0;
};

struct Application {
  std::string name;
  std::vector<PatternShare> shares;

  /// Fraction of full speed left: 1 - sum of fraction * (1 - bandwidth of the pattern), the mean over tasks
  /// (task_avg).
  template <class Bandwidth>
  [[nodiscard]] double left(Bandwidth&& bandwidth) const {
    double lost = 0;
    for (const PatternShare& part : shares) lost += part.share * (1 - bandwidth(part.pattern));
    return 1 - lost;
  }
};

/// Reads a profile: [[application]] with `name` and `shares`, a table of patterns and shares. Throws ConfigError with
/// file:line.
[[nodiscard]] std::vector<Application> read_applications(const std::string& path);

}  // namespace weft::tools
