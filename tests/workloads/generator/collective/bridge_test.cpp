// All-to-all in the order of bridges: who exchanges with whom in which step, counted.
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "tests/workloads/generator/collective/data_flow.hpp"

namespace weft::workloads::collective_test {
namespace {

CollectiveSpec bridge(u32 tasks, u32 each) {
  CollectiveSpec one = spec("all-to-all", "bridge", tasks);
  one.switch_tasks = each;
  return one;
}

/// Peers of a task in the order in which it sends to them; in which it receives from them.
std::pair<std::vector<u32>, std::vector<u32>> peers(const CollectiveSpec& collective, u32 task) {
  std::pair<std::vector<u32>, std::vector<u32>> found;
  for (const Op& op : ops(collective, task)) (op.kind == OpKind::send ? found.first : found.second).push_back(op.peer);
  return found;
}

TEST(AllToAllBridge, MeetsEveryOtherTaskOnceAndExchangesWithThoseOfOtherSwitches) {
  for (u32 tasks = 1; tasks <= 40; ++tasks) {
    for (const u32 each : {0U, 1U, 2U, 3U, 4U, 7U, 16U, 50U}) {
      for (u32 task = 0; task < tasks; ++task) {
        auto [to, from] = peers(bridge(tasks, each), task);
        EXPECT_EQ(std::set(to.begin(), to.end()).size(), tasks - 1) << tasks << " by " << each;
        EXPECT_EQ(std::set(from.begin(), from.end()).size(), tasks - 1);
        EXPECT_EQ(to.size() + from.size(), 2 * (tasks - 1));
        const auto is_near = [&](u32 other) { return other / std::max(1U, each) == task / std::max(1U, each); };
        std::erase_if(to, is_near);
        std::erase_if(from, is_near);
        EXPECT_EQ(to, from);
      }
    }
  }
}

TEST(AllToAllBridge, UsesEachLinkOfASwitchOnceInAStep) {
  // Steps are told apart by whom each task meets next: all switches are full, so nobody but at most one task of each
  // switch, which would meet itself, is idle in a step of the own switch.
  for (const auto& [switches, each] : {std::pair{2U, 4U}, {3U, 4U}, {4U, 4U}, {5U, 3U}, {6U, 5U}, {8U, 8U}, {9U, 1U}}) {
    const u32 tasks = switches * each;
    std::vector<std::vector<u32>> to;
    for (u32 task = 0; task < tasks; ++task) to.push_back(peers(bridge(tasks, each), task).first);
    std::vector<std::size_t> next(tasks, 0);
    // Phases of a switch: `each` steps with one other switch in a row, or each - 1 among its own tasks.
    for (u32 own = 0; own < switches; ++own) {
      std::map<u32, u32> met;  // other switch: how often
      std::vector<u32> order;
      for (u32 other : to[own * each]) {
        if (order.empty() || order.back() != other / each) order.push_back(other / each);
        ++met[other / each];
      }
      EXPECT_EQ(order.size(), met.size()) << "a switch is met again after another";
      for (const auto& [other, times] : met) EXPECT_EQ(times, other == own ? each - 1 : each);
    }
    // Across switches: in phase p each switch has one partner that has it too, and in each step of the phase no two
    // tasks of a switch meet the same task.
    std::map<std::pair<u32, u32>, std::vector<std::set<u32>>> bridges;  // (switch, other): step: tasks met
    for (u32 task = 0; task < tasks; ++task) {
      std::map<u32, u32> step;
      for (const u32 other : to[task]) {
        if (other / each == task / each) continue;
        auto& steps = bridges[{task / each, other / each}];
        steps.resize(each);
        EXPECT_TRUE(steps[step[other / each]++].insert(other).second) << "two messages for one task in a step";
      }
    }
    EXPECT_EQ(bridges.size(), u64{switches} * (switches - 1));
    for (const auto& [pair, steps] : bridges) {
      for (const std::set<u32>& met : steps) EXPECT_EQ(met.size(), each) << "one message for each link of the switch";
    }
  }
}

TEST(AllToAllBridge, PairsSwitchesAsATournamentDoes) {
  // In each phase a switch meets one other, which meets it in that phase.
  for (const u32 switches : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 12U}) {
    const CollectiveSpec ones = bridge(switches, 1);  // a task a switch: its messages in order are its phases
    std::vector<std::vector<u32>> to;
    for (u32 task = 0; task < switches; ++task) to.push_back(peers(ones, task).first);
    // Replayed with blocking exchanges: as many rounds as a tournament has, and nobody waits.
    const u32 rounds = switches % 2 == 0 ? switches - 1 : switches;
    std::vector<std::size_t> next(switches, 0);
    u32 used = 0;
    for (bool moved = true; moved; used += moved ? 1 : 0) {
      moved = false;
      std::set<u32> busy;
      for (u32 task = 0; task < switches; ++task) {
        if (next[task] == to[task].size() || busy.contains(task)) continue;
        const u32 other = to[task][next[task]];
        if (busy.contains(other) || to[other][next[other]] != task) continue;
        busy.insert({task, other});
        ++next[task];
        ++next[other];
        moved = true;
      }
    }
    EXPECT_EQ(used, rounds) << switches;
    for (u32 task = 0; task < switches; ++task) EXPECT_EQ(next[task], switches - 1);
  }
}

TEST(AllToAllBridge, KeepsItsKeyForItself) {
  CollectiveSpec other = spec("all-to-all", "pairwise", 8);
  other.switch_tasks = 2;
  EXPECT_NE(error_of(other).find("does not know switches"), std::string::npos) << error_of(other);
  EXPECT_NE(error_of(other).find("bridge"), std::string::npos) << error_of(other);
}

}  // namespace
}  // namespace weft::workloads::collective_test
