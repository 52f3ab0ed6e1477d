// Masks in words elsewhere, against std::set.
#include "engine/base/bits.hpp"

#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "engine/random.hpp"

namespace weft::engine {
namespace {

std::vector<u32> elements(const std::vector<u64>& mask) {
  std::vector<u32> found;
  for_bits(mask.data(), static_cast<u32>(mask.size()), [&](u32 bit) { found.push_back(bit); });
  return found;
}

TEST(Bits, AreThoseThatWereSetAndNotCleared) {
  for (const u32 words : {1U, 2U, 5U}) {
    std::vector<u64> mask(words);
    std::set<u32> expected;
    for (u32 step = 0; step < 400; ++step) {
      const u64 bits = random_bits(1, words, step, Use::test);
      const u32 bit = scale_to(bits, 64 * words);
      if ((bits & 1) != 0) {
        set_bit(mask.data(), bit);
        expected.insert(bit);
      } else {
        clear_bit(mask.data(), bit);
        expected.erase(bit);
      }
      EXPECT_EQ(test_bit(mask.data(), bit), expected.contains(bit));
      ASSERT_EQ(elements(mask), std::vector<u32>(expected.begin(), expected.end()));
      EXPECT_EQ(any_bit(mask.data(), words), !expected.empty());
    }
  }
}

TEST(Bits, InCommonAreThoseOfBothMasks) {
  const std::vector<u64> a{0b1101, u64{1} << 63, 7}, b{0b0111, u64{3} << 62, 0};
  std::vector<u32> found;
  for_common_bits(a.data(), b.data(), 3, [&](u32 bit) { found.push_back(bit); });
  EXPECT_EQ(found, (std::vector<u32>{0, 2, 127}));
}

TEST(Bits, MayBeClearedByWhoIsCalledForThem) {
  std::vector<u64> mask{0b1011, 0, 0b1};
  std::vector<u32> found;
  for_bits(mask.data(), 3, [&](u32 bit) {
    found.push_back(bit);
    clear_bit(mask.data(), bit);
  });
  EXPECT_EQ(found, (std::vector<u32>{0, 1, 3, 128}));
  EXPECT_FALSE(any_bit(mask.data(), 3));
}

}  // namespace
}  // namespace weft::engine
