// The event-driven model of InfiniBand switches against a simulator that moves every cell in every tick and arbitrates
// lanes step by step: every packet is delivered in the same tick.
#include "tests/models/cells/judged_infiniband.hpp"
#include "tests/models/network/judged_seeds.hpp"

namespace weft::models::testing {
namespace {

class InfinibandAndJudge : public ::testing::TestWithParam<u64> {};

TEST_P(InfinibandAndJudge, DeliverEveryPacketInTheSameTick) {
  for (u64 seed = GetParam(); seed < GetParam() + 40; ++seed) {
    const InfinibandCase given = for_scripted_host(random_infiniband_case(seed));
    SCOPED_TRACE(given.describe());
    ASSERT_NO_FATAL_FAILURE(expect_what_is_judged(setup_of_infiniband(given), given, judge_infiniband(given)));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, InfinibandAndJudge, ::testing::ValuesIn(judged_seeds()));

}  // namespace
}  // namespace weft::models::testing
