// The timing wheel against a sorted reference: nothing may be lost, doubled or handed out at the wrong tick.
#include "engine/wheel.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "engine/random.hpp"

namespace weft::engine {
namespace {

struct Item {
  u32 entity;
  u32 id;
};

std::vector<u32> take_ids(Wheel<Item>& wheel, Tick tick) {
  std::vector<u32> ids;
  const u64 taken = wheel.take(
      tick, [&](const Item& item) { ids.push_back(item.id); }, [](const Item&) {});
  EXPECT_EQ(taken, ids.size());
  std::ranges::sort(ids);
  return ids;
}

/// Random pushes and takes side by side with a multimap; `reach` = how far ahead of the clock events go.
void compare_with_reference(Tick horizon, Tick reach, u64 seed) {
  Wheel<Item> wheel(horizon);
  std::multimap<Tick, u32> reference;
  Tick now = 0;
  u32 id = 0;
  for (u32 step = 0; step < 4000; ++step) {
    const u64 bits = random_bits(seed, 0, step, Use::test);
    for (u32 k = 0; k < scale_to(bits, 4); ++k, ++id) {
      const u64 draw = remix(bits, k);
      // One in eight lands exactly at the edge of the wheel, on either side of it.
      const Tick ahead = draw % 8 == 0 ? horizon - 1 + draw / 8 % 3 : 1 + draw / 8 % reach;
      wheel.push(now + ahead, {0, id});
      reference.emplace(now + ahead, id);
    }
    ASSERT_EQ(wheel.pending(), reference.size());
    const Tick next = reference.empty() ? never : reference.begin()->first;
    ASSERT_EQ(wheel.next(), next) << "at tick " << now;
    if (next == never) continue;
    // Mostly the next busy tick, sometimes an empty one before it.
    now = bits >> 62 == 0 ? now + (next - now) / 2 : next;
    std::vector<u32> expected;
    const auto [first, last] = reference.equal_range(now);
    for (auto it = first; it != last; ++it) expected.push_back(it->second);
    std::ranges::sort(expected);
    reference.erase(first, last);
    ASSERT_EQ(take_ids(wheel, now), expected) << "at tick " << now;
  }
  while (!reference.empty()) {
    const Tick next = reference.begin()->first;
    ASSERT_EQ(wheel.next(), next);
    ASSERT_EQ(take_ids(wheel, next).size(), reference.count(next));
    reference.erase(next);
  }
  EXPECT_EQ(wheel.pending(), 0U);
  EXPECT_EQ(wheel.next(), never);
}

TEST(Wheel, AgreesWithASortedReferenceWithinTheHorizon) { compare_with_reference(256, 200, 1); }
TEST(Wheel, AgreesWithASortedReferenceForEventsFarBeyondTheHorizon) { compare_with_reference(64, 20'000, 2); }
TEST(Wheel, AgreesWithASortedReferenceAroundTheHorizon) { compare_with_reference(128, 300, 3); }
TEST(Wheel, AgreesWithASortedReferenceWhenEventsAreSparse) { compare_with_reference(64, 5'000'000, 4); }

TEST(Wheel, AnEmptyWheelHasNothingNextAndNothingToTake) {
  Wheel<Item> wheel(64);
  EXPECT_EQ(wheel.next(), never);
  EXPECT_EQ(wheel.pending(), 0U);
  EXPECT_TRUE(take_ids(wheel, 1000).empty());
}

TEST(Wheel, TheHorizonIsRoundedUpToAPowerOfTwoOfAtLeast64) {
  for (const Tick horizon : {1, 63, 64, 65, 100, 1000}) {
    Wheel<Item> wheel(horizon);
    for (Tick t = 0; t < 3000; ++t) wheel.push(t, {0, static_cast<u32>(t)});
    for (Tick t = 0; t < 3000; ++t) {
      ASSERT_EQ(wheel.next(), t);
      ASSERT_EQ(take_ids(wheel, t), std::vector<u32>{static_cast<u32>(t)});
    }
  }
}

TEST(Wheel, ManyEventsOfOneTickAllComeOut) {
  Wheel<Item> wheel(64);
  std::vector<u32> expected;
  for (u32 id = 0; id < 10'000; ++id) {
    wheel.push(id % 2 == 0 ? 5 : 5000, {0, id});
    if (id % 2 == 0) expected.push_back(id);
  }
  EXPECT_EQ(take_ids(wheel, 5), expected);
  for (u32& id : expected) ++id;
  EXPECT_EQ(wheel.next(), 5000U);
  EXPECT_EQ(take_ids(wheel, 5000), expected);
}

TEST(Wheel, EventsPushedWhileATickIsTakenComeOutLater) {
  Wheel<Item> wheel(64);
  wheel.push(0, {0, 0});
  u32 seen = 0;
  for (Tick t = wheel.next(); t != never; t = wheel.next()) {
    wheel.take(
        t,
        [&](const Item& item) {
          EXPECT_EQ(t, Tick{item.id} * 63);
          ++seen;
          if (item.id < 100) wheel.push(t + 63, {0, item.id + 1});
        },
        [](const Item&) {});
  }
  EXPECT_EQ(seen, 101U);
}

TEST(Wheel, EveryEventIsAnnouncedBeforeItIsTaken) {
  Wheel<Item> wheel(64);
  constexpr u32 count = 500;
  for (u32 id = 0; id < count; ++id) wheel.push(3, {0, id});
  std::vector<bool> announced(count);
  wheel.take(
      3, [&](const Item& item) { EXPECT_TRUE(announced[item.id]); },
      [&](const Item& item) { announced[item.id] = true; });
}

TEST(Wheel, MemoryFollowsThePendingEventsAndIsReused) {
  Wheel<Item> wheel(64);
  const auto burst = [&](Tick tick) {
    for (u32 id = 0; id < 5000; ++id) wheel.push(tick, {0, id});
    take_ids(wheel, tick);
  };
  burst(1);
  const std::size_t after_one = wheel.bytes();
  for (Tick tick = 2; tick < 50; ++tick) burst(tick);
  EXPECT_EQ(wheel.bytes(), after_one);
}

TEST(Wheel, TicksBeyond32BitsWork) {
  Wheel<Item> wheel(64);
  const Tick late = (Tick{1} << 40) + 7;
  wheel.push(late, {0, 1});
  wheel.push(late + 1, {0, 2});
  EXPECT_EQ(wheel.next(), late);
  EXPECT_EQ(take_ids(wheel, late), std::vector<u32>{1});
  EXPECT_EQ(take_ids(wheel, late + 1), std::vector<u32>{2});
}

}  // namespace
}  // namespace weft::engine
