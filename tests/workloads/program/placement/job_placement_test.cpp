// Placements of several jobs: who gets which nodes, and what is no placement.
#include "workloads/program/placement/job_placement.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "workloads/program/placement/placement_file.hpp"

namespace weft::workloads {
namespace {

using Numbers = std::vector<u32>;

Numbers numbers_of(const Placement& placement) {
  Numbers result;
  for (const NodeId node : placement.node_of_task) result.push_back(node.value());
  return result;
}

PlacementSpec grid_of_4_by_4() { return {.nodes = 16, .grid = {4, 4}, .group_nodes = 4}; }

JobPlacement job(const std::string& name, u32 tasks, u32 each, const std::string& policy) {
  return {.job = {name, tasks, each}, .order = fill_order(policy, grid_of_4_by_4())};
}

JobPlacement filed(const std::vector<JobTasks>& jobs, u32 number, const std::string& text,
                   const std::string& file = "place.txt") {
  return {.job = jobs[number], .file = read_job_placement(text, file, jobs, number, 16)};
}

template <class F>
std::string what_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string what_of_placing(const std::vector<JobPlacement>& jobs) {
  return what_of([&] { (void)place_jobs(jobs, 16); });
}

TEST(PlaceJobs, FillTheFirstNodesOfTheirOrderThatAreLeft) {
  const std::vector<JobPlacement> jobs{job("a", 3, 1, "column"), job("b", 5, 2, "row"), job("c", 8, 4, "diagonal"),
                                       job("d", 0, 1, "random"), job("e", 8, 1, "consecutive")};
  const std::vector<Placement> placed = place_jobs(jobs, 16);
  ASSERT_EQ(placed.size(), 5U);
  EXPECT_EQ(numbers_of(placed[0]), (Numbers{0, 4, 8}));
  EXPECT_EQ(numbers_of(placed[1]), (Numbers{1, 1, 2, 2, 3}));
  EXPECT_EQ(numbers_of(placed[2]), (Numbers{5, 5, 5, 5, 6, 6, 6, 6}));  // 0, 1, 4, 2 are taken, 8 and 3 too
  EXPECT_TRUE(placed[3].node_of_task.empty());
  EXPECT_EQ(numbers_of(placed[4]), (Numbers{7, 9, 10, 11, 12, 13, 14, 15}));
}

TEST(PlaceJobs, WithoutRoomSayWhoNeedsHowMuchAndHowMuchIsLeft) {
  EXPECT_EQ(
      what_of_placing({job("wide", 13, 1, "row"), job("late", 9, 2, "random")}),
      "job \"late\" needs 5 nodes (9 tasks, 2 on a node), and 3 of 16 are left by the jobs before it; use "
      "tasks_per_node = 3, or fewer workload.tasks in the jobs, so that they share the nodes, or a topology of at "
      "least 18 nodes");
  EXPECT_EQ(what_of_placing({job("all", 16, 1, "row"), job("late", 1, 1, "row")}),
            "job \"late\" needs 1 nodes (1 tasks, 1 on a node), and 0 of 16 are left by the jobs before it; use fewer "
            "workload.tasks in the jobs, so that they share the nodes, or a topology of at least 17 nodes");
  EXPECT_EQ(what_of_placing({job("all", 16, 1, "row"), job("none", 0, 1, "row")}), "no error");
}

TEST(PlaceJobs, TakeFromAFileWhatItSaysOfThem) {
  const std::vector<JobTasks> jobs{{"front", 2, 1}, {"back-end", 3, 2}, {"rest", 4, 1}};
  // By number, by name (with a separator in it), and without, which is the first.
  const std::string text = "7 0 0\n5 1\n9 0 back-end\n9 1 1  # two of them\n3, 2, back-end\n";
  const std::vector<Placement> placed =
      place_jobs(std::vector{filed(jobs, 0, text), filed(jobs, 1, text), job("rest", 4, 1, "row")}, 16);
  EXPECT_EQ(numbers_of(placed[0]), (Numbers{7, 5}));
  EXPECT_EQ(numbers_of(placed[1]), (Numbers{9, 9, 3}));
  EXPECT_EQ(numbers_of(placed[2]), (Numbers{0, 1, 2, 4}));
}

TEST(PlaceJobs, ShareANodeOnlyIfOneFileSaysSo) {
  const std::vector<JobTasks> jobs{{"a", 1, 1}, {"b", 1, 2}, {"c", 1, 1}};
  const std::string shared = "6 0 a\n6 0 b\n";
  const std::vector<Placement> placed = place_jobs(std::vector{filed(jobs, 0, shared), filed(jobs, 1, shared)}, 16);
  EXPECT_EQ(numbers_of(placed[0]), Numbers{6});
  EXPECT_EQ(numbers_of(placed[1]), Numbers{6});
  EXPECT_EQ(
      what_of([&] { (void)filed(jobs, 0, "6 0 a\n6 0 b\n6 0 c\n"); }),
      "place.txt:3: line places one task too many on node 6 (line 2 placed the last of 2, workload.tasks_per_node); "
      "choose another node, or a larger workload.tasks_per_node");
  EXPECT_EQ(
      what_of_placing({filed(jobs, 0, "\n6 0 a\n"), filed(jobs, 1, "# b\n\n6 0 b\n", "other.txt")}),
      "other.txt:3: line places task 0 of job \"b\" on node 6 (job \"a\" before it has task 0 there, place.txt:2); "
      "choose another node");
  EXPECT_EQ(what_of_placing({job("first", 3, 1, "column"), filed(jobs, 1, "8 0 b\n")}),
            "place.txt:1: line places task 0 of job \"b\" on node 8 (job \"first\" before it has task 2 there, by its "
            "placement.policy); choose another node");
}

TEST(PlaceJobs, RefuseFilesThatNameNoJob) {
  const std::vector<JobTasks> jobs{{"front", 2, 1}, {"back-end", 3, 2}};
  const auto error_of = [&](const std::string& text, u32 number = 0) {
    return what_of([&] { (void)filed(jobs, number, text); });
  };
  EXPECT_EQ(error_of("1 0 frunt\n"),
            "place.txt:1: line names job \"frunt\" (there are 2, numbered from 0); use \"front\"");
  EXPECT_EQ(error_of("1 0 backend\n"),
            "place.txt:1: line names job \"backend\" (there are 2, numbered from 0); use \"back-end\"");
  EXPECT_EQ(error_of("1 0 back-ends\n"),
            "place.txt:1: line names job \"back-ends\" (there are 2, numbered from 0); use \"back-end\"");
  EXPECT_EQ(error_of("1 0 2\n"), "place.txt:1: line names job 2 (there are 2, numbered from 0); use \"back-end\"");
  EXPECT_EQ(error_of("1 0 1 0\n"),
            "place.txt:1: line has more than three fields (expected: node task job); remove the rest");
  EXPECT_EQ(error_of("1\n"), "place.txt:1: line has one field (expected: node task job); add the task");
  EXPECT_EQ(error_of("1 0 front\n2 2 front\n"),
            "place.txt:2: line names task 2 (job \"front\" has 2 tasks, numbered from 0); correct it");
  EXPECT_EQ(error_of("1 0 front\n2 2 1\n", 1),
            "place.txt:2: line is the end and task 0 has no node (2 of 3 tasks of job \"back-end\" are missing); add a "
            "line for each");
}

TEST(PlaceJobs, AskThePolicyOfEach) {
  const ScratchFolder folder;
  PlacementSpec spec = grid_of_4_by_4();
  const std::vector<JobTasks> jobs{{"a", 2, 1}, {"b", 1, 1}};
  const JobPlacement first = policy_of_job("column", spec, jobs, 0);
  spec.keys.set("path", folder.write("nodes.txt", "15 0 b\n"));
  const JobPlacement second = policy_of_job("file", spec, jobs, 1);
  const std::vector<Placement> placed = place_jobs(std::vector{first, second}, 16);
  EXPECT_EQ(numbers_of(placed[0]), (Numbers{0, 4}));
  EXPECT_EQ(numbers_of(placed[1]), Numbers{15});
  EXPECT_THROW((void)policy_of_job("colum", spec, jobs, 0), ConfigError);
}

}  // namespace
}  // namespace weft::workloads
