// Ties of rings: which of two equally short paths the rules of router.ties choose.
#include "models/routing/ring_ties.hpp"

#include <gtest/gtest.h>

namespace weft::models {
namespace {

constexpr u64 some_bits = 0x1234'5678'9abc'de5a;

RingTies ties(const std::string& way) {
  Parameters own;
  own.set("ties", way);
  return {own, {8, 4, 2}};
}
/// Low bits of three dimensions: 1 = down.
u64 ways(const std::string& way, u32 from, u32 to) { return ties(way).of(some_bits, from, to) & 7; }

TEST(RingTies, ByLotAreTheBitsAsTheyCome) {
  EXPECT_EQ(ties("random").of(some_bits, 3, 9), some_bits);
  EXPECT_EQ(RingTies().of(some_bits, 3, 9), some_bits);
}

TEST(RingTies, UpAndDownAreTheSameInAllDimensions) {
  EXPECT_EQ(ways("up", 0, 63), 0U);
  EXPECT_EQ(ways("down", 0, 63), 7U);
}

TEST(RingTies, InsideGoDownWhereTheCoordinateOfTheDestinationIsLower) {
  const auto at = [](u32 x, u32 y, u32 z) { return x + 8 * y + 32 * z; };
  EXPECT_EQ(ways("inside", at(0, 0, 0), at(4, 2, 1)), 0U);
  EXPECT_EQ(ways("inside", at(4, 2, 1), at(0, 0, 0)), 7U);
  EXPECT_EQ(ways("inside", at(5, 1, 1), at(1, 3, 0)), 5U);
  EXPECT_EQ(ways("inside", at(1, 3, 0), at(5, 1, 1)), 2U);
}

TEST(RingTies, LeaveTheOtherBitsAsTheyAre) {
  for (const char* way : {"up", "down", "inside"}) EXPECT_EQ(ties(way).of(some_bits, 5, 2) >> 8, some_bits >> 8) << way;
}

}  // namespace
}  // namespace weft::models
