// Which partition a network has by its dimensions, and when it is even.
#include "models/topology/regular_partition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tests/models/topology/cubes.hpp"
#include "tests/models/topology/trees.hpp"

namespace weft::models::testing {
namespace {

using ::testing::HasSubstr;

TEST(RegularPartition, IsOfBoxesOrSubtrees) {
  EXPECT_EQ(make_cube("mesh", {4, 4})->regular_partition(2).method, "boxes");
  EXPECT_EQ(make_tree(4, 4, 2)->regular_partition(2).method, "subtrees");
  EXPECT_TRUE(make_tree(4, 4, 2)->regular_partition(3).part_of);
  EXPECT_FALSE(make_tree(4, 4, 2)->regular_partition(5).part_of);  // 4 leaf switches
}

TEST(EvenPartition, IsThereWhereDimensionsComeOutEven) {
  const auto even = [](const auto& topology, u32 parts) {
    return static_cast<bool>(even_partition(*topology, parts).part_of);
  };
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

TEST(NamedPartition, SaysWhatFits) {
  const auto refusal = [](const auto& topology, u32 parts, const char* method) -> std::string {
    try {
      static_cast<void>(named_partition(*topology, parts, method));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(make_cube("torus", {4, 4}), 2, "boxes"), "");
  EXPECT_EQ(refusal(make_tree(4, 4, 2), 4, "subtrees"), "");
  EXPECT_THAT(refusal(make_tree(4, 4, 2), 2, "boxes"),
              HasSubstr("(its regular parts are subtrees); use \"subtrees\" or \"metis\""));
  EXPECT_THAT(refusal(make_cube("mesh", {4, 4}), 2, "subtrees"),
              HasSubstr("(its regular parts are boxes); use \"boxes\" or"));
  EXPECT_THAT(refusal(make_tree(4, 4, 2), 5, "subtrees"), HasSubstr("fewer leaf switches"));
  EXPECT_THAT(refusal(make_cube("torus", {4, 1}), 5, "boxes"), HasSubstr("cannot be cut"));
}

TEST(RegularPartition, OfTheOneSwitchOfACrossbarThereIsNone) {
  const auto crossbar = make_topology({"crossbar", {{"nodes", i64{4}}}});
  EXPECT_FALSE(crossbar->regular_partition(2).part_of);
  EXPECT_FALSE(even_partition(*crossbar, 2).part_of);
  EXPECT_THROW(static_cast<void>(named_partition(*crossbar, 2, "boxes")), ConfigError);
}

}  // namespace
}  // namespace weft::models::testing
