// Routes that go by output occupancy (UGAL, PAR), in the model of switches and by its judge, which counts what
// waits, is taken and is reported by neighbours from its own buffers, packet by packet: every packet is delivered in
// the same tick.
#include "tests/models/cells/case_as_judged.hpp"
#include "tests/models/cells/random_dragonflies.hpp"
#include "tests/models/network/judged_seeds.hpp"
#include "tests/models/network/one_history.hpp"

namespace weft::models::testing {
namespace {

const std::vector<std::string> deciding_modes = {"ugal-l", "ugal-g", "par"};
const std::string& deciding_mode(u64 seed) { return deciding_modes[seed % deciding_modes.size()]; }

/// How the packets of a case went, by the judge.
struct Went {
  reference::CellOutcome outcome;
  u32 between_groups = 0;  ///< packets whose destination is in another group than their source
  u32 round = 0;           ///< of these, through a third
  u32 misrouted = 0;       ///< that were misrouted behind their first link (par)
};
Went as_judged(const SwitchCase& given) {
  RoutesOfCase routes(given);
  reference::CellSwitches switches(cell_network(given, routes.topology()), cell_packets(given), routes.rules());
  Went went{switches.run(20'000, false)};
  const u32 of_group = routes.topology().group_nodes();
  for (u32 p = 0; p < given.packets.size(); ++p) {
    went.between_groups += given.packets[p].from / of_group != given.packets[p].to / of_group ? 1 : 0;
    went.round += routes.state(p).phase == 2 ? 1 : 0;
    went.misrouted += routes.state(p).spare;
  }
  return went;
}
SwitchCase in_mode(SwitchCase given, const std::string& mode) {
  given.modes = {mode};
  return given;
}

class FullnessAndJudge : public ::testing::TestWithParam<u64> {};

TEST_P(FullnessAndJudge, DeliverEveryPacketInTheSameTick) {
  for (u64 seed = GetParam(); seed < GetParam() + 30; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_switches_as_judged(random_dragonfly_case(seed, deciding_mode(seed))));
}
TEST_P(FullnessAndJudge, DoSoWhereAChoiceOfWaysIsLeft) {
  const std::vector<std::string> modes = {"ugal-l", "ugal-g", "fpar", "fpar"};
  for (u64 seed = GetParam(); seed < GetParam() + 16; ++seed)
    ASSERT_NO_FATAL_FAILURE(expect_switches_as_judged(random_dragonfly_plus_case(seed, modes[seed % modes.size()])));
}
TEST_P(FullnessAndJudge, DoSoWithWindowsAndMarks) {
  for (u64 seed = GetParam(); seed < GetParam() + 16; ++seed) {
    const SwitchCase given = random_dragonfly_case(seed, deciding_mode(seed));
    ASSERT_NO_FATAL_FAILURE(expect_switches_as_judged(controlled(given, seed)));
  }
}
INSTANTIATE_TEST_SUITE_P(Random, FullnessAndJudge, ::testing::ValuesIn(judged_seeds()));

TEST(RoutesByFullness, ArePartsAndProtocolsAndLookingInEveryTickAlike) {
  for (u64 seed = 1; seed <= 24; ++seed) {
    SwitchCase drawn = random_dragonfly_case(seed, deciding_mode(seed));
    drawn.by_flow = seed % 4 == 0;
    const SwitchCase given = for_scripted_host(drawn);
    SCOPED_TRACE(given.describe());
    expect_one_history(setup_of_switches(given), script_of(given));
  }
}

/// The random cases are worth something: packets go both ways, and what each mode sees makes a difference.
TEST(RoutesByFullness, GoRoundWhereTheShortestWayIsFull) {
  for (const std::string& mode : deciding_modes) {
    u32 between = 0, round = 0, misrouted = 0;
    for (u64 seed = 1; seed <= 25; ++seed) {
      const Went went = as_judged(in_mode(random_dragonfly_case(seed, mode), mode));
      between += went.between_groups;
      round += went.round;
      misrouted += went.misrouted;
    }
    EXPECT_GT(round, between / 10) << mode;
    EXPECT_LT(round, between / 2) << mode;
    EXPECT_EQ(misrouted > 0, mode == "par") << mode;
    if (mode == "par") {
      EXPECT_GT(misrouted, between / 50);
    }
  }
}

TEST(RoutesByFullness, AreOthersWithNewsOfNeighbours) {
  u32 other_modes = 0, other_steps = 0;
  for (u64 seed = 1; seed <= 25; ++seed) {
    SwitchCase given = in_mode(random_dragonfly_case(seed, "ugal-g"), "ugal-g");
    given.notice_cells = 1;
    const auto delivered = as_judged(given).outcome.delivered;
    other_modes += as_judged(in_mode(given, "ugal-l")).outcome.delivered != delivered ? 1 : 0;
    given.notice_cells = 2 * given.most_cells;
    other_steps += as_judged(given).outcome.delivered != delivered ? 1 : 0;
    given.notice_cells = 1'000'000;  // no update is ever sent
    EXPECT_EQ(as_judged(given).outcome.delivered, as_judged(in_mode(given, "ugal-l")).outcome.delivered);
  }
  EXPECT_GE(other_modes, 5U);
  EXPECT_GE(other_steps, 3U);
}

}  // namespace
}  // namespace weft::models::testing
