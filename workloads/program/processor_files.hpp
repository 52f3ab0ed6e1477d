// Files about processors: a factor for tasks, and recorded pauses of the system.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Factors of workload.cpu_factors: lines `task factor`, # before comments; 1 for tasks that have no line. Throws
/// InputError with file and line: a task that is not there, twice, a factor that is none.
[[nodiscard]] std::vector<double> read_cpu_factors(std::string_view text, const std::string& name, u32 tasks);
[[nodiscard]] std::vector<double> cpu_factors_from_file(const std::string& path, u32 tasks);

/// A recording of pauses.
struct NoiseRecord {
  struct Pause {
    double begin_ns = 0, length_ns = 0;
  };
  std::vector<Pause> pauses;  ///< ascending, apart
  double period_ns = 0;       ///< after which they come again
};

/// A recording of workload.noise_file: lines `begin_ns length_ns`, # before comments, of which `# period_ns = P` gives
/// the period (else the end of the last pause). Throws InputError with file and line.
[[nodiscard]] NoiseRecord read_noise(std::string_view text, const std::string& name);
[[nodiscard]] NoiseRecord noise_from_file(const std::string& path);

}  // namespace weft::workloads
