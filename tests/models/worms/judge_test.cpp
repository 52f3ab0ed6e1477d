// The judge of wormhole switches is judged itself: by closed forms of docs/wormhole.md and situations computed by hand.
#include "tests/models/worms/judge.hpp"

#include <gtest/gtest.h>

#include "tests/models/network/judged_wiring.hpp"

namespace weft::models::testing {
namespace {

using reference::WormNetwork;
using reference::WormSwitches;

CellOutcome judged_worms(const WormNetwork& net, const std::vector<CellPacket>& packets,
                         const CellRules& rules = {to_the_right}) {
  const CellOutcome outcome = WormSwitches(net, packets, rules).run(100'000);
  EXPECT_TRUE(outcome.complaints.empty()) << outcome.complaints.front();
  return outcome;
}
/// With free space for whatever comes, by either flow control.
std::vector<WormNetwork> roomy(const CellWiring& wiring) {
  return {{.switches = wiring, .buffer_cells = 200},
          {.switches = wiring, .buffer_cells = 300, .stop_go = true, .stop_cells = 200, .go_cells = 100}};
}

TEST(WormJudge, AnEmptyNetworkDeliversAfterTheTimeOfTheFormula) {
  for (const u32 hops : {1U, 3U}) {
    for (const u32 length : {1U, 2U, 7U}) {
      for (const Tick r : {0, 3}) {
        for (const Tick s : {0, 2}) {
          for (const Tick c : {1, 3}) {
            for (WormNetwork net : roomy(ChainWiring{hops + 1, 4, c, 2, c}.wiring())) {
              net.routing = r;
              net.crossing = s;
              EXPECT_EQ(judged_worms(net, {{5, 0, hops, length}}).delivered[0],
                        5 + 2 + (hops + 1) * (r + s) + hops * 4 + (length - 1) * c + 2);
            }
          }
        }
      }
    }
  }
}

TEST(WormJudge, ASaturatedLinkCarriesACellInEveryCellTimeAndHidesTheRouting) {
  for (const u32 length : {1U, 5U}) {
    for (WormNetwork net : roomy(ChainWiring{2, 3, 2, 1, 2}.wiring())) {
      net.routing = 5;
      net.crossing = 1;
      const CellOutcome outcome = judged_worms(net, std::vector<CellPacket>(30, {0, 0, 1, length}));
      for (u32 p = 1; p < 30; ++p) EXPECT_EQ(outcome.delivered[p] - outcome.delivered[p - 1], Tick{2 * length});
    }
  }
}

TEST(WormJudge, AShortBufferLetsThroughItsCellsPerRoundTrip) {
  WormNetwork net{.switches = crossbar_wiring(2, 6), .buffer_cells = 1, .routing = 3};
  // Cells leave the node at 0, 15 (6 + 3 + 6: the first is routed), 27, 39 and 51.
  EXPECT_EQ(judged_worms(net, {{0, 0, 1, 5}}).delivered[0], Tick{51 + 6 + 6});
  net.buffer_cells = 2;  // 0, 1, 15, 16, 27
  EXPECT_EQ(judged_worms(net, {{0, 0, 1, 5}}).delivered[0], Tick{27 + 6 + 6});
}

TEST(WormJudge, ABlockedPacketStretchesOverSwitchesAndHoldsUpWhatComesBehindIt) {
  // The node of switch 2 is busy until 21. The second packet has two cells in each switch, and four in the node.
  const std::vector<CellPacket> packets = {{0, 2, 2, 20}, {0, 0, 2, 10}, {5, 0, 1, 1}, {6, 1, 1, 1}};
  WormNetwork net{.switches = ChainWiring{3}.wiring(), .buffer_cells = 2};
  EXPECT_EQ(judged_worms(net, packets).delivered, (std::vector<Tick>{21, 31, 31, 8}));
  net.buffer_cells = 16;
  EXPECT_EQ(judged_worms(net, packets).delivered, (std::vector<Tick>{21, 31, 13, 8}));
}

TEST(WormJudge, StopAndGoAreSaidWhenTheTickIsDoneAndObeyedALatencyLater) {
  WormNetwork net{
      .switches = crossbar_wiring(3, 2), .buffer_cells = 8, .stop_go = true, .stop_cells = 3, .go_cells = 1};
  // Output 1 is idle again at 22. STOP is said at 5 and obeyed at 7, when six cells have left; from 22 on they leave
  // the buffer, GO is said at 26 and obeyed at 28.
  const std::vector<CellPacket> packets = {{0, 2, 1, 20}, {1, 0, 1, 12}};
  EXPECT_EQ(judged_worms(net, packets).delivered, (std::vector<Tick>{23, 28 + 5 + 2 + 2}));
  net.go_cells = 2;
  EXPECT_EQ(judged_worms(net, packets).delivered, (std::vector<Tick>{23, 27 + 5 + 2 + 2}));
}

/// Two switches joined by two links, four nodes at each: ports 0 and 1 lead to the other.
CellWiring doubled_link() {
  CellWiring wiring;
  for (u32 s = 0; s < 2; ++s) {
    std::vector<CellPort>& ports = wiring.emplace_back();
    for (u32 p = 0; p < 2; ++p) ports.push_back({CellPort::Far::port, 1 - s, p});
    for (u32 n = 0; n < 4; ++n) ports.push_back({CellPort::Far::node, 4 * s + n});
  }
  return wiring;
}
/// By which port each packet leaves switch 0.
std::vector<u32> ports_taken(const WormNetwork& net, const std::vector<CellPacket>& packets, CellOutcome& outcome) {
  std::vector<u32> taken(packets.size(), 9);
  CellRules rules{[](Place, u32) { return Ways{{{1, 0}, {0, 0}}}; }};
  rules.leaves = [&](Place place, u32 packet, reference::Way way) {
    if (place.at == 0) taken[packet] = way.port;
  };
  outcome = judged_worms(net, packets, rules);
  return taken;
}

TEST(WormJudge, APacketTakesTheOutputThatFewestHaveForGood) {
  CellOutcome outcome;
  // Both links are held when the last two choose, in the same tick: one waits for each. The second link is idle again
  // at 7, the first at 21.
  const std::vector<CellPacket> packets = {{0, 0, 4, 20}, {1, 1, 5, 5}, {3, 2, 6, 2}, {3, 3, 7, 1}};
  EXPECT_EQ(ports_taken({.switches = doubled_link()}, packets, outcome), (std::vector<u32>{0, 1, 0, 1}));
  EXPECT_EQ(outcome.delivered[2], Tick{21 + 1 + 1 + 1});
  EXPECT_EQ(outcome.delivered[3], Tick{7 + 1 + 1});
}

TEST(WormJudge, OfOutputsThatEquallyManyHaveAnInputTakesOneAfterTheOther) {
  std::vector<CellPacket> packets;  // far apart
  std::vector<u32> expected;
  for (u32 k = 0; k < 4; ++k) {
    packets.push_back({100 * k, 0, 4, 3});
    packets.push_back({100 * k + 50, 1, 5, 3});
    expected.insert(expected.end(), {k % 2, k % 2});
  }
  CellOutcome outcome;
  EXPECT_EQ(ports_taken({.switches = doubled_link()}, packets, outcome), expected);
}

TEST(WormJudge, EqualSourcesGetEqualSharesOfLinksThatTheyChooseFrom) {
  std::vector<CellPacket> packets;
  for (u32 k = 0; k < 200; ++k) {
    for (u32 node = 0; node < 4; ++node) packets.push_back({12 * k, node, 4 + (node + k) % 4, 8});
  }
  for (const Schedule schedule : {Schedule::islip, Schedule::age}) {
    for (WormNetwork net : roomy(doubled_link())) {
      net.schedule = schedule;
      const CellRules rules{[](Place, u32) { return Ways{{{0, 0}, {1, 0}}}; }};
      const CellOutcome outcome = WormSwitches(net, packets, rules).run(2'000);
      std::vector<u32> shares(4);
      for (u32 p = 0; p < packets.size(); ++p) shares[packets[p].from] += outcome.delivered[p] < 2'000 ? 1 : 0;
      const auto [least, most] = std::ranges::minmax(shares);
      EXPECT_GT(least, 80U);
      EXPECT_LE(20 * most, 21 * least) << fmt::format("{}", fmt::join(shares, " "));
    }
  }
}

TEST(WormJudge, OfOutputsThatEquallyManyHaveOneIsTakenThatFlowControlDoesNotHold) {
  CellOutcome outcome;
  // The second is all in the buffer behind the first link, and fills it, until node 4 is idle again at 21.
  std::vector<CellPacket> packets = {{0, 4, 4, 20}, {1, 0, 4, 3}, {10, 1, 5, 2}};
  WormNetwork net{.switches = doubled_link(), .buffer_cells = 3};
  EXPECT_EQ(ports_taken(net, packets, outcome), (std::vector<u32>{9, 0, 1}));
  EXPECT_EQ(outcome.delivered[2], Tick{10 + 1 + 1 + 1 + 1});
  net.buffer_cells = 4;
  EXPECT_EQ(ports_taken(net, packets, outcome), (std::vector<u32>{9, 0, 0}));
  EXPECT_EQ(outcome.delivered[1], Tick{21 + 2 + 1});
  EXPECT_EQ(outcome.delivered[2], Tick{24 + 1 + 1});
  // A packet that holds the second link counts for more than a full buffer behind the first.
  net.buffer_cells = 3;
  packets.push_back({8, 2, 6, 10});
  EXPECT_EQ(ports_taken(net, packets, outcome), (std::vector<u32>{9, 0, 0, 1}));
}

TEST(WormJudge, RandomCasesDeliverEveryPacketAndFillNoBufferTooFull) {
  for (u64 seed = 1; seed <= 12; ++seed) {
    const WormCase given = random_worm_case(seed);
    const CellOutcome outcome = judge(given);
    EXPECT_TRUE(outcome.complaints.empty()) << given.describe() << ": " << outcome.complaints.front();
    EXPECT_EQ(outcome.count(0, never), given.packets.size()) << given.describe();
  }
}

}  // namespace
}  // namespace weft::models::testing
