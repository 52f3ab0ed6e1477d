// The tree of arbiters: who goes first, and what share each input gets.
#include "models/machine/spinnaker/merge_tree.hpp"

#include <array>
#include <gtest/gtest.h>

namespace weft::models::spinnaker {
namespace {

TEST(MergeTree, LetsALoneInputThroughAtOnce) {
  u8 turns = 0;
  for (u32 input = 0; input < 7; ++input) {
    for (u32 k = 0; k < 3; ++k) EXPECT_EQ(MergeTree::pick(1U << input, turns), input);
  }
}

TEST(MergeTree, AlternatesBetweenAnyTwo) {
  for (u32 a = 0; a < 7; ++a) {
    for (u32 b = a + 1; b < 7; ++b) {
      u8 turns = 0;
      for (u32 k = 0; k < 6; ++k) EXPECT_EQ(MergeTree::pick(1U << a | 1U << b, turns), k % 2 == 0 ? a : b);
    }
  }
}

TEST(MergeTree, GivesEachSideOfAnArbiterHalfSoTheCoresGetAQuarter) {
  u8 turns = 0;
  std::array<u32, 7> got{};
  for (u32 k = 0; k < 800; ++k) ++got[MergeTree::pick(0x7f, turns)];
  EXPECT_EQ(got, (std::array<u32, 7>{100, 100, 100, 100, 100, 100, 200}));
}

TEST(MergeTree, GivesTheTurnToTheOtherSideThoughItDidNotAsk) {
  u8 turns = 0;
  EXPECT_EQ(MergeTree::pick(0b0000001, turns), 0U);
  EXPECT_EQ(MergeTree::pick(0b0000011, turns), 1U);
  EXPECT_EQ(MergeTree::pick(0b1000001, turns), 6U) << "the lower half had the root last";
}

}  // namespace
}  // namespace weft::models::spinnaker
