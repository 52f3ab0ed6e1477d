// Law "self-similar": periods with packets and without whose lengths have heavy tails, so that the traffic of many
// sources is as bursty over long times as over short ones.
#include <cmath>

#include "workloads/traffic/draws.hpp"
#include "workloads/traffic/on_off.hpp"

namespace weft::workloads {
namespace {

/// Pareto's law with a mean: P(T > x) = (least / x)^alpha from `least` on; 1 < alpha < 2, so the variance is infinite.
class ParetoLaw {
 public:
  ParetoLaw(double alpha, double mean) : alpha_(alpha), mean_(mean), least_(mean * (alpha - 1) / alpha) {}
  [[nodiscard]] double draw(u64 bits) const { return least_ * std::pow(engine::to_unit(bits), -1 / alpha_); }
  /// What is left of a period that a look at any time finds: P(R > x) is the integral of P(T > t) from x on, over the
  /// mean.
  [[nodiscard]] double draw_rest(u64 bits) const {
    const double u = engine::to_unit(bits);
    if (u * alpha_ >= 1) return mean_ * (1 - u);
    return least_ * std::pow(u * alpha_, -1 / (alpha_ - 1));
  }

 private:
  double alpha_, mean_, least_;
};

/// On periods with Bernoulli packets, off periods without, both of Pareto's law with alpha = 3 - 2 H: many such sources
/// together have the Hurst parameter H (Willinger, Taqqu, Sherman, Wilson: Self-similarity through high-variability,
/// IEEE/ACM Trans. Networking 5(1), 1997).
class SelfSimilarArrivals final : public Arrivals {
 public:
  explicit SelfSimilarArrivals(const ArrivalSpec& spec)
      : seed_(spec.seed),
        periods_(spec),
        on_(3 - 2 * spec.keys.real("hurst"), periods_.on),
        off_(3 - 2 * spec.keys.real("hurst"), periods_.off) {}
  u64 gap(u32 source, u64 number, ArrivalState& state) const override {
    const u64 bits = bits_of_packet(seed_, source, number);
    u64 gap = 0;
    if (number == 0) gap = begin(source, state);
    for (u64 draws = 0; gap < most_cycles; ++draws) {
      const u64 packet = first_success(periods_.chance, engine::remix(bits, draws));
      if (packet <= state.left) {
        state.left -= packet;
        return std::min(gap + packet, most_cycles);
      }
      gap += state.left;
      const u64 own = bits_of_period(seed_, source, state.period++);
      gap += periods_.off > 0 ? rounded_by_chance(off_.draw(engine::remix(own, 0)), engine::remix(own, 1)) : 0;
      state.left = rounded_by_chance(on_.draw(engine::remix(own, 2)), engine::remix(own, 3));
    }
    return most_cycles;
  }

 private:
  /// As at any time of a traffic that has gone on for ever; the cycles before its first on period.
  u64 begin(u32 source, ArrivalState& state) const {
    const u64 own = bits_of_period(seed_, source, state.period++);
    if (engine::to_unit(engine::remix(own, 0)) <= periods_.on_fraction()) {
      state.left = rounded_by_chance(on_.draw_rest(engine::remix(own, 1)), engine::remix(own, 2));
      return 0;
    }
    state.left = rounded_by_chance(on_.draw(engine::remix(own, 3)), engine::remix(own, 4));
    return rounded_by_chance(off_.draw_rest(engine::remix(own, 1)), engine::remix(own, 2));
  }

  u64 seed_;
  OnOff periods_;
  ParetoLaw on_, off_;
};

std::vector<Setting> rows_of_self_similar() {
  std::vector<Setting> rows = rows_of_on_off();
  rows.push_back(row::real("workload.hurst", "", 0.8, {0.55, 0.95},
                           "Hurst parameter of the traffic of many sources: lengths of periods have Pareto's law with "
                           "the exponent 3 - 2 hurst.")
                     .because("0.5 is traffic without a memory, and 1 has no mean"));
  return rows;
}

[[maybe_unused]] const bool self_similar_registered = ArrivalRegistry::instance().add(
    "self-similar",
    {.help = "periods with packets and without of Pareto's law, with the Hurst parameter workload.hurst.",
     .make = [](const ArrivalSpec& spec) { return std::make_unique<SelfSimilarArrivals>(spec); },
     .settings = rows_of_self_similar(),
     .check = check_on_off});

}  // namespace
}  // namespace weft::workloads
