// Mappings against all placements there are, against embeddings whose cost is known, and against consecutive placement.
#include "workloads/program/placement/mapping.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "tests/support/scratch_folder.hpp"
#include "workloads/generator/collective/collective.hpp"
#include "workloads/program/placement/job_placement.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

constexpr u64 plenty = 20'000'000;
using Distance = std::function<u32(u32 from, u32 to)>;

u32 drawn(u32 who, u32 bound) { return engine::scale_to(engine::random_bits(7, who, bound, engine::Use::test), bound); }

u32 steps_of_ring(u32 a, u32 b, u32 side) {
  const u32 apart = a > b ? a - b : b - a;
  return std::min(apart, side - apart);
}
Distance torus(u32 x, u32 y) {
  return [=](u32 a, u32 b) { return steps_of_ring(a % x, b % x, x) + steps_of_ring(a / x, b / x, y); };
}
Distance mesh(u32 x) {
  return [=](u32 a, u32 b) {
    const auto apart = [](u32 p, u32 q) { return p > q ? p - q : q - p; };
    return apart(a % x, b % x) + apart(a / x, b / x);
  };
}
/// All links lead from a node to the next.
Distance one_way_ring(u32 nodes) {
  return [=](u32 a, u32 b) { return (b + nodes - a) % nodes; };
}
/// Leaf switches of so many nodes under one switch.
Distance two_levels(u32 leaf) {
  return [=](u32 a, u32 b) { return a == b ? 0U : a / leaf == b / leaf ? 2U : 4U; };
}

double cost_of(const std::vector<PairBytes>& pairs, const std::vector<u32>& node_of, const Distance& distance) {
  double sum = 0;
  for (const PairBytes& pair : pairs) sum += pair.bytes * distance(node_of[pair.from], node_of[pair.to]);
  return sum;
}

Mapping mapped(u32 tasks, const std::vector<PairBytes>& pairs, u32 nodes, const Distance& distance, u32 places = 1,
               u64 effort = plenty) {
  return map_tasks(task_traffic(tasks, pairs), NodeDistances(all_nodes(nodes), {}, distance), places, effort);
}

/// Each way with its own bytes, many pairs without.
std::vector<PairBytes> drawn_pairs(u32 seed, u32 tasks) {
  std::vector<PairBytes> pairs;
  for (u32 from = 0; from < tasks; ++from) {
    for (u32 to = 0; to < tasks; ++to) {
      const u32 who = seed * 4096 + from * 64 + to;
      if (from != to && drawn(who, 3) == 0) pairs.push_back({from, to, 1.0 + drawn(who, 1000)});
    }
  }
  return pairs;
}

/// The least cost of all placements of tasks on as many nodes, each tried.
double least_of_all(const std::vector<PairBytes>& pairs, u32 nodes, const Distance& distance) {
  std::vector<u32> node_of(nodes);
  std::iota(node_of.begin(), node_of.end(), 0U);
  double least = std::numeric_limits<double>::infinity();
  do least = std::min(least, cost_of(pairs, node_of, distance));
  while (std::ranges::next_permutation(node_of).found);
  return least;
}

/// Neighbours on a grid of tasks, both ways, with numbers scattered at random.
std::vector<PairBytes> scattered(u32 tasks, const std::function<std::vector<u32>(u32)>& neighbours, double bytes) {
  const std::vector<u32> number = drawn_order(3, tasks);
  std::vector<PairBytes> pairs;
  for (u32 task = 0; task < tasks; ++task) {
    for (const u32 other : neighbours(task)) pairs.push_back({number[task], number[other], bytes});
  }
  return pairs;
}

TEST(Mapping, IsTheBestOfAllPlacementsOfFewTasks) {
  for (u32 seed = 0; seed < 6; ++seed) {
    for (const u32 tasks : {6U, 7U, 8U}) {
      const std::vector<PairBytes> pairs = drawn_pairs(seed, tasks);
      for (const auto& [name, distance] : {std::pair<const char*, Distance>{"ring", torus(tasks, 1)},
                                           {"mesh", mesh(tasks / 2)},
                                           {"tree", two_levels(2)},
                                           {"one way", one_way_ring(tasks)}}) {
        if (tasks == 8 && seed > 1) continue;  // 40,320 placements each
        const Mapping found = mapped(tasks, pairs, tasks, distance);
        EXPECT_EQ(found.cost.hop_bytes, least_of_all(pairs, tasks, distance)) << name << " " << seed << " " << tasks;
        EXPECT_EQ(found.cost.hop_bytes, cost_of(pairs, found.node_of_task, distance)) << name;
        EXPECT_LE(found.cost.least_hop_bytes, found.cost.hop_bytes) << name;
      }
    }
  }
}

TEST(Mapping, PutsFewTasksOnTheBestOfMoreNodes) {
  // 4 tasks on 7 nodes: all injections, as permutations of the nodes of which the first four count.
  for (u32 seed = 20; seed < 24; ++seed) {
    const std::vector<PairBytes> pairs = drawn_pairs(seed, 4);
    if (pairs.empty()) continue;
    const Mapping found = mapped(4, pairs, 7, mesh(3));
    EXPECT_EQ(found.cost.hop_bytes, least_of_all(pairs, 7, mesh(3))) << seed;
    std::vector<u32> nodes = found.node_of_task;
    std::ranges::sort(nodes);
    EXPECT_TRUE(std::ranges::adjacent_find(nodes) == nodes.end());
  }
}

TEST(Mapping, FindsEmbeddingsWithoutDetours) {
  const auto ring = [](u32 tasks) {
    return [tasks](u32 task) { return std::vector<u32>{(task + 1) % tasks, (task + tasks - 1) % tasks}; };
  };
  const auto grid = [](u32 x, u32 y) {
    return [=](u32 task) {
      std::vector<u32> others;
      if (task % x > 0) others.push_back(task - 1);
      if (task % x + 1 < x) others.push_back(task + 1);
      if (task >= x) others.push_back(task - x);
      if (task / x + 1 < y) others.push_back(task + x);
      return others;
    };
  };
  // A ring of 16 and a mesh of 4 x 4 on a torus of 4 x 4: every message goes one hop, which the bound says too.
  for (const auto& pairs : {scattered(16, ring(16), 100), scattered(16, grid(4, 4), 100)}) {
    const Mapping found = mapped(16, pairs, 16, torus(4, 4));
    const double bytes = 100.0 * static_cast<double>(pairs.size());
    EXPECT_EQ(found.cost.bytes, bytes);
    EXPECT_EQ(found.cost.hop_bytes, bytes);
    EXPECT_EQ(found.cost.least_hop_bytes, bytes);
    EXPECT_GT(found.cost.consecutive_hop_bytes, 1.5 * bytes);
  }
  // A ring of 64 on a mesh of 8 x 8, where the search may end before the best: within a fifth of it.
  const std::vector<PairBytes> pairs = scattered(64, ring(64), 1);
  EXPECT_LE(mapped(64, pairs, 64, mesh(8), 1, 5 * plenty).cost.hop_bytes, 1.2 * 128);
}

TEST(Mapping, IsNeverWorseThanConsecutive) {
  for (u32 seed = 0; seed < 30; ++seed) {
    const u32 tasks = 2 + drawn(seed, 30), places = 1 + drawn(seed + 100, 3);
    const u32 nodes = (tasks + places - 1) / places + drawn(seed + 200, 5);
    const std::vector<PairBytes> pairs = drawn_pairs(seed + 50, tasks);
    const Distance distance = seed % 2 == 0 ? mesh(3) : two_levels(3);
    for (const u64 effort : {u64{0}, u64{1000}, plenty}) {
      const Mapping found = mapped(tasks, pairs, nodes, distance, places, effort);
      EXPECT_LE(found.cost.hop_bytes, found.cost.consecutive_hop_bytes);
      EXPECT_LE(found.cost.least_hop_bytes, found.cost.hop_bytes);
      EXPECT_EQ(found.cost.hop_bytes, cost_of(pairs, found.node_of_task, distance));
      std::vector<u32> hosted(nodes, 0), consecutive(tasks);
      for (const u32 node : found.node_of_task) ++hosted.at(node);
      EXPECT_LE(std::ranges::max(hosted), places);
      for (u32 task = 0; task < tasks; ++task) consecutive[task] = task / places;
      EXPECT_EQ(found.cost.consecutive_hop_bytes, cost_of(pairs, consecutive, distance));
    }
  }
}

TEST(Mapping, PutsPairsOnOneNode) {
  std::vector<PairBytes> pairs;
  for (u32 task = 0; task < 8; ++task) pairs.push_back({task, (task + 4) % 8, 10});
  const Mapping found = mapped(8, pairs, 4, torus(4, 1), 2);
  EXPECT_EQ(found.cost.hop_bytes, 0);
  for (u32 task = 0; task < 4; ++task) EXPECT_EQ(found.node_of_task[task], found.node_of_task[task + 4]);
}

TEST(Mapping, CountsNodesOfARouterAlike) {
  // By routers of three nodes, and node by node: the same distances.
  const std::vector<NodeId> nodes = all_nodes(12);
  const NodeDistances by_router(
      nodes, [](u32 node) { return 100 + node / 3; }, two_levels(3));
  const NodeDistances by_node(nodes, {}, two_levels(3));
  for (u32 a = 0; a < 12; ++a) {
    for (u32 b = 0; b < 12; ++b) EXPECT_EQ(by_router(a, b), by_node(a, b));
  }
  EXPECT_EQ(by_router.nearest(7, 2), (std::vector<u32>{0, 2, 2, 2, 2, 4, 4}));
  EXPECT_EQ(by_router.nearest(3, 1), by_node.nearest(3, 1));
}

TEST(Mapping, TakesSharesAndSumsBeyondItsIntegers) {
  const std::vector<PairBytes> shares{{0, 3, 1e-6}, {1, 2, 0.25}, {0, 1, 0}, {2, 2, 5}};
  const Mapping small = mapped(4, shares, 4, mesh(4));
  EXPECT_NEAR(small.cost.bytes, 0.250001, 1e-9);
  EXPECT_NEAR(small.cost.hop_bytes, 0.250001, 1e-9);
  const std::vector<PairBytes> large{{0, 3, 1e18}, {1, 2, 1}};
  EXPECT_NEAR(mapped(4, large, 4, mesh(4)).cost.hop_bytes, 1e18, 1e8);
}

TEST(TaskTraffic, OfAProgramIsWhatItsTasksSend) {
  const CollectiveSpec ring{.operation = "allgather", .algorithm = "ring", .tasks = 5, .message_bytes = 10};
  const TaskTraffic traffic = traffic_of_program(*make_collective(ring));
  ASSERT_EQ(traffic.tasks, 5U);
  EXPECT_EQ(traffic.unit_bytes, 1);
  for (u32 task = 0; task < 5; ++task) {
    const auto partners = traffic.of(task);
    ASSERT_EQ(partners.size(), 2U);
    for (const TaskTraffic::Partner& p : partners) {
      EXPECT_EQ(p.sends, p.task == (task + 1) % 5 ? 40U : 0U);
      EXPECT_EQ(p.receives, p.task == (task + 4) % 5 ? 40U : 0U);
    }
  }
}

class MappedPolicy : public testing::Test {
 protected:
  PlacementSpec spec(const std::string& text) const {
    std::ofstream(path_) << text;
    PlacementSpec spec{.nodes = 16};
    spec.distance = torus(4, 4);
    spec.keys.set("matrix_path", path_);
    return spec;
  }
  ScratchFolder folder_;
  std::string path_ = folder_.file("matrix.csv");
};

TEST_F(MappedPolicy, LeavesNodesOfOtherJobsAlone) {
  // A ring of four tasks beside a job that has the corners of a square: none but free nodes, and one hop if possible.
  const PlacementSpec mapping = spec("from,to,messages,bytes\n0,2,1,9\n2,1,1,9\n1,3,1,9\n3,0,1,9\n");
  const std::vector<JobTasks> jobs{{"first", 4, 1}, {"ring", 4, 1}};
  const JobPlacement first{.job = jobs[0], .order = fill_order("shift", [&] {
                                             PlacementSpec shifted{.nodes = 16};
                                             shifted.keys.set("shift_nodes", i64{4});
                                             return shifted;
                                           }())};
  const JobPlacement second = policy_of_job("mapped", mapping, jobs, 1);
  const std::vector<Placement> placed = place_jobs(std::vector{first, second}, 16);
  for (const NodeId node : placed[1].node_of_task) EXPECT_TRUE(node.value() < 4 || node.value() > 7);
  const auto hops = [&](u32 a, u32 b) {
    return torus(4, 4)(placed[1].node_of_task[a].value(), placed[1].node_of_task[b].value());
  };
  EXPECT_EQ(hops(0, 2) + hops(2, 1) + hops(1, 3) + hops(3, 0), 4U);
}

TEST_F(MappedPolicy, SaysWhatItNeeds) {
  const auto refusal = [](const PlacementSpec& of, u32 tasks) -> std::string {
    try {
      (void)place_tasks("mapped", of, tasks);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(spec("0 1 2\n1 0 2\n"), 1).find("1 is too large (at most 0)"), std::string::npos);
  EXPECT_NE(refusal(spec("0 4 2\n"), 4).find("task 4 is too large (at most 3)"), std::string::npos);
  EXPECT_NE(refusal(spec("1 1\n1 1\n1 1\n"), 2).find("row 3 of a matrix of 2 tasks"), std::string::npos);
  EXPECT_NE(refusal(spec(""), 4).find("no task has a weight"), std::string::npos);
  EXPECT_NE(refusal(spec("0 1 -2\n"), 4).find("weight"), std::string::npos);
  PlacementSpec bare{.nodes = 16};
  EXPECT_NE(refusal(bare, 4).find("no distances between nodes); use \"consecutive\""), std::string::npos);
  bare.distance = torus(4, 4);
  EXPECT_NE(refusal(bare, 4).find("give placement.matrix_path"), std::string::npos);
}

}  // namespace
}  // namespace weft::workloads
