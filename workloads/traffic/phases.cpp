// Law "phases": high and low load in turn, the same for all sources.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "workloads/traffic/draws.hpp"

namespace weft::workloads {
namespace {

struct Phase {
  u64 cycles;
  double level;  ///< load relative to those of the others
};

std::vector<Phase> phases_of(const Parameters& keys) {
  const std::vector<i64> cycles = keys.integers("phase_cycles"), levels = keys.integers("phase_levels");
  std::vector<Phase> phases;
  for (std::size_t k = 0; k < std::min(cycles.size(), levels.size()); ++k)
    phases.push_back({static_cast<u64>(cycles[k]), static_cast<double>(levels[k])});
  return phases;
}

/// By which factor the load of a phase of level 1 is above the mean.
double load_of_level_one(const std::vector<Phase>& phases) {
  double cycles = 0, levels = 0;
  for (const Phase& phase : phases) {
    cycles += static_cast<double>(phase.cycles);
    levels += static_cast<double>(phase.cycles) * phase.level;
  }
  return cycles / levels;
}

/// "Load alternates between low and high phases" (Ridruejo et al., PDCAT 2007, section 2). Bernoulli trials in each
/// cycle, with the chance of the phase that the cycle lies in. The cycles of a source are those in which it generates:
/// while its packet waits for free space its time stands still, so that a node "located in a less clogged area" goes on
/// to the next phase "ahead of the rest"; with unbounded sources all change at the same time.
///
/// State: `period` is the cycle to come of the source, `left` the phase of its last packet.
class PhasedArrivals final : public Arrivals {
 public:
  explicit PhasedArrivals(const ArrivalSpec& spec) : seed_(spec.seed), phases_(phases_of(spec.keys)) {
    const double one = load_of_level_one(phases_) * spec.packets_per_cycle;
    for (const Phase& phase : phases_) {
      const double chance = phase.level * one;
      hazards_.push_back(chance < 1 ? -std::log1p(-chance) : certain);
      of_period_ += hazards_.back() * static_cast<double>(phase.cycles);
      period_ += phase.cycles;
    }
  }
  /// The packet comes in the first cycle by which the hazards add up to an exponential variate.
  u64 gap(u32 source, u64 number, ArrivalState& state) const override {
    double left = -std::log(engine::to_unit(bits_of_packet(seed_, source, number)));
    const double periods = std::floor(left / of_period_);
    if (periods * static_cast<double>(period_) > static_cast<double>(most_cycles)) return most_cycles;
    left = std::max(0.0, left - periods * of_period_);
    u64 at = state.period + static_cast<u64>(periods) * period_;
    for (;;) {
      const auto [phase, rest] = phase_at(at);
      const double hazard = hazards_[phase];
      const double cycles = hazard > 0 ? std::max(1.0, std::ceil(left / hazard)) : 1e18;
      if (cycles <= static_cast<double>(rest)) {
        at += static_cast<u64>(cycles);
        state.left = phase;
        break;
      }
      left = std::max(0.0, left - hazard * static_cast<double>(rest));
      at += rest;
    }
    const u64 gap = std::min(at - state.period, most_cycles);
    state.period = at;
    return gap;
  }
  u32 phase(const ArrivalState& state) const override { return static_cast<u32>(state.left); }

 private:
  static constexpr double certain = 1000;  ///< exp of minus that is 0

  struct Place {
    u32 phase;
    u64 rest;  ///< cycles of it that are to come
  };
  [[nodiscard]] Place phase_at(u64 cycle) const {
    u64 at = cycle % period_;
    u32 phase = 0;
    while (at >= phases_[phase].cycles) at -= phases_[phase++].cycles;
    return {phase, phases_[phase].cycles - at};
  }

  u64 seed_;
  std::vector<Phase> phases_;
  std::vector<double> hazards_;  ///< [phase]: of a cycle
  double of_period_ = 0;
  u64 period_ = 0;  ///< cycles of all phases
};

std::optional<Complaint> check_phases(const Parameters& keys, double offered_load) {
  const auto count_of = [&](const char* name) { return keys.has(name) ? keys.integers(name).size() : 0; };
  const std::size_t cycles = count_of("phase_cycles"), levels = count_of("phase_levels");
  if (cycles == 0 || levels == 0) {
    const char* const missing = cycles == 0 ? "workload.phase_cycles" : "workload.phase_levels";
    std::string advice = "write for example phase_cycles = [1000, 4000], phase_levels = [8, 1]";
    if (cycles != 0)
      advice = fmt::format("write a level for each of the {} phases of workload.phase_cycles, such as [8, 1]", cycles);
    if (levels != 0) advice = fmt::format("write a length for each of the {} phases of workload.phase_levels", levels);
    return Complaint{missing, "is missing (arrivals = \"phases\" needs it)", advice};
  }
  if (cycles != levels) {
    return Complaint{"workload.phase_levels", fmt::format("has {} levels for {} phases", levels, cycles),
                     "write one for each of workload.phase_cycles"};
  }
  const std::vector<Phase> phases = phases_of(keys);
  const double most = std::ranges::max(phases, {}, &Phase::level).level;
  if (most == 0) return Complaint{"workload.phase_levels", "are all 0", "give one of them a level above 0"};
  const double factor = load_of_level_one(phases) * most;
  constexpr double rounding = 1 + 1e-9;
  if (offered_load * factor <= rounding) return {};
  return Complaint{
      "workload.phase_levels",
      fmt::format("make sources send {:.3g} phits/cycle in the highest phase at offered_load = {} (a link "
                  "carries one)",
                  offered_load * factor, offered_load),
      fmt::format("use offered_load = {:.3g} or less, or levels that are nearer to each other", 1 / factor)};
}

[[maybe_unused]] const bool phases_registered = ArrivalRegistry::instance().add(
    "phases",
    {.help = "phases of workload.phase_cycles one after the other, over and over, with loads in the proportions of "
             "workload.phase_levels.",
     .make = [](const ArrivalSpec& spec) { return std::make_unique<PhasedArrivals>(spec); },
     .settings = {row::integers("workload.phase_cycles", "cycles", {1, 1'000'000'000'000},
                                "lengths of the phases, [1000, 4000]."),
                  row::integers("workload.phase_levels", "", {0, 1'000'000},
                                "loads of the phases relative to each other, [8, 1]; their mean over the cycles is "
                                "workload.offered_load.")},
     .check = check_phases});

}  // namespace
}  // namespace weft::workloads
