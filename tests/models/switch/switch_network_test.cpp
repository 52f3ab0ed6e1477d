// The event-driven model of switches of cells against its judge, a simulator that moves every cell in every tick
// (tests/reference/cell_switch.hpp): every packet is delivered in the same tick.
#include "tests/models/network/case_and_judge.hpp"
#include "tests/models/network/one_history.hpp"
#include "tests/models/switch/judge.hpp"

namespace weft::models::testing {
namespace {

Case setup_of_switches(const SwitchCase& given) {
  Case setup = setup_of(given, "switch");
  Parameters& own = setup.router.own;
  own.set("queues", std::string(given.fifo ? "fifo" : "voq"));
  own.set("switching", std::string(given.store_and_forward ? "store-and-forward" : "cut-through"));
  own.set("speedup", i64{given.speedup});
  own.set("output_buffer_cells", i64{given.output_cells});
  own.set("buffers", std::string(given.shared ? "shared" : "channel"));
  if (given.shared) own.set("reserved_cells", i64{given.reserved_cells});
  own.set("traffic_classes", i64{given.classes()});
  own.set("class_priority", std::string(given.strict ? "strict" : "none"));
  if (!given.shares.empty()) own.set("class_shares", std::vector<i64>(given.shares.begin(), given.shares.end()));
  if (given.classes() > 1) own.set("class_modes", fmt::format("{}", fmt::join(given.modes, ", ")));
  return setup;
}

void expect_switches_as_judged(const SwitchCase& drawn) {
  const SwitchCase given = for_scripted_host(drawn);
  SCOPED_TRACE(given.describe());
  expect_what_is_judged(setup_of_switches(given), given, judge(given));
}

class SwitchAndJudge : public ::testing::TestWithParam<u64> {};

TEST_P(SwitchAndJudge, DeliverEveryPacketInTheSameTick) {
  for (u64 seed = GetParam(); seed < GetParam() + 50; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_switches_as_judged(random_switch_case(seed)));
}

TEST_P(SwitchAndJudge, DoSoWithClassesOfTrafficFastCrossbarsAndSharedBuffers) {
  for (u64 seed = GetParam(); seed < GetParam() + 50; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_switches_as_judged(random_richer_switch_case(seed)));
}

INSTANTIATE_TEST_SUITE_P(Random, SwitchAndJudge, ::testing::Values(1, 1'001, 2'001, 3'001));

TEST(SwitchNetwork, PartsAndProtocolsAndLookingInEveryTickChangeNothing) {
  for (u64 seed = 1; seed <= 40; ++seed) {
    const SwitchCase given =
        for_scripted_host(seed % 2 == 0 ? random_switch_case(seed) : random_richer_switch_case(seed));
    SCOPED_TRACE(given.describe());
    expect_one_history(setup_of_switches(given), script_of(given));
  }
}

}  // namespace
}  // namespace weft::models::testing
