// Cycles and chains of waiting queues, made by hand.
#include "tools/run/waiting_cycle.hpp"

#include <gtest/gtest.h>

namespace weft::tools {
namespace {

/// Queue `at` (input 0 of that entity) waits for queue `next`.
models::Blocked waits(u32 at, u32 next) { return {.entity = at, .input = 0, .next_entity = next, .next_input = 0}; }

std::vector<u32> entities(const WaitingChain& chain) {
  std::vector<u32> list;
  for (const models::Blocked& b : chain.queues) list.push_back(b.entity);
  return list;
}

TEST(WaitingChain, FindsTheCycleWithoutTheTailThatLeadsToIt) {
  const WaitingChain found = waiting_chain({waits(1, 2), waits(2, 3), waits(3, 4), waits(4, 2)});
  EXPECT_TRUE(found.closed);
  EXPECT_EQ(entities(found), (std::vector<u32>{2, 3, 4}));
}

TEST(WaitingChain, FindsACycleThatEarlierWalksDoNotReach) {
  const WaitingChain found = waiting_chain({waits(1, 9), waits(5, 6), waits(6, 5)});
  EXPECT_TRUE(found.closed);
  EXPECT_EQ(entities(found), (std::vector<u32>{5, 6}));
}

TEST(WaitingChain, AQueueMayWaitForSeveralOthers) {
  // 2 may go on to 8, which is no queue that waits, or to 3, from where it is a cycle; so may 3 to 2 or 9.
  const WaitingChain found = waiting_chain({waits(1, 2), waits(2, 8), waits(2, 3), waits(3, 9), waits(3, 2)});
  EXPECT_TRUE(found.closed);
  EXPECT_EQ(entities(found), (std::vector<u32>{2, 3}));
  EXPECT_EQ(found.queues[0].next_entity, 3U);
  EXPECT_EQ(found.queues[1].next_entity, 2U);
}

TEST(WaitingChain, ACycleIsFoundThoughTheFirstWayOfEachQueueLeadsNowhere) {
  std::vector<models::Blocked> all;
  for (u32 at = 0; at < 1000; ++at) {
    all.push_back(waits(at, 5000));
    all.push_back(waits(at, (at + 1) % 1000));
  }
  const WaitingChain found = waiting_chain(all);
  EXPECT_TRUE(found.closed);
  EXPECT_EQ(found.queues.size(), 1000U);
}

TEST(WaitingChain, AQueueThatWaitsForItselfIsACycleOfOne) {
  const WaitingChain found = waiting_chain({waits(7, 7)});
  EXPECT_TRUE(found.closed);
  EXPECT_EQ(entities(found), (std::vector<u32>{7}));
}

TEST(WaitingChain, WithoutACycleTheLongestChainIsShown) {
  const WaitingChain found = waiting_chain({waits(1, 2), waits(5, 6), waits(6, 7), waits(7, 8)});
  EXPECT_FALSE(found.closed);
  EXPECT_EQ(entities(found), (std::vector<u32>{5, 6, 7}));
}

TEST(WaitingChain, InputsOfOneRouterAreDifferentQueues) {
  const models::Blocked first{.entity = 1, .input = 0, .next_entity = 1, .next_input = 1};
  const models::Blocked second{.entity = 1, .input = 1, .next_entity = 2, .next_input = 0};
  const WaitingChain found = waiting_chain({first, second});
  EXPECT_FALSE(found.closed);
  EXPECT_EQ(found.queues.size(), 2U);
}

TEST(WaitingChain, NothingWaitsNothingIsFound) {
  const WaitingChain found = waiting_chain({});
  EXPECT_FALSE(found.closed);
  EXPECT_TRUE(found.queues.empty());
}

}  // namespace
}  // namespace weft::tools
