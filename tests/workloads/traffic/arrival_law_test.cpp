// What every registered law of arrivals promises, and the statistics that each of them is there for, by closed forms.
#include "workloads/traffic/arrival_law.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "tests/support/scratch_folder.hpp"
#include "workloads/traffic/draws.hpp"

namespace weft::workloads {
namespace {

/// What is drawn by a source itself for "bernoulli".
class Trials final : public Arrivals {
 public:
  explicit Trials(const ArrivalSpec& spec) : spec_(spec) {}
  u64 gap(u32 source, u64 number, ArrivalState&) const override {
    return first_success(spec_.packets_per_cycle, bits_of_packet(spec_.seed, source, number));
  }

 private:
  ArrivalSpec spec_;
};

/// Keys that laws cannot do without.
Parameters with_needed(Parameters keys) {
  static const ScratchFolder folder;
  static const std::string gaps = folder.write("gaps", "# cycles weight\n2 3\n50 1\n7 0\n400 0.5\n");
  if (!keys.has("phase_cycles")) {
    keys.set("phase_cycles", std::vector<i64>{100, 250, 50});
    keys.set("phase_levels", std::vector<i64>{3, 1, 0});
  }
  if (!keys.has("gaps_path")) keys.set("gaps_path", gaps);
  return keys;
}

std::unique_ptr<const Arrivals> arrivals_of(const std::string& law, double rate, Parameters keys = {}) {
  keys = with_needed(std::move(keys));
  for (const Setting& row : ArrivalRegistry::instance().find(law)->settings) {
    if (!keys.has(row.name())) keys.set(row.name(), row.fallback);
  }
  const ArrivalSpec spec{rate, 3, std::move(keys)};
  auto made = make_arrivals(law, spec);
  return made ? std::move(made) : std::make_unique<Trials>(spec);
}

/// Packets of a source in windows of so many cycles.
std::vector<double> windows(const Arrivals& law, u32 source, u64 cycles, u64 window) {
  std::vector<double> counts(cycles / window, 0.0);
  ArrivalState state;
  u64 number = 0;
  for (u64 at = law.gap(source, 0, state) - 1; at < counts.size() * window; at += law.gap(source, ++number, state))
    ++counts[at / window];
  return counts;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
double variance(const std::vector<double>& values) {
  const double m = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - m) * (value - m);
  return sum / static_cast<double>(values.size() - 1);
}

/// Variance of counts in long windows over their mean.
double dispersion(const Arrivals& law, u64 window) {
  std::vector<double> counts;
  for (u32 source = 0; source < 40; ++source) {
    const std::vector<double> own = windows(law, source, 200 * window, window);
    counts.insert(counts.end(), own.begin(), own.end());
  }
  return variance(counts) / mean(counts);
}

TEST(EveryArrivalLaw, KeepsTheMeanLoadAndGivesTheSameGapsAgain) {
  for (const std::string& name : ArrivalRegistry::instance().names()) {
    for (const double rate : {0.02, 0.3}) {
      SCOPED_TRACE(name);
      const auto law = arrivals_of(name, rate), again = arrivals_of(name, rate);
      constexpr u64 cycles = 100'000;
      std::vector<double> rates;
      for (u32 source = 0; source < 200; ++source)
        rates.push_back(windows(*law, source, cycles, cycles).front() / cycles);
      EXPECT_NEAR(mean(rates), rate, 4.5 * std::sqrt(variance(rates) / 200) + 1.0 / cycles);
      ArrivalState one, two;
      for (u64 number = 0; number < 1000; ++number) {
        const u64 gap = law->gap(7, number, one);
        ASSERT_GE(gap, 1U);
        ASSERT_EQ(gap, again->gap(7, number, two));
      }
    }
  }
}

TEST(Bernoulli, HasTheDispersionOfTrials) { EXPECT_NEAR(dispersion(*arrivals_of("bernoulli", 0.1), 2000), 0.9, 0.06); }

TEST(Periodic, IsEvenWithAPhaseOfItsOwn) {
  EXPECT_LT(dispersion(*arrivals_of("periodic", 0.03), 2000), 0.01);
  const auto law = arrivals_of("periodic", 1 / 53.25);
  ArrivalState state;
  u64 begin = law->gap(4, 0, state), sum = 0;
  EXPECT_LE(begin, 55U);
  EXPECT_NE(begin, law->gap(5, 0, state));
  for (u64 number = 1; number <= 400; ++number) sum += law->gap(4, number, state);
  EXPECT_NEAR(static_cast<double>(sum), 400 * 53.25, 1.0);
}

TEST(BackToBack, HasTheDispersionOfTrains) {
  const double rate = 0.05, packets = 20;
  const auto law = arrivals_of("back-to-back", rate, {{"train_packets", i64{20}}});
  // A renewal process of trains: their distance is packets - 1 cycles and a geometric number with the rest of the mean.
  const double between = packets / rate - (packets - 1), spread = between * (between - 1);
  const double expected = packets * spread / (packets / rate) / (packets / rate);
  EXPECT_NEAR(dispersion(*law, 20'000), expected, 0.1 * expected);
  ArrivalState state;
  for (u64 number = 0; number < 60; ++number) {
    const u64 gap = law->gap(1, number, state);
    if (number % 20 != 0) {
      EXPECT_EQ(gap, 1U);
    }
  }
}

TEST(OnOff, HasTheDispersionOfAnInterruptedBernoulliProcess) {
  const double on = 50, off = 150, rate = 0.1;
  const auto law = arrivals_of("on-off", rate, {{"on_cycles", on}, {"off_cycles", off}});
  // Trials of chance c while on: cycles k apart are both on with the covariance f (1 - f) r^k.
  const double fraction = on / (on + off), chance = rate / fraction, r = 1 - 1 / on - 1 / off;
  const double expected = 1 - rate + 2 * chance * (1 - fraction) * r / (1 - r);
  EXPECT_NEAR(dispersion(*law, 20'000), expected, 0.08 * expected);
}

/// The Hurst parameter of the packets of many sources, by the variance of means of blocks: it falls with the length of
/// blocks to the power of 2 H - 2.
double hurst_of(const Arrivals& law) {
  constexpr u64 cycles = 1 << 18, least = 1 << 9;
  std::vector<double> all(cycles / least, 0.0);
  for (u32 source = 0; source < 200; ++source) {
    const std::vector<double> own = windows(law, source, cycles, least);
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += own[k];
  }
  std::vector<double> lengths, variances;  // logarithms
  for (u64 block = 1; all.size() / block >= 16; block *= 2) {
    std::vector<double> means;
    for (std::size_t k = 0; k + block <= all.size(); k += block)
      means.push_back(
          std::accumulate(all.begin() + static_cast<i64>(k), all.begin() + static_cast<i64>(k + block), 0.0) /
          static_cast<double>(block));
    lengths.push_back(std::log(static_cast<double>(block)));
    variances.push_back(std::log(variance(means)));
  }
  const double x = mean(lengths), y = mean(variances);
  double both = 0, square = 0;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    both += (lengths[k] - x) * (variances[k] - y);
    square += (lengths[k] - x) * (lengths[k] - x);
  }
  return 1 + both / square / 2;
}

TEST(SelfSimilar, HasItsHurstParameterAndOthersHaveNoMemory) {
  for (const double hurst : {0.7, 0.85}) {
    EXPECT_NEAR(
        hurst_of(*arrivals_of("self-similar", 0.1, {{"hurst", hurst}, {"on_cycles", 50.0}, {"off_cycles", 150.0}})),
        hurst, 0.1);
  }
  EXPECT_NEAR(hurst_of(*arrivals_of("bernoulli", 0.1)), 0.5, 0.1);
  EXPECT_NEAR(hurst_of(*arrivals_of("on-off", 0.1, {{"on_cycles", 5.0}, {"off_cycles", 15.0}})), 0.5, 0.1);
}

TEST(OnOff, RefusesLoadsThatDoNotFitIntoItsPeriods) {
  for (const char* name : {"on-off", "self-similar"}) {
    const ArrivalLaw& law = *ArrivalRegistry::instance().find(name);
    const Parameters keys{{"on_cycles", 100.0}, {"off_cycles", 300.0}};
    EXPECT_FALSE(law.check(keys, 0.25));
    ASSERT_TRUE(law.check(keys, 0.3));
    EXPECT_EQ(law.check(keys, 0.3)->advice, "use off_cycles = 233 or less, or offered_load = 0.25");
  }
}

TEST(Phases, HaveTheirLoadsAndTellWhichTheyAre) {
  // 100 cycles at twice the level of the 300 that follow, then 100 of silence: twice, once and none of the mean load.
  const double rate = 0.2;
  const Parameters keys{{"phase_cycles", std::vector<i64>{100, 300, 100}}, {"phase_levels", std::vector<i64>{4, 2, 0}}};
  const auto law = arrivals_of("phases", rate, keys);
  const double one = rate * 500 / (4 * 100 + 2 * 300);
  std::vector<double> counts(3, 0.0);
  const u64 sources = 200, cycles = 50'000;
  for (u32 source = 0; source < sources; ++source) {
    ArrivalState state;
    u64 number = 0;
    for (u64 at = law->gap(source, 0, state) - 1; at < cycles; at += law->gap(source, ++number, state)) {
      const u64 place = at % 500;
      const u32 phase = place < 100 ? 0 : place < 400 ? 1 : 2;
      ASSERT_EQ(law->phase(state), phase);
      ++counts[phase];
    }
  }
  const double periods = static_cast<double>(sources * cycles) / 500;
  EXPECT_NEAR(counts[0], periods * 100 * 4 * one, 5 * std::sqrt(counts[0]));
  EXPECT_NEAR(counts[1], periods * 300 * 2 * one, 5 * std::sqrt(counts[1]));
  EXPECT_EQ(counts[2], 0.0);
}

TEST(Phases, InWhichAPacketComesEachCycleHaveNoGaps) {
  const auto law =
      arrivals_of("phases", 0.5, {{"phase_cycles", std::vector<i64>{3, 3}}, {"phase_levels", std::vector<i64>{1, 0}}});
  ArrivalState state;
  std::vector<u64> gaps;
  for (u64 number = 0; number < 7; ++number) gaps.push_back(law->gap(1, number, state));
  EXPECT_EQ(gaps, (std::vector<u64>{1, 1, 1, 4, 1, 1, 4}));
}

TEST(Phases, RefuseWhatALinkDoesNotCarry) {
  const auto& law = *ArrivalRegistry::instance().find("phases");
  const Parameters keys{{"phase_cycles", std::vector<i64>{100, 300}}, {"phase_levels", std::vector<i64>{3, 1}}};
  EXPECT_FALSE(law.check(keys, 0.5));  // 3 * 400 / 600 = 2 times the mean
  EXPECT_TRUE(law.check(keys, 0.51));
  EXPECT_TRUE(law.check({{"phase_cycles", std::vector<i64>{100}}, {"phase_levels", std::vector<i64>{3, 1}}}, 0.1));
  EXPECT_TRUE(law.check({{"phase_cycles", std::vector<i64>{100}}}, 0.1));
}

TEST(Empirical, HasTheGapsOfItsFileWhereTheLoadIsThatOfTheFile) {
  const double mean_gap = (2 * 3 + 50 * 1 + 400 * 0.5) / 4.5;
  const auto law = arrivals_of("empirical", 1 / mean_gap);
  std::map<u64, double> counts;
  const u32 draws = 90'000;
  ArrivalState state;
  for (u64 number = 0; number < draws; ++number) ++counts[law->gap(9, number, state)];
  ASSERT_EQ(counts.size(), 3U);
  for (const auto& [gap, weight] : std::map<u64, double>{{2, 3}, {50, 1}, {400, 0.5}})
    EXPECT_NEAR(counts[gap], draws * weight / 4.5, 5 * std::sqrt(draws * weight / 4.5)) << gap;
}

}  // namespace
}  // namespace weft::workloads
