// The watchdog on made-up histories: when it fires must not depend on when it is asked.
#include "tools/run/watchdog.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace weft::tools {
namespace {

/// A network as the watchdog sees it: deliveries and generations at given ticks; the packet generated first is
/// delivered first.
struct History {
  std::vector<Tick> generated_ticks, deliveries;

  [[nodiscard]] Watchdog::Seen seen(Tick now) const {
    Watchdog::Seen seen;
    seen.now = now;
    seen.idle = generated(now) == delivered(now);
    seen.last_delivery = delivered(now) == 0 ? 0 : deliveries[delivered(now) - 1];
    seen.upcoming = generated(now) < generated_ticks.size() ? generated_ticks[generated(now)] : never;
    return seen;
  }
  [[nodiscard]] Tick oldest_generated(Tick now) const { return generated_ticks[delivered(now)]; }

 private:
  [[nodiscard]] std::size_t generated(Tick now) const { return count(generated_ticks, now); }
  [[nodiscard]] std::size_t delivered(Tick now) const { return count(deliveries, now); }
  static std::size_t count(const std::vector<Tick>& ticks, Tick now) {
    std::size_t n = 0;
    while (n < ticks.size() && ticks[n] < now) ++n;
    return n;
  }
};

/// Runs in stretches of at most `stretch` ticks, as the run loop does; the tick at which the watchdog fires before
/// `end`.
std::optional<Tick> fires_at(const History& history, Tick patience, Tick stretch, Tick end) {
  Watchdog dog(patience);
  for (Tick now = 0; now < end;) {
    now = std::min({now + stretch, end, dog.due(history.seen(now))});
    if (!dog.expired(history.seen(now))) continue;
    dog.learn(now - (now - history.oldest_generated(now)));
    if (dog.expired(history.seen(now))) return now;
  }
  return std::nullopt;
}

TEST(Watchdog, FiresOnePatienceAfterTheLastDelivery) {
  const History history{{0, 1, 2}, {50}};
  EXPECT_EQ(fires_at(history, 100, 1, 10000), 151);
}

TEST(Watchdog, CountsFromTheGenerationOfAPacketThatEnteredAnEmptyNetwork) {
  const History history{{0, 5000}, {50}};
  EXPECT_EQ(fires_at(history, 100, 1, 10000), 5101);
}

TEST(Watchdog, FiresAtTheSameTickHoweverTheRunIsCut) {
  const std::vector<History> histories{{{0, 1, 2}, {50}},
                                       {{0, 5000}, {50}},
                                       {{10, 20, 30, 40, 3000, 3001}, {100, 190, 280, 360}},
                                       {{7}, {}},
                                       {{0, 90, 180, 270}, {99, 189, 279}}};
  for (const History& history : histories) {
    const auto expected = fires_at(history, 100, 1, 20000);
    ASSERT_TRUE(expected.has_value());
    for (const Tick stretch : {2, 3, 7, 64, 100, 101, 1000, 20000}) {
      EXPECT_EQ(fires_at(history, 100, stretch, 20000), expected) << "stretches of " << stretch;
    }
  }
}

TEST(Watchdog, LeavesASlowNetworkAlone) {
  History history;
  for (Tick packet = 0; packet < 50; ++packet) {
    history.generated_ticks.push_back(packet);
    history.deliveries.push_back(100 * (packet + 1));
  }
  EXPECT_EQ(fires_at(history, 100, 1000, 20000), std::nullopt);
}

TEST(Watchdog, NeverStopsAnIdleRunBeforeItsNextEvent) {
  const Watchdog dog(100);
  EXPECT_EQ(dog.due({.now = 10, .idle = true, .upcoming = 1'000'000, .last_delivery = 3}), 1'000'101);
  EXPECT_EQ(dog.due({.now = 10, .idle = true, .upcoming = never, .last_delivery = 3}), never);
}

}  // namespace
}  // namespace weft::tools
