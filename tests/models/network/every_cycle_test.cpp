// Routers that look at waiting packets only when something may have changed, against routers that look in every cycle,
// as a cycle-driven simulator does: the same history. This is what finds a packet that sleeps through its chance.
#include <gtest/gtest.h>

#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {
namespace {

void expect_nothing_slept_through(Case setup) {
  SCOPED_TRACE(describe(setup));
  const auto topology = make_topology(setup.topology);
  auto script = random_traffic(topology->nodes(), 40, 200, 5);
  for (Send& send : script) send.tick *= setup.router.cycle_ticks;  // so that all cycles begin together
  setup.until = 200'000;
  const Result events = run_script(setup, script);
  ASSERT_TRUE(events.drained);
  setup.router.every_cycle = true;
  const Result cycles = run_script(setup, script);
  EXPECT_TRUE(cycles.drained);
  EXPECT_EQ(cycles.digest.hex(), events.digest.hex());
  EXPECT_EQ(cycles.counters.words(), events.counters.words());
  EXPECT_LE(events.acts, cycles.acts);
}

TEST(EveryCycle, CubesInEveryRequestMode) {
  const TopologySpec open{"torus", {{"dims", std::vector<i64>{2, 5, 4}}, {"open_dims", std::vector<i64>{0, 2}}}};
  for (const auto& topology : {torus({12, 12}), torus({4, 5, 6}), mesh({8, 6}), torus({3, 3, 3, 3}), open}) {
    for (const std::string& mode : fast_modes(topology)) {
      for (const u32 channels : {2U, 3U, 4U}) {
        Case setup{topology, packets_of(16)};
        setup.router.virtual_channels = channels;
        setup.router.mode = mode;
        expect_nothing_slept_through(setup);
      }
    }
  }
}

TEST(EveryCycle, CubesWithEveryArbitration) {
  for (const auto arbitration : {Arbitration::round_robin, Arbitration::random, Arbitration::fifo, Arbitration::longest,
                                 Arbitration::age, Arbitration::highest}) {
    Case setup{torus({6, 6, 4}), packets_of(8)};
    setup.router.virtual_channels = 3;
    setup.router.arbitration = arbitration;
    setup.sized = true;
    expect_nothing_slept_through(setup);
  }
}

TEST(EveryCycle, LongLinksSlowSwitchesAndCyclesOfSeveralTicks) {
  for (const auto mode : {"shortest", "smart"}) {
    for (const auto& router : {packets_of(16, 5), packets_of(16, 1, 3), packets_of(8, 12, 0, 3), packets_of(1)}) {
      Case setup{torus({6, 6}), router};
      setup.router.virtual_channels = 3;
      setup.router.mode = mode;
      expect_nothing_slept_through(setup);
    }
  }
}

TEST(EveryCycle, CubesWithRestrictions) {
  Case setup{torus({6, 6}), packets_of(16)};
  setup.router.virtual_channels = 3;
  setup.router.queue_packets = 2;
  expect_nothing_slept_through(setup);
  setup.router.queue_packets = 4;
  setup.router.local_buffer_packets = 2;
  expect_nothing_slept_through(setup);
  setup.router.mode = "random";
  expect_nothing_slept_through(setup);
}

TEST(EveryCycle, TreesInEveryRequestMode) {
  for (const auto& topology : {tree(4, 3), thin_tree(4, 2, 3), thin_tree(8, 4, 2)}) {
    for (const auto mode : {"static", "adaptive"}) {
      for (const u32 channels : {1U, 2U, 3U}) {
        Case setup{topology, packets_of(16)};
        setup.router.virtual_channels = channels;
        setup.router.mode = mode;
        expect_nothing_slept_through(setup);
        setup.router.link_ticks = 7;
        expect_nothing_slept_through(setup);
      }
    }
  }
}

}  // namespace
}  // namespace weft::models::testing
