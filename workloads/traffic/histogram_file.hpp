// Histograms from files, by which laws of arrivals and lengths draw.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

struct HistogramBin {
  double value = 0, weight = 0;
};

/// The lines `value weight` of a text, in its order, without those of weight 0; `unit` is what a message calls values.
/// Throws InputError with file and line for anything else, and where no weight is above 0.
[[nodiscard]] std::vector<HistogramBin> read_histogram(std::string_view text, const std::string& name,
                                                       const std::string& unit);
/// That of the file of workload.`key`. Throws InputError if it cannot be read.
[[nodiscard]] std::vector<HistogramBin> read_histogram_file(const std::string& path, const std::string& key,
                                                            const std::string& unit);

}  // namespace weft::workloads
