// A law of arrivals from outside the source folders: docs/adding-an-arrival-law.md.
#include <fmt/format.h>

#include "workloads/traffic/draws.hpp"

namespace weft::workloads {
namespace {

/// Gaps around the mean, workload.jitter_fraction of it at most more or less.
class Jitter final : public Arrivals {
 public:
  explicit Jitter(const ArrivalSpec& spec)
      : seed_(spec.seed), mean_(1 / spec.packets_per_cycle), fraction_(spec.keys.real("jitter_fraction")) {}
  u64 gap(u32 source, u64 number, ArrivalState& /*state*/) const override {
    const u64 bits = bits_of_packet(seed_, source, number);
    const double gap = mean_ * (1 + fraction_ * (2 * engine::to_unit(bits) - 1));
    return std::max<u64>(1, rounded_by_chance(gap, engine::remix(bits, 1)));
  }

 private:
  u64 seed_;
  double mean_, fraction_;
};

std::optional<Complaint> check_jitter(const Parameters& keys, double /*offered_load*/) {
  if (keys.text("jitter_shape") == "even") return {};
  return Complaint{"workload.jitter_shape", fmt::format("\"{}\" is not drawn yet", keys.text("jitter_shape")),
                   "use jitter_shape = \"even\""};
}

const bool jitter_registered = ArrivalRegistry::instance().add(
    "jitter", {.help = "gaps around their mean, workload.jitter_fraction of it more or less.",
               .make = [](const ArrivalSpec& spec) { return std::make_unique<Jitter>(spec); },
               .settings = {row::real("workload.jitter_fraction", "", 0.5, {0.0, 1.0}, "of the mean gap."),
                            row::text("workload.jitter_shape", "even", "law of the jitter.")},
               .check = check_jitter});

}  // namespace
}  // namespace weft::workloads
