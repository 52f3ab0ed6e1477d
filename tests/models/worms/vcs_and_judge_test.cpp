// The model of wormhole switches with several virtual channels against its judge (tests/reference/vc_switch.hpp): every
// packet is delivered in the same tick.
#include "tests/models/cells/random_cases.hpp"
#include "tests/models/network/case_and_judge.hpp"
#include "tests/models/network/judged_routes.hpp"
#include "tests/models/network/judged_seeds.hpp"
#include "tests/reference/vc_switch.hpp"

namespace weft::models::testing {
namespace {

/// A case of switches of cells, with what these have besides.
struct VcCase : SwitchCase {
  Tick allocation_ticks = 1, credit_ticks = 0;
  bool release_on_credit = false;
  u32 input_speedup = 1;

  [[nodiscard]] std::string describe() const {
    return NetworkCase::describe() + fmt::format(", V {}, K {}, release at {}, input speed-up {}, speed-up {} (W {})",
                                                 allocation_ticks, credit_ticks, release_on_credit ? "credit" : "tail",
                                                 input_speedup, speedup, output_cells);
  }
};

/// Buffers are shorter than packets more often than not. Where routes have escape channels, one is taken again when it
/// is empty (docs/wormhole.md).
VcCase random_vc_case(u64 seed) {
  Lottery draw(seed);
  const SwitchPairing& pairing = draw.one_of(switch_pairings());
  VcCase made;
  static_cast<SwitchCase&>(made) = random_switch_case(draw, seed, pairing);
  if (made.channels == 1) made.channels = 2;
  made.transit_first = false;
  made.buffer_cells = draw.between(1, draw.chance(50) ? 4 : 2 * made.most_cells);
  made.allocation_ticks = draw.below(3);
  made.credit_ticks = draw.below(3);
  made.release_on_credit = made.modes.front() == "adaptive" || made.routing == "bubble" || draw.chance(40);
  made.input_speedup = draw.chance(60) ? 1 : draw.between(1, made.channels);
  if (draw.chance(30)) {
    add_speedup(made, draw);
    if (draw.chance(50)) made.output_cells = draw.between(1, 4);
  }
  return made;
}

Case setup_of_vcs(const VcCase& given) {
  Case setup = setup_of(given, "wormhole");
  Parameters& own = setup.router.own;
  own.set("vc_allocation_cycles", static_cast<i64>(given.allocation_ticks));
  own.set("credit_cycles", static_cast<i64>(given.credit_ticks));
  own.set("vc_release", std::string(given.release_on_credit ? "credit" : "tail"));
  own.set("input_speedup", i64{given.input_speedup});
  own.set("speedup", i64{given.speedup});
  own.set("output_buffer_cells", i64{given.output_cells});
  return setup;
}

reference::CellOutcome judge(const VcCase& given) {
  RoutesOfCase routes(given);
  reference::VcSwitches switches({.switches = cell_wiring(given, routes.topology()),
                                  .channels = given.channels,
                                  .buffer_cells = given.buffer_cells,
                                  .schedule = schedule_of(given),
                                  .iterations = given.iterations,
                                  .routing = given.routing_ticks,
                                  .allocation = given.allocation_ticks,
                                  .crossing = given.switch_ticks,
                                  .credit = given.credit_ticks,
                                  .release_on_credit = given.release_on_credit,
                                  .input_speedup = given.input_speedup,
                                  .speedup = given.speedup,
                                  .output_cells = given.output_cells},
                                 cell_packets(given), routes.rules());
  return switches.run(100'000);
}

class VcsAndJudge : public ::testing::TestWithParam<u64> {};

TEST_P(VcsAndJudge, DeliverEveryPacketInTheSameTick) {
  for (u64 seed = GetParam(); seed < GetParam() + 50; ++seed) {
    const VcCase given = for_scripted_host(random_vc_case(seed));
    SCOPED_TRACE(given.describe());
    ASSERT_NO_FATAL_FAILURE(expect_what_is_judged(setup_of_vcs(given), given, judge(given)));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, VcsAndJudge, ::testing::ValuesIn(judged_seeds()));

}  // namespace
}  // namespace weft::models::testing
