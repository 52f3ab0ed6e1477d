// NICs that choose routes, on the event-driven model of wormhole switches, against a simulator that moves every cell,
// probe and answer in every tick: every packet of data is delivered in the same tick.
#include "tests/models/network/judged_seeds.hpp"
#include "tests/models/nic/judged_nics.hpp"

namespace weft::models::testing {
namespace {

class NicsAndJudge : public ::testing::TestWithParam<u64> {};

TEST_P(NicsAndJudge, DeliverEveryPacketInTheSameTick) {
  for (u64 seed = GetParam(); seed < GetParam() + 40; ++seed) {
    const NicCase given = for_scripted_host(random_nic_case(seed));
    SCOPED_TRACE(given.describe());
    ASSERT_NO_FATAL_FAILURE(expect_what_is_judged(setup_of_nics(given), given, judge_nics(given)));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, NicsAndJudge, ::testing::ValuesIn(judged_seeds()));

}  // namespace
}  // namespace weft::models::testing
