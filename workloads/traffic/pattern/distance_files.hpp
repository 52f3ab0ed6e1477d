// Files that say how far packets go: histograms of distances, and INSEE's populations of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::workloads {

/// Lines `distance weight`, each distance once: the weight of each, [distance]. Throws InputError with file and line.
[[nodiscard]] std::vector<double> read_distance_histogram(std::string_view text, const std::string& name);

/// A line is the distance of a packet (INSEE: one of them is drawn for each packet): how often there is each,
/// [distance]. Throws InputError with file and line.
[[nodiscard]] std::vector<double> read_population(std::string_view text, const std::string& name);

}  // namespace weft::workloads
