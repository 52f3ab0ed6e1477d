// Law "histogram" of packet lengths: as a file says, of a recorded application for example.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/traffic/histogram_file.hpp"
#include "workloads/traffic/length_law.hpp"

namespace weft::workloads {
namespace {

std::vector<HistogramBin> lengths_of(const Parameters& keys) {
  return read_histogram_file(keys.text("lengths_path"), "lengths_path", "phits");
}

std::optional<Complaint> check_histogram_lengths(const Parameters& keys, u32 longest) {
  if (keys.text("lengths_path").empty()) {
    return Complaint{"workload.lengths_path", "is missing (packet_length = \"histogram\" needs it)",
                     "write for example lengths_path = \"app-lengths.txt\"; weft trace fit makes one"};
  }
  for (const HistogramBin& bin : lengths_of(keys)) {
    if (bin.value >= 1 && bin.value == std::floor(bin.value) && bin.value <= longest) continue;
    return Complaint{"workload.lengths_path",
                     fmt::format("has a length of {} phits (lengths are whole numbers from 1 to packet.phits = {})",
                                 bin.value, longest),
                     "change the line, or packet.phits"};
  }
  return {};
}

/// Weights become whole numbers of which the largest is 2^20.
PacketLengths histogram_lengths(const Parameters& keys, u32 /*longest*/) {
  const std::vector<HistogramBin> bins = lengths_of(keys);
  const double most = std::ranges::max(bins, {}, &HistogramBin::weight).weight;
  const bool whole = most <= (1 << 20) && std::ranges::all_of(bins, [](const HistogramBin& bin) {
                       return bin.weight == std::floor(bin.weight);
                     });
  std::vector<LengthWeight> all;
  for (const HistogramBin& bin : bins) {
    const double weight = whole ? bin.weight : std::max(1.0, std::round(bin.weight / most * (1 << 20)));
    all.push_back({static_cast<u32>(bin.value), static_cast<u32>(weight)});
  }
  return PacketLengths(all);
}

[[maybe_unused]] const bool histogram_lengths_registered = LengthRegistry::instance().add(
    "histogram",
    {.help = "lengths as the histogram workload.lengths_path says, of a recorded application for example.",
     .lengths = histogram_lengths,
     .settings = {row::path("workload.lengths_path", "histogram of packet lengths, lines `phits weight`.")},
     .check = check_histogram_lengths});

}  // namespace
}  // namespace weft::workloads
