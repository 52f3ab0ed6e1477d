// Ticks are kept as their low 32 bits in routers: a network that runs across a multiple of 2^32 must do there what it
// does at the start of a run.
#include <gtest/gtest.h>

#include "tests/models/network/every_router.hpp"

namespace weft::models::testing {
namespace {

constexpr Tick wrap = Tick{1} << 32;

/// Enough at once that queues are full and packets sleep for some 200 ticks: some while the ticks wrap, wherever the
/// run starts.
std::vector<Send> script_for(const Case& setup) {
  return random_traffic(make_topology(setup.topology)->nodes(), 12, 100, 5);
}

/// Deliveries are the same from tick 0 and before the wrap. For modes and arbiters that draw nothing at random: those
/// go by the tick.
void expect_the_same_deliveries(Case setup) {
  SCOPED_TRACE(describe(setup));
  const auto script = script_for(setup);
  const Result from_zero = run_script(setup, script);
  ASSERT_TRUE(from_zero.drained);
  ASSERT_GT(from_zero.deliveries.back().at, 150U);
  for (const Tick before : {1, 40, 41, 42, 43, 44, 45, 46, 47, 48, 120}) {
    setup.start = wrap - before;
    const Result across = run_script(setup, script);
    EXPECT_TRUE(across.drained) << before << " ticks before the wrap";
    EXPECT_TRUE(across.deliveries == from_zero.deliveries) << before << " ticks before the wrap";
    EXPECT_EQ(across.counters.latency, from_zero.counters.latency);
  }
}

constexpr Arbitration without_draws[] = {Arbitration::fifo, Arbitration::age, Arbitration::round_robin,
                                         Arbitration::longest};

TEST(TickWrap, CubesWithoutLotsDeliverAsFromTickZero) {
  for (const auto arbitration : without_draws) {
    for (const bool sized : {false, true}) {
      Case setup{torus({4, 4}), packets_of(8)};
      setup.router.virtual_channels = 3;
      setup.router.mode = "shortest";
      setup.router.arbitration = arbitration;
      setup.sized = sized;
      expect_the_same_deliveries(setup);
    }
  }
}

TEST(TickWrap, TreesWithoutLotsDeliverAsFromTickZero) {
  for (const auto arbitration : without_draws) {
    Case setup{thin_tree(4, 2, 2), packets_of(8)};
    setup.router.mode = "static";
    setup.router.arbitration = arbitration;
    expect_the_same_deliveries(setup);
  }
}

/// Where random numbers are drawn: nobody sleeps through the wrap, and what has a deadline keeps it.
void expect_nothing_slept_through(Case setup, Tick before) {
  SCOPED_TRACE(describe(setup));
  setup.start = wrap - before;
  setup.router.every_cycle = false;
  const auto script = script_for(setup);
  const Result events = run_script(setup, script);
  setup.router.every_cycle = true;
  const Result cycles = run_script(setup, script);
  EXPECT_TRUE(events.drained && cycles.drained) << before << " ticks before the wrap";
  EXPECT_EQ(cycles.digest.hex(), events.digest.hex()) << before << " ticks before the wrap";
}

TEST(TickWrap, CubesWithTrialsSleepThroughNothing) {
  for (const auto arbitration : {Arbitration::fifo, Arbitration::age}) {
    Case setup{torus({4, 4}), packets_of(8)};
    setup.router.virtual_channels = 3;
    setup.router.mode = "smart";
    setup.router.arbitration = arbitration;
    for (Tick before = 30; before < 60; ++before) expect_nothing_slept_through(setup, before);
  }
}

TEST(TickWrap, AdaptiveTreesSleepThroughNothing) {
  for (const u32 channels : {1U, 2U}) {
    for (const auto arbitration : {Arbitration::fifo, Arbitration::age}) {
      Case setup{thin_tree(4, 2, 2), packets_of(8)};
      setup.router.virtual_channels = channels;
      setup.router.mode = "adaptive";
      setup.router.arbitration = arbitration;
      for (Tick before = 30; before < 60; ++before) expect_nothing_slept_through(setup, before);
    }
  }
}

TEST(TickWrap, AWakeUpAtTheWrapItselfIsNotForgottenForALaterOne) {
  // Found by search: in `AdaptiveTreesSleepThroughNothing` no router has one for that tick and then another for later.
  Case setup{thin_tree(3, 2, 3), packets_of(16, 5)};
  setup.router.mode = "adaptive";
  setup.start = wrap - 222;
  const auto script = random_traffic(27, 8, 1, 5);
  const Result events = run_script(setup, script);
  setup.router.every_cycle = true;
  const Result cycles = run_script(setup, script);
  EXPECT_TRUE(events.drained && cycles.drained);
  EXPECT_EQ(cycles.digest.hex(), events.digest.hex());
}

class TickWrapOfEveryRouter : public ::testing::TestWithParam<Pairing> {};

TEST_P(TickWrapOfEveryRouter, SleepsThroughNothing) {
  for (const i64 channels : GetParam().channels) {
    const Case setup = setup_of(GetParam(), packets_of(8), channels);
    for (Tick before = 40; before < 56; ++before) expect_nothing_slept_through(setup, before);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TickWrapOfEveryRouter, ::testing::ValuesIn(all_pairings()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace weft::models::testing
