// Law "periodic": packets at equal distances, as of video, sensors or clocked senders.
#include "workloads/traffic/draws.hpp"

namespace weft::workloads {
namespace {

class PeriodicArrivals final : public Arrivals {
 public:
  explicit PeriodicArrivals(const ArrivalSpec& spec) : seed_(spec.seed), period_(1 / spec.packets_per_cycle) {}
  u64 gap(u32 source, u64 number, ArrivalState& /*state*/) const override {
    if (number == 0) return std::min(most_cycles, tick_of(source, 0) + 1);
    return std::clamp<u64>(tick_of(source, number) - tick_of(source, number - 1), 1, most_cycles);
  }

 private:
  /// The cycle of a packet; each source begins somewhere in the first period.
  [[nodiscard]] u64 tick_of(u32 source, u64 number) const {
    const double phase = engine::to_unit(bits_of_packet(seed_, source, 0));
    return static_cast<u64>(std::min((static_cast<double>(number) + phase) * period_, 1e18));
  }

  u64 seed_;
  double period_;
};

[[maybe_unused]] const bool periodic_registered = ArrivalRegistry::instance().add(
    "periodic", {.help = "packets at equal distances; each source begins at a time of its own.",
                 .make = [](const ArrivalSpec& spec) { return std::make_unique<PeriodicArrivals>(spec); }});

}  // namespace
}  // namespace weft::workloads
