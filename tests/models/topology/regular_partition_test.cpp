// Which partition a network has by its dimensions, and when it is even.
#include "models/topology/regular_partition.hpp"

#include <gtest/gtest.h>

#include "tests/models/topology/cubes.hpp"
#include "tests/models/topology/trees.hpp"

namespace weft::models::testing {
namespace {

TEST(RegularPartition, IsOfBoxesOrSubtrees) {
  EXPECT_STREQ(regular_partition(*make_cube("mesh", {4, 4}), 2).method, "boxes");
  EXPECT_STREQ(regular_partition(*make_tree(4, 4, 2), 2).method, "subtrees");
  EXPECT_FALSE(regular_partition(*make_tree(4, 4, 2), 3).part.empty());
  EXPECT_TRUE(regular_partition(*make_tree(4, 4, 2), 5).part.empty());  // 4 leaf switches
}

TEST(EvenPartition, IsThereWhereDimensionsComeOutEven) {
  const auto even = [](const auto& topology, u32 parts) { return !even_partition(*topology, parts).part.empty(); };
  EXPECT_TRUE(even(make_cube("torus", {6, 4}), 3));
  EXPECT_TRUE(even(make_cube("mesh", {5, 12}), 6));
  EXPECT_FALSE(even(make_cube("torus", {64, 32, 32}), 3));  // 21 and 22 planes
  EXPECT_FALSE(even(make_cube("torus", {5, 5}), 2));
  EXPECT_TRUE(even(make_cube("torus", {1001, 3}), 2));  // 501 and 500 planes: within 0.5 %
  EXPECT_TRUE(even(make_tree(8, 8, 3), 2));
  EXPECT_TRUE(even(make_tree(4, 4, 3), 8));
  EXPECT_FALSE(even(make_tree(4, 4, 3), 3));  // 16 leaf switches
  EXPECT_FALSE(even(make_tree(8, 8, 4), 3));  // 512 leaf switches: 171, 171, 170
}

}  // namespace
}  // namespace weft::models::testing
