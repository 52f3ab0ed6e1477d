// Reads histograms.
#include "workloads/traffic/histogram_file.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/text_line.hpp"

namespace weft::workloads {

std::vector<HistogramBin> read_histogram(std::string_view text, const std::string& name, const std::string& unit) {
  constexpr double most_value = 1e15;
  std::vector<HistogramBin> bins;
  for_each_line_with_words(text, name, [&](const TextLine& line) {
    line.expect_words(2, unit + " weight");
    const HistogramBin bin{line.weight(0, unit), line.weight(1, "weight")};
    if (bin.value > most_value) line.fail(fmt::format("{} {} is too large (at most 1e15)", bin.value, unit));
    if (bin.weight > 0) bins.push_back(bin);
  });
  if (bins.empty()) {
    throw InputError(fmt::format("{}: no line with a weight above 0; write lines `{} weight`", shown(name), unit));
  }
  return bins;
}

std::vector<HistogramBin> read_histogram_file(const std::string& path, const std::string& key,
                                              const std::string& unit) {
  constexpr u64 most_bytes = u64{1} << 30;
  return read_histogram(read_text_file<InputError>(path, most_bytes, "file of workload." + key), path, unit);
}

}  // namespace weft::workloads
