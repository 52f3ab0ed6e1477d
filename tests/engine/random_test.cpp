// Random draws: pinned values, because a change of one would change every simulation, and simple tests of fairness.
#include "engine/random.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace weft::engine {
namespace {

TEST(Random, DrawsAreTheOnesOfEveryEarlierVersion) {
  // Pinned: results of published studies can only be repeated if these stay.
  EXPECT_EQ(random_bits(0, 0, 0, Use::source_gap), 9143003679000157714U);
  EXPECT_EQ(random_bits(1, 2, 3, Use::arbitration), 7066477713114743677U);
  EXPECT_EQ(random_bits(~u64{0}, ~u32{0}, ~u64{0}, Use::test), 3894462990033504497U);
  EXPECT_EQ(remix(0, 0), 0xe220a8397b1dcdafU);  // first output of SplitMix64 seeded with 0 (Vigna's reference code)
  EXPECT_EQ(remix(0, 1), 0x6e789e6aa1b965f4U);  // the second
  EXPECT_EQ(remix(1234567, 0), 6457827717110365317U);
}

TEST(Random, UsesKeepTheirNumbers) {
  EXPECT_EQ(static_cast<u32>(Use::source_gap), 0U);
  EXPECT_EQ(static_cast<u32>(Use::source_destination), 1U);
  EXPECT_EQ(static_cast<u32>(Use::arbitration), 2U);
}

TEST(Random, EveryArgumentChangesTheDraw) {
  std::set<u64> seen;
  for (u64 seed = 0; seed < 8; ++seed) {
    for (u32 entity = 0; entity < 8; ++entity) {
      for (u64 counter = 0; counter < 8; ++counter) {
        for (u32 use = 0; use < 7; ++use) seen.insert(random_bits(seed, entity, counter, static_cast<Use>(use)));
      }
    }
  }
  EXPECT_EQ(seen.size(), 8U * 8 * 8 * 7);
}

/// Chi-square statistic of `draws` over `bins` equally likely bins, in standard deviations from its mean.
template <class Draw>
double chi_square_deviation(u32 bins, u32 draws, Draw&& draw) {
  std::vector<u32> count(bins);
  for (u32 i = 0; i < draws; ++i) ++count.at(draw(i));
  double chi = 0;
  const double expected = static_cast<double>(draws) / bins;
  for (const u32 c : count) chi += (c - expected) * (c - expected) / expected;
  return (chi - (bins - 1)) / std::sqrt(2.0 * (bins - 1));
}

TEST(Random, ScaledDrawsAreUniform) {
  for (const u32 bound : {2U, 3U, 7U, 64U, 1000U}) {
    EXPECT_LT(std::abs(chi_square_deviation(bound, 100'000,
                                            [&](u32 i) { return scale_to(random_bits(1, 0, i, Use::test), bound); })),
              4)
        << "over the counter, bound " << bound;
    EXPECT_LT(std::abs(chi_square_deviation(bound, 100'000,
                                            [&](u32 i) { return scale_to(random_bits(1, i, 0, Use::test), bound); })),
              4)
        << "over the entities, bound " << bound;
    EXPECT_LT(std::abs(chi_square_deviation(bound, 100'000, [&](u32 i) { return scale_to(remix(42, i), bound); })), 4)
        << "derived draws, bound " << bound;
  }
}

TEST(Random, ScalingStaysBelowItsBound) {
  for (const u32 bound : {1U, 2U, 3U, 1000U, ~u32{0}}) {
    EXPECT_EQ(scale_to(0, bound), 0U);
    EXPECT_EQ(scale_to(~u64{0}, bound), bound - 1);
  }
}

TEST(Random, UnitDrawsAreStrictlyBetweenZeroAndOne) {
  EXPECT_GT(to_unit(0), 0.0);
  EXPECT_LT(to_unit(~u64{0}), 1.0);
  double sum = 0, squares = 0;
  constexpr u32 draws = 100'000;
  for (u32 i = 0; i < draws; ++i) {
    const double u = to_unit(random_bits(3, 0, i, Use::test));
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / draws, 1.0 / 2, 0.005);
  EXPECT_NEAR(squares / draws, 1.0 / 3, 0.005);
}

/// Correlation of the bits of two streams: agreements of all 64 bits, in standard deviations from half.
template <class A, class B>
double agreement(A&& a, B&& b) {
  constexpr u32 draws = 20'000;
  double same = 0;
  for (u32 i = 0; i < draws; ++i) same += 64 - std::popcount(a(i) ^ b(i));
  return std::abs(same - 32.0 * draws) / std::sqrt(16.0 * draws);
}

TEST(Random, StreamsOfDifferentUsesEntitiesSeedsAndCountersAreUncorrelated) {
  const auto base = [](u32 i) { return random_bits(1, 5, i, Use::arbitration); };
  EXPECT_LT(agreement(base, [](u32 i) { return random_bits(1, 5, i, Use::routing); }), 4);
  EXPECT_LT(agreement(base, [](u32 i) { return random_bits(1, 6, i, Use::arbitration); }), 4);
  EXPECT_LT(agreement(base, [](u32 i) { return random_bits(2, 5, i, Use::arbitration); }), 4);
  EXPECT_LT(agreement(base, [](u32 i) { return random_bits(1, 5, i + 1, Use::arbitration); }), 4);
  EXPECT_LT(agreement([&](u32 i) { return remix(base(i), 0); }, [&](u32 i) { return remix(base(i), 1); }), 4);
}

}  // namespace
}  // namespace weft::engine
