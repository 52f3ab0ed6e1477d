// The judge of switches, judged by situations computed by hand: fast crossbars, shared buffers, classes of traffic.
#include "tests/models/cells/judged_networks.hpp"

namespace weft::models::testing {
namespace {

/// One switch whose links take two ticks a cell and whose crossbar takes one.
CellNetwork fast_crossbar_of(u32 ports, u32 output_cells) {
  CellNetwork net = crossbar_of(ports, 32);
  for (CellPort& port : net.switches[0]) port.cell = 2;
  net.speedup = 2;
  net.output_cells = output_cells;
  return net;
}
/// Packets by the tick in which they were delivered.
std::vector<u32> by_delivery(const CellOutcome& outcome) {
  std::vector<u32> order;
  for (u32 p = 0; p < outcome.delivered.size(); ++p) order.push_back(p);
  std::ranges::stable_sort(order, {}, [&](u32 p) { return outcome.delivered[p]; });
  return order;
}

TEST(RicherSwitchJudge, AFastCrossbarWaitsSoThatCellsOfTheLinkInNeverRunOut) {
  for (const u32 length : {1U, 2U, 7U}) {
    for (const Tick s : {0, 3}) {
      CellNetwork net = Chain{{3, 4, 6, 2, 6}}.net();
      net.speedup = 3;
      net.output_cells = 8;
      net.routing = 1;
      net.crossing = s;
      const Tick waits = (length - 1) * (6 - 2);
      EXPECT_EQ(judged_run(net, {{5, 0, 2, length}}).delivered[0],
                5 + 2 + 3 * (1 + s + waits) + 2 * 4 + (length - 1) * 6 + 2);
    }
  }
}

TEST(RicherSwitchJudge, APacketCrossesWhileTheOneBeforeItIsStillOnTheLink) {
  const std::vector<CellPacket> packets = {{0, 0, 2, 4}, {0, 1, 2, 4}, {0, 1, 3, 4}};
  CellNetwork net = fast_crossbar_of(4, 8);
  net.fifo = true;
  const CellOutcome outcome = judged_run(net, packets);
  EXPECT_EQ(outcome.delivered[0], Tick{4 + 6 + 1});   // ready at 1 + 3 * (2 - 1)
  EXPECT_EQ(outcome.delivered[1], Tick{12 + 6 + 1});  // crosses from 8 on, the link is through with the first at 12
  EXPECT_EQ(outcome.delivered[2], Tick{12 + 6 + 1});  // came at 9
  net.output_cells = 4;                               // the second crosses only when all of the first is out
  const CellOutcome later = judged_run(net, packets);
  EXPECT_EQ(later.delivered[1], Tick{12 + 6 + 1});
  EXPECT_EQ(later.delivered[2], Tick{16 + 6 + 1});  // routed at 13
}

TEST(RicherSwitchJudge, AnOutputBufferIsMeasuredByTheTimeThatTheLinkNeeds) {
  CellNetwork net = fast_crossbar_of(4, 6);
  net.crossing = 5;
  // At 8 the link has 4 more ticks to go and the second would add 8: 12 are a buffer of 6 cells, and too much for 5.
  const std::vector<CellPacket> packets = {{0, 0, 2, 4}, {0, 1, 2, 4}, {9, 1, 3, 4}};
  std::vector<Tick> left(3);
  Tick now = 0;
  CellRules rules{.route = to_the_right,
                  .leaves = [&](Place, u32 packet, reference::Way) { left[packet] = now; },
                  .each_tick = [&](Tick tick) { now = tick + 1; }};
  judged_run(net, packets, rules);
  EXPECT_EQ(left[1], 8U);
  net.output_cells = 5;
  now = 0;
  judged_run(net, packets, rules);
  EXPECT_EQ(left[1], 10U);
}

TEST(RicherSwitchJudge, OutputBuffersOfCrossbarsAsSlowAsTheirLinksChangeNothing) {
  for (u64 seed = 101; seed <= 106; ++seed) {
    SwitchCase given = random_switch_case(seed);
    const CellOutcome without = judge(given, 2'000, false);
    given.output_cells = given.most_cells;
    EXPECT_EQ(judge(given, 2'000, false).delivered, without.delivered) << given.describe();
  }
}

TEST(RicherSwitchJudge, ChannelsOfASharedBufferHaveWhatIsTheirsAndTheRestTogether) {
  CellNetwork net;
  net.channels = 3;
  net.shared = true;
  net.buffer_cells = 10;
  net.reserved_cells = 2;
  reference::Allowance allowance(net);
  const auto spaces = [&] { return std::vector<i64>{allowance.space(0), allowance.space(1), allowance.space(2)}; };
  EXPECT_EQ(spaces(), (std::vector<i64>{6, 6, 6}));
  allowance.use(0, 5);
  EXPECT_EQ(spaces(), (std::vector<i64>{1, 3, 3}));
  allowance.use(1, 3);
  EXPECT_EQ(spaces(), (std::vector<i64>{0, 0, 2}));
  allowance.use(0, -2);
  EXPECT_EQ(spaces(), (std::vector<i64>{2, 2, 4}));
  allowance.use(1, -2);
  EXPECT_EQ(spaces(), (std::vector<i64>{3, 4, 5}));
}

TEST(RicherSwitchJudge, AChannelOfASharedBufferSendsAllButWhatIsReservedForOthersPerRoundTrip) {
  CellNetwork net = Chain{{2, 9, 1, 2, 1}}.net();
  net.routing = 3;
  net.crossing = 4;
  net.channels = 2;
  net.shared = true;
  net.buffer_cells = 8;
  net.reserved_cells = 3;
  const CellRules rules{.route = to_the_right, .source_channels = [](u32) { return std::pair{0U, 1U}; }};
  const CellOutcome outcome = judged_run(net, std::vector<CellPacket>(400, {0, 0, 1, 1}), rules);
  for (u32 p = 100; p + 5 < 400; ++p) EXPECT_EQ(outcome.delivered[p + 5] - outcome.delivered[p], Tick{9 + 9 + 3 + 4});
}

TEST(RicherSwitchJudge, ANodeSendsStrictClassesFirstAndOthersInTurn) {
  CellNetwork net = crossbar_of(2, 32);
  net.classes = 3;
  const std::vector<CellPacket> packets = {{0, 0, 1, 4, 0}, {1, 0, 1, 4, 0}, {1, 0, 1, 4, 2}, {1, 0, 1, 4, 1}};
  EXPECT_EQ(by_delivery(judged_run(net, packets)), (std::vector<u32>{0, 3, 2, 1}));
  net.strict = true;
  EXPECT_EQ(by_delivery(judged_run(net, packets)), (std::vector<u32>{0, 1, 3, 2}));
  net.buffer_cells = 4;  // the other classes have free space while class 0 has none
  for (CellPort& port : net.switches[0]) port.latency = 9;
  EXPECT_EQ(by_delivery(judged_run(net, packets)), (std::vector<u32>{0, 3, 2, 1}));
}

TEST(RicherSwitchJudge, AnOutputGoesToAStrictClassBeforeOlderPacketsOfOthers) {
  CellNetwork net = crossbar_of(4, 32);
  net.classes = 2;
  net.schedule = Schedule::age;
  // Output 3 is idle again at 10; that of class 1 has waited longer.
  const std::vector<CellPacket> packets = {{0, 2, 3, 9, 1}, {1, 0, 3, 2, 1}, {2, 1, 3, 2, 0}};
  EXPECT_EQ(by_delivery(judged_run(net, packets)), (std::vector<u32>{0, 1, 2}));
  net.strict = true;
  EXPECT_EQ(by_delivery(judged_run(net, packets)), (std::vector<u32>{0, 2, 1}));
}

TEST(RicherSwitchJudge, AStrictClassTakesTheInputAndLeavesTheOtherOutputsToWhoIsLeft) {
  CellNetwork net = crossbar_of(6, 32);
  net.classes = 2;
  net.strict = true;
  // Outputs 2 and 3 are idle again at 10. Input 0 has class 1 for 2 and class 0 for 3, input 1 class 1 for both.
  const std::vector<CellPacket> packets = {{0, 4, 2, 9, 1}, {0, 5, 3, 9, 1}, {1, 0, 2, 1, 1},
                                           {2, 0, 3, 1, 0}, {3, 1, 3, 1, 1}, {4, 1, 2, 1, 1}};
  const CellOutcome outcome = judged_run(net, packets);
  EXPECT_EQ(outcome.delivered[3], Tick{10 + 1});
  EXPECT_EQ(outcome.delivered[5], Tick{10 + 1});  // though input 0 is before input 1
  EXPECT_EQ(outcome.delivered[4], Tick{11 + 1});
  EXPECT_EQ(outcome.delivered[2], Tick{11 + 1});
}

TEST(RicherSwitchJudge, ChannelsOfClassesHavePointersOfTheirOwn) {
  for (const bool strict : {false, true}) {
    CellNetwork net = crossbar_of(4, 32);
    net.classes = 2;
    net.strict = strict;
    // The first moves the pointer of output 3 to input 1, but not that of the channel of the others, which are there
    // when it is through.
    const std::vector<CellPacket> packets = {{0, 0, 3, 5, 0}, {1, 0, 3, 1, 1}, {2, 1, 3, 1, 1}, {3, 2, 3, 1, 1}};
    EXPECT_EQ(by_delivery(judged_run(net, packets)), (std::vector<u32>{0, 1, 2, 3}));
  }
}

TEST(RicherSwitchJudge, ClassesHaveChannelsOfTheirOwnAndRoutesSeeThemFromZeroOn) {
  CellNetwork net = Chain{{2, 30, 1, 1, 1}}.net();
  net.channels = 2;
  net.classes = 2;
  net.buffer_cells = 3;
  std::vector<std::pair<u32, u32>> seen;
  CellRules rules{[](Place, u32) { return Ways{{{1, 0}, {1, 1}}}; }};
  rules.leaves = [&](Place place, u32, reference::Way way) { seen.emplace_back(place.channel, way.channel); };
  // Three cells fill a channel: four packets find free space, two of each class.
  const CellOutcome outcome =
      judged_run(net, {{0, 0, 1, 3, 0}, {0, 0, 1, 3, 1}, {0, 0, 1, 3, 0}, {0, 0, 1, 3, 1}}, rules);
  for (const auto& [in, out] : seen) EXPECT_TRUE(in < 2 && out < 2);
  const Tick first = 1 + 30 + 2 + 1;
  // Node links are short of free space: each class sends one packet by each of its channels, and none waits for
  // another.
  EXPECT_EQ(outcome.delivered, (std::vector<Tick>{first, first + 3, first + 6, first + 9}));
}

TEST(RicherSwitchJudge, RandomCasesLoseNoCellAndNoCreditAndFillNoBufferTooFull) {
  for (u64 seed = 1; seed <= 16; ++seed) {
    const SwitchCase given = random_richer_switch_case(seed);
    const CellOutcome outcome = judge(given, 1'000);
    EXPECT_TRUE(outcome.complaints.empty()) << given.describe() << ": " << outcome.complaints.front();
  }
}

}  // namespace
}  // namespace weft::models::testing
