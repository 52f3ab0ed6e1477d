// What every registered scheme of congestion control promises: all packets arrive, windows hold, and what is counted as
// in flight is what is in the network.
#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "models/nic/congestion.hpp"
#include "tests/models/cells/plain_switches.hpp"

namespace weft::models::testing {
namespace {

using endpoint::CongestionRegistry;

struct EveryScheme : ::testing::TestWithParam<std::string> {
  static constexpr u32 sources = 7, phits = 8;
  /// All nodes but one send to that one, and a few to each other.
  static std::vector<Send> incast(u32 packets) {
    std::vector<Send> script;
    for (u32 k = 0; k < packets; ++k) {
      for (u32 node = 1; node <= sources; ++node) {
        script.push_back({2 * k, node, 0, 1 + (k + node) % phits});
        if (k % 8 == 0) script.push_back({2 * k, node, 1 + node % sources, phits});
      }
    }
    return script;
  }
  static Keys keys(u32 window) {
    Keys made{{"congestion.kind", GetParam()}, {"buffer_cells", i64{40}}};
    if (window != 0) made.emplace_back("congestion.window_cells", i64{window});
    return made;
  }
  static u32 least_window() { return CongestionRegistry::instance().find(GetParam())->needs_window ? 4 * phits : 0; }
};

TEST_P(EveryScheme, DeliversAllAndKnowsWhatIsInFlight) {
  for (const u32 window : {least_window(), phits, 3 * phits}) {
    for (const TopologySpec& topology : {crossbar(sources + 1), mesh({sources + 1})}) {
      Case setup = plain_switches(topology, 2, phits, 1, 4, keys(window));
      setup.each_tick = [](Probe& probe) { probe.check_conservation(); };
      const std::vector<Send> script = incast(40);
      const Result result = run_script(setup, script);
      EXPECT_TRUE(result.drained);
      EXPECT_EQ(result.deliveries.size(), script.size());
    }
  }
}

TEST_P(EveryScheme, KeepsTheWindowThatIsGiven) {
  constexpr u32 window = 20;
  for (Tick until = 5; until < 300; until += 9) {
    std::vector<Send> script;
    for (u32 k = 0; k < 60; ++k) {
      for (u32 node = 1; node <= sources; ++node) script.push_back({k, node, 0, 1 + (k + node) % phits});
    }
    Case setup = plain_switches(crossbar(sources + 1), 1, phits, 1, 4, keys(window));
    setup.until = until;
    const Counters counters = run_script(setup, script).counters;
    EXPECT_LE(counters.injected_cells - counters.delivered_cells, u64{window} * sources);
  }
}

TEST_P(EveryScheme, LeavesALonePacketAlone) {
  Case setup = plain_switches(mesh({4}), 2, phits, 1, 9, keys(least_window()));
  EXPECT_EQ(ticks_of(run_script(setup, {{3, 0, 3, phits}})), (std::vector<Tick>{3 + 5 * 9 + phits - 1}));
}

/// Schemes that control flows.
std::vector<std::string> schemes() {
  std::vector<std::string> names = CongestionRegistry::instance().names();
  std::erase_if(names, [](const std::string& name) { return !CongestionRegistry::instance().find(name)->make; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryScheme, ::testing::ValuesIn(schemes()),
                         [](const auto& scheme) { return scheme.param; });

}  // namespace
}  // namespace weft::models::testing
