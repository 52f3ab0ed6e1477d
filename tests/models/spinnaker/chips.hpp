// SpiNNaker networks with scripted traffic, for the tests of their model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/machine/spinnaker/settings.hpp"
#include "models/topology/faulty.hpp"
#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {

[[nodiscard]] inline TopologySpec triangular(i64 x, i64 y) { return {"spinnaker", {{"dims", std::vector<i64>{x, y}}}}; }

/// A case with the defaults of the router's own keys, but short waits.
[[nodiscard]] inline Case chips(i64 x, i64 y, u32 phits, const std::string& mode = "unicast", Tick link_ticks = 1,
                                Tick switch_ticks = 0) {
  Case setup{triangular(x, y), packets_of(phits, link_ticks, switch_ticks)};
  setup.router.kind = "spinnaker";
  setup.router.mode = mode;
  for (const Setting& row : spinnaker::setting_rows()) setup.router.own.set(row.name(), row.fallback);
  setup.router.own.set("wait_cycles", i64{2 * phits});
  setup.router.own.set("emergency_wait_cycles", i64{3 * phits});
  setup.until = 1'000'000;
  return setup;
}

[[nodiscard]] inline std::unique_ptr<Topology> network_of(const Case& setup, const FaultSpec& faults = {}) {
  return with_faults(make_topology(setup.topology), faults);
}

[[nodiscard]] inline Result run_chips(Case setup, const std::vector<Send>& script, const FaultSpec& faults = {}) {
  const auto topology = network_of(setup, faults);
  setup.router.faults = faults.any();
  Result result = ScriptedLoops::instance().find("spinnaker")->run(setup, *topology, script);
  EXPECT_TRUE(result.exhausted);
  EXPECT_EQ(result.counters.generated + result.counters.copies, result.counters.delivered + result.counters.dropped);
  EXPECT_EQ(result.deliveries.size(), result.counters.delivered);
  return result;
}

}  // namespace weft::models::testing
