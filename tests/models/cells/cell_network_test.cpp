// The event-driven model of switches of cells against its judge, a simulator that moves every cell in every tick
// (tests/reference/cell_switch.hpp): every packet is delivered in the same tick.
#include "tests/models/cells/case_as_judged.hpp"
#include "tests/models/cells/choice_cases.hpp"
#include "tests/models/network/judged_seeds.hpp"
#include "tests/models/network/one_history.hpp"

namespace weft::models::testing {
namespace {

class SwitchAndJudge : public ::testing::TestWithParam<u64> {};

TEST_P(SwitchAndJudge, DeliverEveryPacketInTheSameTick) {
  for (u64 seed = GetParam(); seed < GetParam() + 50; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_switches_as_judged(random_switch_case(seed)));
}

TEST_P(SwitchAndJudge, DoSoWithClassesOfTrafficFastCrossbarsAndSharedBuffers) {
  for (u64 seed = GetParam(); seed < GetParam() + 50; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_switches_as_judged(random_richer_switch_case(seed)));
}

TEST_P(SwitchAndJudge, DoSoWithWindowsAndMarksAndSourcesThatSlowDown) {
  for (u64 seed = GetParam(); seed < GetParam() + 50; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_switches_as_judged(random_controlled_switch_case(seed)));
}

TEST_P(SwitchAndJudge, DoSoWherePacketsMayTakeSeveralWays) {
  for (u64 seed = GetParam(); seed < GetParam() + 60; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_switches_as_judged(random_choice_case(seed)));
}

TEST_P(SwitchAndJudge, DoSoWithWindowsAndMarksWherePacketsMayTakeSeveralWays) {
  for (u64 seed = GetParam(); seed < GetParam() + 20; ++seed) {
    SwitchCase given = controlled(random_choice_case(seed), seed);
    given.start = 0;  // marks are drawn by the tick
    ASSERT_NO_FATAL_FAILURE(expect_switches_as_judged(given));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, SwitchAndJudge, ::testing::ValuesIn(judged_seeds()));

TEST(CellNetwork, PartsAndProtocolsAndLookingInEveryTickChangeNothing) {
  for (u64 seed = 1; seed <= 80; ++seed) {
    const SwitchCase given = for_scripted_host(seed % 4 == 0   ? random_switch_case(seed)
                                               : seed % 4 == 1 ? random_richer_switch_case(seed)
                                               : seed % 4 == 2 ? random_controlled_switch_case(seed)
                                                               : random_choice_case(seed));
    SCOPED_TRACE(given.describe());
    expect_one_history(setup_of_switches(given), script_of(given));
  }
}

}  // namespace
}  // namespace weft::models::testing
