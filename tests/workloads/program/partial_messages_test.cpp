// The table of messages of which packets are missing, beside a map.
#include "workloads/program/host/partial_messages.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace weft::workloads {
namespace {

using Key = PartialMessages::Key;

using Entries = std::vector<std::pair<Key, u32>>;

Entries of_task(const PartialMessages& partial, u32 task) {
  Entries found;
  for (const PartialMessages::Entry& entry : partial.of_task(task)) found.emplace_back(entry.key, entry.missing);
  return found;
}

/// What a map says of a task, in the order of its keys.
Entries of_task(const std::map<Key, u32>& missing, u32 task) {
  Entries found;
  for (const auto& [key, left] : missing) {
    if (key.task == task) found.emplace_back(key, left);
  }
  return found;
}

TEST(PartialMessagesOfTasks, AreCompleteWithTheirLastPacketAndForgottenThen) {
  PartialMessages partial;
  const Key message{1, 2, 3}, combined{1, 2 | PartialMessages::from_switch, 3};
  const auto of_three = [] { return 3U; };
  EXPECT_FALSE(partial.completes(message, of_three));
  EXPECT_FALSE(partial.completes(combined, of_three));  // another one
  EXPECT_FALSE(partial.completes(message, of_three));
  EXPECT_TRUE(partial.completes(message, of_three));
  EXPECT_EQ(partial.of_task(1).size(), 1U);
  EXPECT_FALSE(partial.completes(message, of_three));  // the number may come again
}

TEST(PartialMessagesOfTasks, AreWhatAMapSaysHoweverManyThereAre) {
  std::mt19937 generator(7);
  const auto random = [&generator](u32 bound) { return static_cast<u32>(generator() % bound); };
  for (const u32 tasks : {1U, 3U, 40U}) {
    PartialMessages partial;
    std::map<Key, u32> missing;
    for (u32 packet = 0; packet < 20'000; ++packet) {
      const Key key{random(tasks), random(16), random(8)};
      const u32 packets = 2 + (key.source + key.number) % 5;
      const auto at = missing.try_emplace(key, packets).first;
      const bool last = --at->second == 0;
      ASSERT_EQ(partial.completes(key, [packets] { return packets; }), last) << packet;
      if (last) missing.erase(at);
    }
    for (u32 task = 0; task < tasks; ++task) EXPECT_EQ(of_task(partial, task), of_task(missing, task)) << task;
  }
}

TEST(PartialMessagesOfTasks, GoOnFromWhatACheckpointHas) {
  PartialMessages before, after;
  const auto of_four = [] { return 4U; };
  for (u32 source = 0; source < 100; ++source) EXPECT_FALSE(before.completes({source % 2, source, 0}, of_four));
  for (const u32 task : {1U, 0U}) {
    for (const PartialMessages::Entry& entry : before.of_task(task)) after.add(entry);
  }
  for (u32 round = 1; round < 4; ++round) {
    for (u32 source = 0; source < 100; ++source)
      EXPECT_EQ(after.completes({source % 2, source, 0}, of_four), round == 3);
  }
  EXPECT_TRUE(after.of_task(0).empty());
}

}  // namespace
}  // namespace weft::workloads
