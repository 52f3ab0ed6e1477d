// Law "empirical": gaps between packets as a histogram says, of a recorded application for example.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/traffic/draws.hpp"
#include "workloads/traffic/histogram_file.hpp"
#include "workloads/traffic/pattern/shares.hpp"

namespace weft::workloads {
namespace {

/// Gaps drawn from the lines `cycles weight` of a file, all multiplied by what makes their mean that of the offered
/// load. Two packets of a source are at least a cycle apart, so shorter ones count as a cycle. Where the load is that
/// of the file they are drawn as they stand; else they are rounded up or down by chance.
class EmpiricalArrivals final : public Arrivals {
 public:
  explicit EmpiricalArrivals(const ArrivalSpec& spec) : seed_(spec.seed) {
    const std::vector<HistogramBin> bins = read_histogram_file(spec.keys.text("gaps_path"), "gaps_path", "cycles");
    std::vector<double> weights;
    for (const HistogramBin& bin : bins) {
      gaps_.push_back(bin.value);
      weights.push_back(bin.weight);
    }
    shares_ = shares_of(weights);
    scale_ = scale_for(weights, 1 / spec.packets_per_cycle);
  }
  u64 gap(u32 source, u64 number, ArrivalState& /*state*/) const override {
    const u64 bits = bits_of_packet(seed_, source, number);
    const double gap = gaps_[share_of(shares_, engine::remix(bits, 0))] * scale_;
    return std::clamp<u64>(rounded_by_chance(gap, engine::remix(bits, 1)), 1, most_cycles);
  }

 private:
  /// The factor by which the mean of max(1, gap) becomes `mean`; 1 if it is as good as that. Throws ConfigError where
  /// no factor does.
  [[nodiscard]] double scale_for(const std::vector<double>& weights, double mean) const {
    double all = 0;
    for (const double weight : weights) all += weight;
    const auto mean_at = [&](double scale) {
      double sum = 0;
      for (std::size_t k = 0; k < gaps_.size(); ++k) sum += weights[k] * std::max(1.0, gaps_[k] * scale);
      return sum / all;
    };
    constexpr double alike = 1e-6, most = 1e15;
    if (std::abs(mean_at(1) - mean) <= alike * mean) return 1;
    double low = 0, high = 1;
    while (mean_at(high) < mean && high < most) high *= 2;
    if (mean_at(high) < mean) {
      throw ConfigError("workload.gaps_path has gaps of 0 cycles only (they say no load); add lines with longer ones");
    }
    for (u32 step = 0; step < 200; ++step) {
      const double middle = 0.5 * (low + high);
      (mean_at(middle) < mean ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

  u64 seed_;
  std::vector<double> gaps_;  ///< [bin], cycles
  std::vector<u64> shares_;
  double scale_ = 1;
};

std::optional<Complaint> check_empirical(const Parameters& keys, double /*offered_load*/) {
  if (!keys.text("gaps_path").empty()) return {};
  return Complaint{"workload.gaps_path", "is missing (arrivals = \"empirical\" needs it)",
                   "write for example gaps_path = \"app-gaps.txt\"; weft trace fit makes one"};
}

[[maybe_unused]] const bool empirical_gaps_registered = ArrivalRegistry::instance().add(
    "empirical",
    {.help = "gaps as the histogram workload.gaps_path says, of a recorded application for example.",
     .make = [](const ArrivalSpec& spec) { return std::make_unique<EmpiricalArrivals>(spec); },
     .settings = {row::path("workload.gaps_path",
                            "histogram of the cycles from one packet of a source to the next, lines `cycles weight`; "
                            "all are multiplied by what makes their mean that of workload.offered_load.")},
     .check = check_empirical});

}  // namespace
}  // namespace weft::workloads
