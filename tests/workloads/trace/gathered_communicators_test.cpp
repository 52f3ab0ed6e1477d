// Members of communicators from the calls that make them: each expected list is what MPI says of such calls.
#include "workloads/trace/format/gathered_communicators.hpp"

#include <gtest/gtest.h>

namespace weft::workloads {
namespace {

using Call = CommunicatorCall;
using CallKind = Call::Kind;
using Gathered = GatheredCommunicators;

Call call(CallKind kind, u32 parent, u32 result, i32 colour = 0, i32 key = 0, u32 other = 0) {
  return {kind, parent, other, result, colour, key, 0, {}};
}

std::vector<u32> members(const Gathered& all, u32 task, std::size_t made) {
  return all.communicators.at(all.made.at(task).at(made)).members;
}

TEST(GatheredCommunicators, SplitsByColourInOrderOfKeysThenRanks) {
  CommunicatorGatherer gatherer(6);
  // Colours 0 1 0 1 none 0; keys 5 0 5 -1 0 1. Each task numbers the result as it likes.
  const i32 colours[] = {0, 1, 0, 1, -32766, 0}, keys[] = {5, 0, 5, -1, 0, 1};
  for (u32 task = 0; task < 6; ++task)
    gatherer.add(task, call(CallKind::split, 2, task == 4 ? 1 : 4 + task, colours[task], keys[task]));
  const Gathered all = gatherer.finish();
  EXPECT_EQ((std::vector<u32>{5, 0, 2}), members(all, 0, 0));
  EXPECT_EQ(all.made[0], all.made[5]);
  EXPECT_EQ((std::vector<u32>{3, 1}), members(all, 1, 0));
  EXPECT_EQ(Gathered::none, all.made[4][0]);
}

TEST(GatheredCommunicators, NumbersAreTakenAgainAndCallsOfPartsDoNotWaitForOthers) {
  CommunicatorGatherer gatherer(4);
  for (u32 task = 0; task < 4; ++task) {
    gatherer.add(task, call(CallKind::split, 2, 4, static_cast<i32>(task / 2)));
    // Only the first half goes on with its part, under the number that the part has there.
    if (task < 2) gatherer.add(task, call(CallKind::dup, 4, 4));
    gatherer.add(task, call(CallKind::dup, 2, 5));
    if (task < 2) gatherer.add(task, call(CallKind::split, 4, 6, 0, task == 0 ? 1 : 0));
  }
  const Gathered all = gatherer.finish();
  EXPECT_EQ((std::vector<u32>{0, 1}), members(all, 0, 1));
  EXPECT_NE(all.made[0][0], all.made[0][1]);
  EXPECT_EQ(all.made[0][2], all.made[3][1]);
  EXPECT_EQ((std::vector<u32>{0, 1, 2, 3}), members(all, 3, 1));
  EXPECT_EQ((std::vector<u32>{1, 0}), members(all, 0, 3));
}

TEST(GatheredCommunicators, MakesThemOfGroups) {
  CommunicatorGatherer gatherer(5);
  for (u32 task = 0; task < 5; ++task) {
    gatherer.add(task, call(CallKind::group_of, 2, 3));
    gatherer.add(task, call(CallKind::group_include, 3, 4), {4, 0, 2});
    gatherer.add(task, call(CallKind::group_include_ranges, 3, 5), {0, 3, 1});  // 0 1 2 3
    gatherer.add(task, call(CallKind::group_intersection, 4, 6, 0, 0, 5));      // 0 2
    gatherer.add(task, call(CallKind::group_difference, 5, 7, 0, 0, 4));        // 1 3
    gatherer.add(task, call(CallKind::group_union, 7, 8, 0, 0, 4));             // 1 3 4 0 2
    gatherer.add(task, call(CallKind::group_exclude, 8, 9), {0});               // 3 4 0 2
    gatherer.add(task, call(CallKind::create, 2, task == 0 || task == 2 ? 4 : 1, 0, 0, 6));
    gatherer.add(task, call(CallKind::create, 2, task == 1 ? 1 : 5, 0, 0, 9));
  }
  const Gathered all = gatherer.finish();
  EXPECT_EQ((std::vector<u32>{0, 2}), members(all, 0, 0));
  EXPECT_EQ(Gathered::none, all.made[1][0]);
  EXPECT_EQ((std::vector<u32>{3, 4, 0, 2}), members(all, 4, 1));
  EXPECT_EQ(Gathered::none, all.made[1][1]);
}

TEST(GatheredCommunicators, CutsGridsIntoRowsAndColumns) {
  CommunicatorGatherer gatherer(7);
  for (u32 task = 0; task < 7; ++task) {
    gatherer.add(task, call(CallKind::cartesian, 2, task < 6 ? 4 : 1), {2, 3});  // row-major; task 6 is left over
    if (task == 6) continue;
    gatherer.add(task, call(CallKind::cartesian_part, 4, 5), {0, 1});
    gatherer.add(task, call(CallKind::cartesian_part, 4, 6), {1, 0});
  }
  const Gathered all = gatherer.finish();
  EXPECT_EQ((std::vector<u32>{0, 1, 2, 3, 4, 5}), members(all, 5, 0));
  EXPECT_EQ(Gathered::none, all.made[6][0]);
  EXPECT_EQ((std::vector<u32>{3, 4, 5}), members(all, 4, 1));
  EXPECT_EQ((std::vector<u32>{1, 4}), members(all, 4, 2));
}

TEST(GatheredCommunicators, JoinsTwoSidesAndMergesThem) {
  CommunicatorGatherer gatherer(4);
  for (u32 task = 0; task < 4; ++task) {
    gatherer.add(task, call(CallKind::split, 2, 4, static_cast<i32>(task % 2)));  // 0 2 and 1 3
    Call inter = call(CallKind::inter, 4, 5, 0, task % 2 == 0 ? 1 : 0, 2);        // leaders 0 and 1, by MPI_COMM_WORLD
    inter.tag = 9;
    gatherer.add(task, inter);
    gatherer.add(task, call(CallKind::merge, 5, 6, task % 2 == 0 ? 1 : 0));
  }
  const Gathered all = gatherer.finish();
  const auto& inter = all.communicators.at(all.made[0].at(1));
  EXPECT_EQ(2u, inter.first_side);
  EXPECT_EQ(all.made[0][1], all.made[3][1]);
  EXPECT_EQ((std::vector<u32>{1, 3, 0, 2}), members(all, 2, 2));
}

TEST(GatheredCommunicators, OfCallsThatDoNotFitNothingIsKnown) {
  CommunicatorGatherer gatherer(3);
  gatherer.add(0, call(CallKind::dup, 2, 4));
  gatherer.add(0, call(CallKind::dup, 4, 5));
  gatherer.add(1, call(CallKind::split, 2, 4));
  gatherer.add(2, call(CallKind::dup, 2, 4));
  gatherer.add(2, call(CallKind::dup, 3, 5));  // MPI_COMM_SELF
  gatherer.add(2, call(CallKind::dup, 2, 6));  // nobody else calls that
  gatherer.add(2, call(CallKind::dup, 3, 7));
  const Gathered all = gatherer.finish();
  EXPECT_EQ((std::vector<u32>{Gathered::unknown, Gathered::unknown}), all.made[0]);
  EXPECT_EQ((std::vector<u32>{Gathered::unknown}), all.made[1]);
  EXPECT_EQ((std::vector<u32>{2}), members(all, 2, 1));
  EXPECT_EQ(Gathered::unknown, all.made[2].at(2));
  EXPECT_EQ(4u, all.made[2].size());
}

}  // namespace
}  // namespace weft::workloads
