// Packets and credits are counted anew at every tick, for every registered router in every mode on every topology that
// it fits; and the count finds what is wrong.
#include <gtest/gtest.h>
#include <utility>

#include "engine/base/error.hpp"
#include "tests/models/network/every_router.hpp"

namespace weft::models::testing {
namespace {

constexpr Tick span = 200;

class EveryTick : public ::testing::TestWithParam<Pairing> {};

TEST_P(EveryTick, KeepsPacketsAndCredits) {
  const u32 nodes = make_topology(GetParam().topology)->nodes();
  for (const double load : {0.3, 1.0}) {
    for (const RouterSettings& timing : {packets_of(8), packets_of(4, 6, 3, 3)}) {
      Case setup = setup_of(GetParam(), timing, GetParam().channels.back());
      setup.router.queue_packets = 2;
      setup.until = span * timing.cycle_ticks;
      Tick ticks = 0;
      setup.each_tick = [&](Probe& probe) {
        ++ticks;
        probe.check_conservation();
      };
      SCOPED_TRACE(describe(setup));
      const Result result = run_script(setup, steady_traffic(nodes, load, timing, setup.until, 3));
      EXPECT_EQ(ticks, setup.until);
      EXPECT_GT(result.counters.injected, nodes);
    }
  }
}

/// Every other link loses most of its rate for a while, and then some of it.
std::vector<GivenFault> changes_of_rates(const Topology& topology) {
  std::vector<GivenFault> events;
  for (u32 router = 0; router < topology.routers(); ++router) {
    for (u32 port = router % 2; port < topology.ports(RouterId(router)); port += 2) {
      if (topology.peer(RouterId(router), port).kind != Peer::Kind::router) continue;
      for (const auto& [at, factor] : {std::pair<Tick, double>{200, 0.15}, {450, 1}, {600, 0.7}}) {
        GivenFault event;
        event.at = at + router % 7;
        event.change = FaultEvent::Change::rate;
        event.one_way = true;
        event.id = router;
        event.port = port;
        event.rate_factor = factor;
        events.push_back(event);
      }
    }
  }
  return events;
}

/// Links, routers and nodes fail and are repaired all the time; links change their rate, too.
TEST_P(EveryTick, KeepsPacketsAndCreditsWhilePartsFail) {
  const auto topology = make_topology(GetParam().topology);
  const bool worms = GetParam().router == "wormhole";  // which know of failures with one channel only
  if (worms && GetParam().channels.front() != 1) return;
  for (const CutOff cut_off : {CutOff::drop, CutOff::wait}) {
    const RouterSettings timing = packets_of(8, 3);
    Case setup = setup_of(GetParam(), timing, worms ? 1 : GetParam().channels.back());
    const RouterKind& kind = router_kind(setup.router.kind);
    // Machines in which nothing fails during the run, and those without links, in which nothing waits for a repair.
    if (!kind.live_faults && !(kind.routing && kind.machine.empty())) return;
    if (topology->one_way() || (topology->joins_all() && cut_off == CutOff::wait)) return;
    std::vector<FaultProcess> processes = {{.part = FaultEvent::Part::node, .up_ticks = 900, .repair_ticks = 70}};
    if (!topology->joins_all()) {
      processes.push_back({.part = FaultEvent::Part::link, .up_ticks = 800, .repair_ticks = 60});
      processes.push_back({.part = FaultEvent::Part::router, .up_ticks = 900, .repair_ticks = 90});
    }
    const bool rates = kind.live_rates || (kind.routing && kind.machine.empty());
    const std::vector<GivenFault> slow = rates ? changes_of_rates(*topology) : std::vector<GivenFault>();
    LiveFaults faults(*topology, FaultSchedule(*topology, slow, processes, 7),
                      {.detection_ticks = 5, .sweep_ticks = 20, .cut_off = cut_off});
    setup.router.queue_packets = 2;
    setup.router.faults = true;
    setup.router.live_faults = setup.faults = &faults;
    setup.until = 1000;
    setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
    SCOPED_TRACE(describe(setup));
    const Result result = run_script(setup, steady_traffic(topology->nodes(), 0.5, timing, setup.until, 3));
    if (topology->routers() > 1) {
      EXPECT_GT(result.counters.dropped_in_failures, 0U);
    }
  }
}

/// Who looks in every cycle does nothing else.
TEST_P(EveryTick, HasTheHistoryOfRoutersThatLookAllTheTimeWhereLinksAreSlow) {
  const auto topology = make_topology(GetParam().topology);
  const RouterSettings timing = packets_of(8, 3);
  const bool worms = GetParam().router == "wormhole";
  if (worms && GetParam().channels.front() != 1) return;
  Case setup = setup_of(GetParam(), timing, worms ? 1 : GetParam().channels.back());
  const RouterKind& kind = router_kind(setup.router.kind);
  if (topology->joins_all() || !(kind.live_rates || (kind.routing && kind.machine.empty()))) return;
  const LiveFaults faults(*topology, FaultSchedule(*topology, changes_of_rates(*topology), {}, 7), {});
  setup.router.faults = true;
  setup.router.live_faults = &faults;
  setup.until = 900;
  SCOPED_TRACE(describe(setup));
  const auto traffic = steady_traffic(topology->nodes(), 0.4, timing, 700, 3);
  const Result events = run_script(setup, traffic);
  setup.router.every_cycle = true;
  const Result cycles = run_script(setup, traffic);
  EXPECT_EQ(cycles.digest.hex(), events.digest.hex());
  EXPECT_GT(events.counters.delivered, 0U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryTick, ::testing::ValuesIn(accepted_pairings()),
                         [](const auto& test) { return test_name(test.param); });

/// Makes one mistake after the other in the middle of a busy run, and takes it back.
void expect_mistakes_found(Case setup) {
  SCOPED_TRACE(describe(setup));
  const auto topology = make_topology(setup.topology);
  bool done = false;
  setup.until = 70;
  setup.each_tick = [&](Probe& probe) {
    if (probe.tick() != 60) return;
    probe.check_conservation();
    for (u32 router = 0; router < topology->routers(); ++router) {
      for (u32 place = 0; place < probe.channels(router); ++place) {
        probe.miscount_output(router, place, 1);
        EXPECT_THROW(probe.check_conservation(), Bug) << "output " << place << " of router " << router;
        probe.miscount_output(router, place, -1);
      }
    }
    probe.check_conservation();
    done = true;
  };
  static_cast<void>(run_script(setup, steady_traffic(topology->nodes(), 1.0, setup.router, setup.until, 3)));
  EXPECT_TRUE(done);
}

TEST(Conservation, ACreditTooFewIsFoundWhereverItIsLost) {
  for (const auto& topology : {torus({4, 4}), mesh({4, 3}), tree(2, 3), thin_tree(4, 2, 2), crossbar(7)}) {
    for (const u32 channels : {2U, 3U}) {
      Case setup{topology, packets_of(8)};
      setup.router.virtual_channels = channels;
      expect_mistakes_found(setup);
    }
  }
  Case setup{torus({4, 4}), packets_of(8)};
  setup.router.virtual_channels = 3;
  setup.sized = true;
  expect_mistakes_found(setup);
  setup.sized = false;
  setup.router.kind = "dally";
  expect_mistakes_found(setup);
}

TEST(Conservation, AQueueThatLosesOrGainsAPacketIsFound) {
  for (const char* const router : {"bubble", "dally"}) {
    Case setup{torus({4, 4}), packets_of(8)};
    setup.router.kind = router;
    setup.router.virtual_channels = 3;
    setup.until = 70;
    u32 tried = 0;
    setup.each_tick = [&](Probe& probe) {
      if (probe.tick() != 60) return;
      for (u32 input = 0; input < probe.channels(5); ++input) {
        probe.miscount_input(5, input, 1);
        EXPECT_THROW(probe.check_conservation(), Bug) << input;
        probe.miscount_input(5, input, -1);
        ++tried;
      }
      probe.check_conservation();
    };
    static_cast<void>(run_script(setup, steady_traffic(16, 1.0, setup.router, setup.until, 3)));
    EXPECT_EQ(tried, 12U);
  }
}

}  // namespace
}  // namespace weft::models::testing
