// What every registered law of packet lengths promises, and what those that are here promise besides.
#include "workloads/traffic/length_law.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "engine/random.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft::workloads {
namespace {

/// Keys that each law runs with: its defaults, and these.
Parameters keys_of(const LengthLaw& law) {
  Parameters keys{{"packet_cells", std::vector<i64>{3, 9}},
                  {"lengths_phits", std::vector<i64>{1, 12, 16}},
                  {"length_weights", std::vector<i64>{5, 0, 3}}};
  for (const Setting& row : law.settings) {
    if (!keys.has(row.name())) keys.set(row.name(), row.fallback);
  }
  static const ScratchFolder folder;
  static const std::string lengths = folder.write("lengths", "# phits weight\n3 2.5\n8 0\n16 1\n");
  keys.set("lengths_path", lengths);
  return keys;
}

TEST(EveryLengthLaw, StaysInAPacketAndHasTheMeanThatItSays) {
  constexpr u32 longest = 16, draws = 100'000;
  for (const std::string& name : LengthRegistry::instance().names()) {
    SCOPED_TRACE(name);
    const LengthLaw& law = *LengthRegistry::instance().find(name);
    const Parameters keys = keys_of(law);
    if (law.check) {
      EXPECT_FALSE(law.check(keys, longest)) << law.check(keys, longest)->why;
    }
    const PacketLengths lengths = law.lengths(keys, longest), again = law.lengths(keys, longest);
    double sum = 0, squares = 0;
    for (u32 k = 0; k < draws; ++k) {
      const u64 bits = engine::remix(7, k);
      const u32 phits = lengths.draw(bits);
      ASSERT_EQ(again.draw(bits), phits);
      ASSERT_GE(phits, lengths.least());
      ASSERT_LE(phits, lengths.most());
      sum += phits;
      squares += static_cast<double>(phits) * phits;
    }
    EXPECT_GE(lengths.least(), 1U);
    EXPECT_LE(lengths.most(), longest);
    const double mean = sum / draws, error = std::sqrt(std::max(0.0, squares / draws - mean * mean) / draws);
    EXPECT_NEAR(mean, lengths.mean(), 5 * error + 1e-9);
  }
}

TEST(PacketLengths, AreDrawnByTheirWeights) {
  const PacketLengths lengths({{1, 5}, {12, 0}, {16, 3}});
  EXPECT_EQ(lengths.least(), 1U);
  EXPECT_EQ(lengths.most(), 16U);
  EXPECT_DOUBLE_EQ(lengths.mean(), (5 * 1 + 3 * 16) / 8.0);
  std::map<u32, u32> seen;
  for (u32 k = 0; k < 80'000; ++k) ++seen[lengths.draw(engine::remix(3, k))];
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_NEAR(seen[1], 50'000, 700);
}

TEST(PacketLengths, OfOneLengthHaveIt) {
  EXPECT_EQ(PacketLengths({{7, 1}}).draw(~u64{0}), 7U);
  EXPECT_EQ(PacketLengths(4, 4).draw(12345), 4U);
}

struct LengthKeys : ::testing::Test {
  static std::string complaint(const std::string& name, Parameters given) {
    const LengthLaw& law = *LengthRegistry::instance().find(name);
    for (const Setting& row : law.settings) {
      if (!given.has(row.name())) given.set(row.name(), row.fallback);
    }
    const auto found = law.check(given, 16);
    return found ? found->key + " " + found->why : "none";
  }
};

TEST_F(LengthKeys, MustFitInAPacketAndEachOther) {
  EXPECT_EQ(complaint("bimodal", {{"long_phits", i64{17}}}),
            "workload.long_phits is more than packet.phits = 16 (the longest packet)");
  EXPECT_EQ(complaint("bimodal", {{"short_phits", i64{9}}, {"long_phits", i64{8}}}),
            "workload.short_phits is more than the 8 phits of long packets");
  EXPECT_EQ(complaint("bimodal", {}), "none");
  EXPECT_EQ(complaint("listed", {}), "workload.lengths_phits is missing (packet_length = \"listed\" needs it)");
  EXPECT_EQ(complaint("listed", {{"lengths_phits", std::vector<i64>{4, 20}}}),
            "workload.lengths_phits has 20, more than packet.phits = 16 (the longest packet)");
  EXPECT_EQ(complaint("listed", {{"lengths_phits", std::vector<i64>{4, 2}}, {"length_weights", std::vector<i64>{4}}}),
            "workload.length_weights has 1 weights for 2 lengths");
  EXPECT_EQ(complaint("uniform", {}), "workload.packet_cells is missing (packet_length = \"uniform\" needs it)");
}

TEST(HistogramOfLengths, AreThoseOfTheFileInItsProportions) {
  const LengthLaw& law = *LengthRegistry::instance().find("histogram");
  const PacketLengths lengths = law.lengths(keys_of(law), 16);
  std::map<u32, double> counts;
  const u32 draws = 70'000;
  for (u32 k = 0; k < draws; ++k) ++counts[lengths.draw(engine::remix(5, k))];
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts[3], draws * 2.5 / 3.5, 600);
  EXPECT_NEAR(lengths.mean(), (3 * 2.5 + 16) / 3.5, 1e-4);
  EXPECT_TRUE(law.check(keys_of(law), 15));
}

}  // namespace
}  // namespace weft::workloads
