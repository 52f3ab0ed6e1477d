// Law "on-off": periods with packets and periods without, of geometric lengths (an interrupted Bernoulli process).
#include "workloads/traffic/on_off.hpp"

#include <fmt/format.h>

#include "workloads/traffic/draws.hpp"

namespace weft::workloads {

OnOff::OnOff(const ArrivalSpec& spec) : on(spec.keys.real("on_cycles")), off(spec.keys.real("off_cycles")), chance(0) {
  chance = std::min(1.0, spec.packets_per_cycle / on_fraction());
}

std::vector<Setting> rows_of_on_off() {
  return {
      row::real("workload.on_cycles", "cycles", 200, {1, 1e9}, "mean length of periods in which packets come."),
      row::real("workload.off_cycles", "cycles", 200, {0, 1e9}, "mean length of the periods without between them.")};
}

std::optional<Complaint> check_on_off(const Parameters& keys, double offered_load) {
  const double on = keys.real("on_cycles"), off = keys.real("off_cycles");
  constexpr double rounding = 1 + 1e-9;
  if (offered_load * (on + off) <= on * rounding) return {};
  return Complaint{
      "workload.off_cycles",
      fmt::format("leaves too little time for offered_load = {} (sources would send {:.3g} phits/cycle in the "
                  "{:.3g} % of the time that they are on)",
                  offered_load, offered_load * (on + off) / on, 100 * on / (on + off)),
      fmt::format("use off_cycles = {} or less, or offered_load = {:.3g}",
                  static_cast<u64>(on * (1 / offered_load - 1)), on / (on + off))};
}

namespace {

/// An on period goes on from cycle to cycle with a chance, whatever was before, and so does an off period: what comes
/// after a packet does not depend on what was before it, and gaps are drawn from the number of the packet alone.
class OnOffArrivals final : public Arrivals {
 public:
  explicit OnOffArrivals(const ArrivalSpec& spec) : seed_(spec.seed), law_(spec) {}
  u64 gap(u32 source, u64 number, ArrivalState& /*state*/) const override {
    const u64 bits = bits_of_packet(seed_, source, number);
    u64 draws = 0, gap = 0;
    const auto next = [&] { return engine::remix(bits, draws++); };
    // Cycles of this on period that are to come. At the begin of a run it may be off.
    u64 on = first_success(1 / law_.on, next()) - 1;
    if (number == 0 && engine::to_unit(next()) > law_.on_fraction()) gap = off(next());
    if (number == 0) ++on;  // the first cycle of all is one of them
    for (;;) {
      const u64 packet = first_success(law_.chance, next());
      if (packet <= on) return std::min(gap + packet, most_cycles);
      gap += on + off(next());
      if (gap >= most_cycles) return most_cycles;
      on = first_success(1 / law_.on, next());
    }
  }

 private:
  /// 0 where there are no such periods; shorter ones than a cycle are there now and then.
  [[nodiscard]] u64 off(u64 bits) const {
    if (law_.off >= 1) return first_success(1 / law_.off, bits);
    return engine::to_unit(bits) < law_.off ? 1 : 0;
  }

  u64 seed_;
  OnOff law_;
};

[[maybe_unused]] const bool on_off_registered = ArrivalRegistry::instance().add(
    "on-off",
    {.help = "periods with packets and without, of geometric lengths with the means workload.on_cycles and off_cycles.",
     .make = [](const ArrivalSpec& spec) { return std::make_unique<OnOffArrivals>(spec); },
     .settings = rows_of_on_off(),
     .check = check_on_off});

}  // namespace
}  // namespace weft::workloads
