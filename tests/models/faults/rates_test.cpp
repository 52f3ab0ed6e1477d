// Rates of links by time, and what packets take longer on them.
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "models/faults/live_faults.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {
namespace {

std::unique_ptr<Topology> torus() { return make_topology({"torus", {{"dims", std::vector<i64>{4, 4}}}}); }

GivenFault rate(Tick at, u32 router, u32 port, double factor, bool one_way = false) {
  GivenFault event;
  event.at = at;
  event.change = FaultEvent::Change::rate;
  event.one_way = one_way;
  event.id = router;
  event.port = port;
  event.rate_factor = factor;
  return event;
}

TEST(Rates, HoldFromTheirTimeOn) {
  const auto topology = torus();
  const Peer far = topology->peer(RouterId(0), 0);
  const FaultSchedule schedule(
      *topology, {rate(500, 0, 0, 1), rate(100, 0, 0, 0.25), rate(300, far.id, far.port, 0.5, true)}, {}, 1);
  struct Seen {
    Tick at;
    double there, back;
  };
  for (const auto& [at, there, back] : {Seen{0, 1, 1},
                                        {99, 1, 1},
                                        {100, 0.25, 0.25},
                                        {299, 0.25, 0.25},
                                        {300, 0.25, 0.5},
                                        {499, 0.25, 0.5},
                                        {500, 1, 1},
                                        {never, 1, 1}}) {
    EXPECT_EQ(schedule.rate_factor(0, 0, at), there) << at;
    EXPECT_EQ(schedule.rate_factor(far.id, far.port, at), back) << at;
    EXPECT_EQ(schedule.rate_factor(0, 1, at), 1) << at;
  }
  EXPECT_EQ(schedule.least_rate_factor(), 0.25);
  EXPECT_EQ(schedule.parts(), 0U);  // nothing that works or does not
}

TEST(Rates, OfOneLinkDoNotChangeTwiceAtATime) {
  const auto topology = torus();
  const Peer far = topology->peer(RouterId(0), 0);
  EXPECT_THROW(FaultSchedule(*topology, {rate(5, 0, 0, 0.5), rate(5, far.id, far.port, 0.25)}, {}, 1), ConfigError);
  EXPECT_NO_THROW(FaultSchedule(*topology, {rate(5, 0, 0, 0.5, true), rate(5, far.id, far.port, 0.25, true)}, {}, 1));
}

TEST(Rates, AreToldWithTheOtherEventsAndNobodyHearsOfThem) {
  const auto topology = torus();
  GivenFault down;
  down.at = 50;
  GivenFault up = down;
  up.at = 70;
  up.change = FaultEvent::Change::up;
  LiveFaults faults(*topology, FaultSchedule(*topology, {up, rate(60, 0, 0, 0.5), rate(9, 0, 1, 0.5), down}, {}, 1),
                    {});
  EXPECT_EQ(faults.next_after(0), 50U);
  EXPECT_FALSE(faults.advance(49));
  EXPECT_TRUE(faults.advance(50));
  EXPECT_EQ(faults.next_after(50), 70U);
  EXPECT_FALSE(faults.advance(65));
  EXPECT_TRUE(faults.advance(80));
  EXPECT_EQ(faults.next_after(80), never);
  ASSERT_EQ(faults.events().size(), 4U);
  EXPECT_EQ(faults.events()[0].change, FaultEvent::Change::rate);
  EXPECT_EQ(faults.events()[2].rate_factor, 0.5);
  EXPECT_DOUBLE_EQ(faults.availability(100), 0.8);
}

TEST(Rates, StretchWhatTakesALinkAndRoundUp) {
  const auto topology = torus();
  for (Tick ticks = 1; ticks < 200; ++ticks) {
    for (u32 hundredth = 1; hundredth <= 100; ++hundredth) {
      const LiveFaults faults(*topology, FaultSchedule(*topology, {rate(7, 0, 0, hundredth / 100.0)}, {}, 1), {});
      const Tick whole = (100 * ticks + hundredth - 1) / hundredth;
      ASSERT_EQ(faults.slowdown(RouterId(0), 0, 7, ticks), whole - ticks) << ticks << " at " << hundredth;
      ASSERT_EQ(faults.slowdown(RouterId(0), 0, 6, ticks), 0U);
      ASSERT_EQ(faults.longest(ticks), whole);
    }
  }
}

}  // namespace
}  // namespace weft::models
