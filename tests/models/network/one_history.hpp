// One history however a run is computed.
#pragma once

#include <gtest/gtest.h>

#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {

/// Demands the history of one part from two and three, in turn by router, by both protocols.
inline void expect_one_history_of_parts(Case setup, const std::vector<Send>& script, const Result& alone) {
  const u32 routers = make_topology(setup.topology)->routers();
  for (const u32 parts : {2U, 3U}) {
    if (parts > routers) continue;
    setup.parts = parts;
    setup.part_of_router.resize(routers);
    for (u32 r = 0; r < routers; ++r) setup.part_of_router[r] = r % parts;
    for (const auto protocol : {engine::Protocol::windowed, engine::Protocol::null_message}) {
      setup.protocol = protocol;
      const Result shared_out = run_script(setup, script);
      EXPECT_EQ(shared_out.digest, alone.digest);
      EXPECT_EQ(shared_out.counters.words(), alone.counters.words());
    }
  }
}

/// Demands the history of one part from two and three parts, and from looking at everything in every cycle.
inline void expect_one_history(Case setup, const std::vector<Send>& script) {
  const Result alone = run_script(setup, script);
  setup.router.every_cycle = true;
  EXPECT_EQ(run_script(setup, script).digest, alone.digest);
  setup.router.every_cycle = false;
  expect_one_history_of_parts(setup, script, alone);
}

}  // namespace weft::models::testing
