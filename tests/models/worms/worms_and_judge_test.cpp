// The event-driven model of wormhole switches against its judge, a simulator that moves every cell in every tick
// (tests/reference/worm_switch.hpp): every packet is delivered in the same tick.
#include "tests/models/network/judged_seeds.hpp"
#include "tests/models/worms/judge.hpp"
#include "tests/models/worms/worm_setup.hpp"

namespace weft::models::testing {
namespace {

class WormsAndJudge : public ::testing::TestWithParam<u64> {};

TEST_P(WormsAndJudge, DeliverEveryPacketInTheSameTick) {
  for (u64 seed = GetParam(); seed < GetParam() + 50; ++seed) {
    const WormCase given = for_scripted_host(random_worm_case(seed));
    SCOPED_TRACE(given.describe());
    ASSERT_NO_FATAL_FAILURE(expect_what_is_judged(setup_of_worms(given), given, judge(given)));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, WormsAndJudge, ::testing::ValuesIn(judged_seeds()));

}  // namespace
}  // namespace weft::models::testing
