// Patterns that go by the shape of the network or of the application: groups, the worst case, stencils.
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

u64 draw_of(u64 draw) { return engine::random_bits(9, 5, draw, engine::Use::test); }

/// All nodes that `source` sends to.
std::set<u32> targets(const Pattern& pattern, u32 source) {
  std::set<u32> found;
  for (u64 draw = 0; draw < 400; ++draw) found.insert(pattern.destination(NodeId(source), {draw_of(draw)}).value());
  return found;
}

template <class F>
std::string refusal(F&& make) {
  try {
    make();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

PatternSpec in_groups(u32 nodes, u32 group, u32 shift) {
  PatternSpec spec{nodes, {}, 1, group};
  spec.keys.set("group_shift", i64{shift});
  return spec;
}

TEST(NextGroup, GoesOnByAsManyGroupsAsAskedAndRoundTheEnd) {
  EXPECT_EQ(targets(*make_pattern("next-group", in_groups(20, 4, 1)), 5), (std::set<u32>{8, 9, 10, 11}));
  EXPECT_EQ(targets(*make_pattern("next-group", in_groups(20, 4, 3)), 5), (std::set<u32>{16, 17, 18, 19}));
  EXPECT_EQ(targets(*make_pattern("next-group", in_groups(20, 4, 3)), 19), (std::set<u32>{8, 9, 10, 11}));
  EXPECT_EQ(targets(*make_pattern("next-group", in_groups(20, 4, 1'000'000'002)), 0), (std::set<u32>{8, 9, 10, 11}));
}

TEST(NextGroup, RefusesAShiftThatLeadsGroupsToThemselves) {
  for (const u32 shift : {5U, 10U}) {
    EXPECT_NE(refusal([&] {
                (void)make_pattern("next-group", in_groups(20, 4, shift));
              }).find("use a number between 1 and 4"),
              std::string::npos);
  }
}

TEST(WorstCase, SendsWhereTheNetworkSays) {
  PatternSpec spec{12, {}, 1, 4};
  spec.worst_case = [](u32 from) { return from == 3 ? std::pair{3U, 1U} : std::pair{from / 6 * 6, 6U}; };
  const auto pattern = make_pattern("worst-case", spec);
  EXPECT_EQ(targets(*pattern, 8), (std::set<u32>{6, 7, 8, 9, 10, 11}));
  EXPECT_TRUE(pattern->sends(NodeId(8)));
  EXPECT_FALSE(pattern->sends(NodeId(3)));
}

TEST(WorstCase, IsRefusedWhereItIsNotKnownOrMovesNothing) {
  PatternSpec spec{6, {}, 1};
  EXPECT_NE(refusal([&] { (void)make_pattern("worst-case", spec); }).find("is not known); use another one"),
            std::string::npos);
  spec.worst_case = [](u32) { return std::pair{0U, 0U}; };
  EXPECT_NE(refusal([&] { (void)make_pattern("worst-case", spec); }).find("is not known); use another one"),
            std::string::npos);
  spec.worst_case = [](u32 from) { return std::pair{from, 1U}; };
  EXPECT_NE(refusal([&] { (void)make_pattern("worst-case", spec); }).find("sends nothing"), std::string::npos);
}

PatternSpec on_grid(std::vector<i64> grid, u32 nodes) {
  PatternSpec spec{nodes, {}, 1};
  spec.keys.set("grid", std::move(grid));
  return spec;
}

TEST(Stencil, SendsToTheNeighboursInEachDimension) {
  EXPECT_EQ(targets(*make_pattern("stencil", on_grid({4, 3, 5}, 60)), 0), (std::set<u32>{1, 3, 4, 8, 12, 48}));
  EXPECT_EQ(targets(*make_pattern("stencil", on_grid({4, 3, 5}, 60)), 30), (std::set<u32>{29, 31, 34, 26, 42, 18}));
  EXPECT_EQ(targets(*make_pattern("stencil", on_grid({6}, 6)), 5), (std::set<u32>{0, 4}));
  EXPECT_EQ(targets(*make_pattern("stencil", on_grid({1, 6, 2}, 12)), 5), (std::set<u32>{0, 4, 11}));
}

TEST(Stencil, ChoosesEachNeighbourWithTheSameChance) {
  const auto pattern = make_pattern("stencil", on_grid({4, 4}, 16));
  std::map<u32, u32> counts;
  for (u64 draw = 0; draw < 40'000; ++draw) ++counts[pattern->destination(NodeId(5), {draw_of(draw)}).value()];
  ASSERT_EQ(counts.size(), 4U);
  for (const auto& [node, count] : counts) EXPECT_NEAR(count, 10'000, 350) << node;  // four standard deviations
}

TEST(Stencil, IsAsSquareAsPossibleUnlessSaid) {
  EXPECT_EQ(targets(*make_pattern("stencil", on_grid({}, 48)), 0), (std::set<u32>{1, 7, 8, 40}));  // 8 x 6
  EXPECT_EQ(targets(*make_pattern("stencil", on_grid({}, 7)), 0), (std::set<u32>{1, 6}));
  EXPECT_EQ(targets(*make_pattern("stencil", on_grid({}, 2)), 0), (std::set<u32>{1}));
}

TEST(Stencil, RefusesAGridThatIsNotTheNodesAndNamesOneThatIs) {
  for (const std::vector<i64>& grid : {std::vector<i64>{5, 10}, {6}, {65'536, 65'536, 65'536}}) {
    EXPECT_NE(refusal([&] { (void)make_pattern("stencil", on_grid(grid, 48)); }).find("use for example [8, 6]"),
              std::string::npos);
  }
}

TEST(PatternsOfJobs, NeedNoNetwork) {
  const auto error_with = [](const std::string& pattern) {
    return refusal([&] { (void)make_pattern(pattern, {6, {}, 1}); });
  };
  EXPECT_NE(error_with("transpose"), "none");
  EXPECT_NE(error_with("next-group").find("has no groups of nodes"), std::string::npos);
  EXPECT_NE(error_with("stencli").find("did you mean \"stencil\"?"), std::string::npos);
  EXPECT_EQ(error_with("stencil"), "none");
}

}  // namespace
}  // namespace weft::workloads
