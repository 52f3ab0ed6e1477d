// Cases of wormhole switches as weft is told of them.
#pragma once

#include "tests/models/network/case_and_judge.hpp"
#include "tests/models/worms/random_worms.hpp"

namespace weft::models::testing {

inline Case setup_of_worms(const WormCase& given) {
  Case setup = setup_of(given, "wormhole");
  Parameters& own = setup.router.own;
  own.set("flow_control", std::string(given.stop_go ? "stop-go" : "credits"));
  if (!given.stop_go || given.usual_thresholds) return setup;
  own.set("stop_cells", i64{given.stop_cells});
  own.set("go_cells", i64{given.go_cells});
  return setup;
}

}  // namespace weft::models::testing
