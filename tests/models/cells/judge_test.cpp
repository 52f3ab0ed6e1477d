// The judge of switches is judged itself: by closed forms of docs/switch.md and published limits of input queueing.
#include <algorithm>
#include <numeric>
#include <random>

#include "tests/models/cells/judged_networks.hpp"

namespace weft::models::testing {
namespace {

/// Packets of one cell from every node for random nodes, as many as there are ticks; each block of as many as there are
/// nodes has one for each.
std::vector<CellPacket> saturation(u32 nodes, u32 ticks) {
  std::mt19937 draw(7);
  std::vector<CellPacket> packets;
  for (u32 node = 0; node < nodes; ++node) {
    std::vector<u32> targets(nodes);
    std::iota(targets.begin(), targets.end(), 0U);
    for (u32 t = 0; t < ticks; ++t) {
      if (t % nodes == 0) {
        for (u32 k = nodes; k > 1; --k) std::swap(targets[k - 1], targets[draw() % k]);
      }
      packets.push_back({0, node, targets[t % nodes], 1});
    }
  }
  return packets;
}
/// Cells per port and tick in the second half of a saturated run.
double throughput(CellNetwork net, u32 ticks, CellRules rules = {to_the_right}) {
  const u32 ports = static_cast<u32>(net.switches[0].size());
  const CellOutcome outcome = CellSwitches(net, saturation(ports, ticks), std::move(rules)).run(ticks, false);
  EXPECT_TRUE(outcome.complaints.empty());
  return static_cast<double>(outcome.count(ticks / 2, ticks)) / (ticks - ticks / 2) / ports;
}

TEST(SwitchJudge, AnEmptyNetworkDeliversAfterTheTimeOfTheFormula) {
  for (const u32 hops : {0U, 1U, 3U}) {
    for (const u32 length : {1U, 2U, 7U, 12U}) {
      for (const Tick r : {0, 1, 3}) {
        for (const Tick s : {0, 2}) {
          for (const Tick c : {1, 3}) {
            CellNetwork net = Chain{{hops + 1, 4, c, 2, c}}.net();
            net.routing = r;
            net.crossing = s;
            const Tick cut_through = 2 + (hops + 1) * (r + s) + hops * 4 + (length - 1) * c + 2;
            const std::vector<CellPacket> packets = {{5, 0, hops == 0 ? 0 : hops, length}};
            EXPECT_EQ(judged_run(net, packets).delivered[0], 5 + cut_through);
            net.store_and_forward = true;
            EXPECT_EQ(judged_run(net, packets).delivered[0], 5 + cut_through + (hops + 1) * (length - 1) * c);
          }
        }
      }
    }
  }
}

TEST(SwitchJudge, AFasterLinkWaitsSoThatItsCellsNeverRunOut) {
  const std::vector<CellPacket> packets = {{0, 0, 1, 10}};
  // Node links slow: at the first switch the packet waits for 9 * (3 - 1) ticks, at the second it just goes on.
  EXPECT_EQ(judged_run(Chain{{2, 5, 1, 1, 3}}.net(), packets).delivered[0], Tick{1 + 18 + 5 + 27 + 1});
  // Node links fast: the link between takes its time, and the second switch waits.
  EXPECT_EQ(judged_run(Chain{{2, 5, 3, 1, 1}}.net(), packets).delivered[0], Tick{1 + 5 + 18 + 9 + 1});
}

TEST(SwitchJudge, ASaturatedLinkCarriesACellInEveryCellTime) {
  for (const u32 length : {1U, 5U}) {
    CellNetwork net = Chain{{2, 3, 2, 1, 2}}.net();
    net.routing = 2;
    net.crossing = 1;
    const std::vector<CellPacket> packets(50, {0, 0, 1, length});
    const CellOutcome outcome = judged_run(net, packets);
    for (u32 p = 1; p < 50; ++p) EXPECT_EQ(outcome.delivered[p] - outcome.delivered[p - 1], Tick{2 * length});
  }
}

TEST(SwitchJudge, AShortBufferLetsThroughItsCellsPerRoundTrip) {
  // From a credit's being taken to its being back: S + D + R + D; at the node's link without S.
  CellNetwork net = Chain{{2, 9, 1, 2, 1}}.net();
  net.routing = 3;
  net.crossing = 4;
  net.buffer_cells = 5;
  const std::vector<CellPacket> packets(400, {0, 0, 1, 1});
  const CellOutcome between = judged_run(net, packets);
  for (u32 p = 100; p + 5 < 400; ++p) EXPECT_EQ(between.delivered[p + 5] - between.delivered[p], Tick{9 + 9 + 3 + 4});
  CellNetwork node_link = crossbar_of(2, 3);
  for (CellPort& port : node_link.switches[0]) port.latency = 6;
  const CellOutcome outcome = judged_run(node_link, packets);
  for (u32 p = 0; p + 3 < 400; ++p) EXPECT_EQ(outcome.delivered[p + 3] - outcome.delivered[p], Tick{12});
}

TEST(SwitchJudge, APacketThatIsLongerThanTheFreeSpaceWaits) {
  CellNetwork net = Chain{{2, 9, 2, 2, 2}}.net();
  net.routing = 1;
  net.buffer_cells = 8;
  // The second finds 3 credits and takes 5: it waits until 2 more cells of the first are out and their credits back.
  const CellOutcome outcome = judged_run(net, {{0, 0, 1, 5}, {0, 0, 1, 5}, {0, 0, 1, 3}});
  const Tick matched = 2 + 1;  // the first, at the first switch
  EXPECT_EQ(outcome.delivered[0], matched + 9 + 1 + 8 + 2);
  const Tick second = matched + 9 + 1 + 2 + 9;
  EXPECT_EQ(outcome.delivered[1], second + 9 + 1 + 8 + 2);
  // Ten cells fill the link until second + 10; by then the first's three other credits are back.
  EXPECT_EQ(outcome.delivered[2], second + 10 + 9 + 1 + 4 + 2);
}

TEST(SwitchJudge, FifosSaturateAtTwoMinusTheRootOfTwo) {
  CellNetwork net = crossbar_of(32, 16);  // Karol, Hluchyj, Morgan 1987
  net.fifo = true;
  const double measured = throughput(net, 800);
  EXPECT_GT(measured, 0.58);
  EXPECT_LT(measured, 0.62);
}

TEST(SwitchJudge, IslipFillsAllOutputsUnderUniformSaturation) {
  EXPECT_GT(throughput(crossbar_of(16, 1000), 800), 0.98);  // McKeown 1999
}

TEST(SwitchJudge, ByLotOneIterationMatchesTheShareThatIsKnownOfPim) {
  CellNetwork net = crossbar_of(16, 1000);
  net.schedule = Schedule::random;
  std::mt19937 draw(3);
  const CellRules rules{.route = to_the_right, .draw = [&draw](u32 below) { return static_cast<u32>(draw() % below); }};
  const double measured = throughput(net, 600, rules);  // 1 - (1 - 1/16)^16 = 0.644; Anderson et al. 1993
  EXPECT_GT(measured, 0.62);
  EXPECT_LT(measured, 0.68);
}

TEST(SwitchJudge, PointersOfIslipMoveApartAndThenServeEveryPairInTurn) {
  const u32 ports = 4, each = 100;
  std::vector<CellPacket> packets;  // all nodes in the same order: the pointers begin in step
  for (u32 k = 0; k < ports * each; ++k) {
    for (u32 node = 0; node < ports; ++node) packets.push_back({0, node, k % ports, 1});
  }
  const CellOutcome outcome = judged_run(crossbar_of(ports, 64), packets);
  std::vector<std::vector<u32>> served(ports, std::vector<u32>(ports, 0));
  for (u32 p = 0; p < packets.size(); ++p) {
    if (outcome.delivered[p] < 100 || outcome.delivered[p] >= 140) continue;
    ++served[packets[p].from][packets[p].to];
  }
  for (const auto& row : served) {
    for (const u32 count : row) EXPECT_EQ(count, 10U);
  }
}

TEST(SwitchJudge, ACrowdedOutputIsGivenInTurnByIslipAndByGenerationByAge) {
  CellNetwork net = crossbar_of(4, 16);
  // At 2 the packet of node 2 is alone; those of the others are all there when it is through, at 8.
  const std::vector<CellPacket> packets = {{1, 2, 3, 6}, {4, 2, 3, 6}, {5, 0, 3, 6}, {3, 1, 3, 6}};
  const auto order = [&](const CellOutcome& outcome) {
    std::vector<u32> by_time = {0, 1, 2, 3};
    std::ranges::sort(by_time, {}, [&](u32 p) { return outcome.delivered[p]; });
    return by_time;
  };
  EXPECT_EQ(order(judged_run(net, packets)), (std::vector<u32>{0, 2, 3, 1}));  // input 2, then 3, 0, 1, 2
  net.schedule = Schedule::age;
  EXPECT_EQ(order(judged_run(net, packets)), (std::vector<u32>{0, 3, 1, 2}));
}

TEST(SwitchJudge, ASecondIterationFindsAPartnerForWhoWasGrantedInVain) {
  // Outputs 2 and 3 become idle at once. Both grant input 0, which takes 2; input 1 could have had 3.
  const std::vector<CellPacket> packets = {{0, 4, 2, 9}, {0, 5, 3, 9}, {1, 0, 2, 1}, {2, 0, 3, 1}, {3, 1, 3, 1}};
  CellNetwork net = crossbar_of(6, 16);
  const Tick idle = 1 + 9;
  EXPECT_EQ(judged_run(net, packets).delivered[2], idle + 1);
  EXPECT_GT(judged_run(net, packets).delivered[4], idle + 1);
  for (const u32 iterations : {2, 0}) {
    net.iterations = iterations;
    EXPECT_EQ(judged_run(net, packets).delivered[2], idle + 1);
    EXPECT_EQ(judged_run(net, packets).delivered[4], idle + 1);
  }
}

TEST(SwitchJudge, ByAgeTheOldestGoesFirstAndThenTheOldestOfThoseThatAreLeft) {
  // As above, and a packet for output 3 that is younger than the one whose input is taken.
  const std::vector<CellPacket> packets = {{0, 4, 2, 9}, {0, 5, 3, 9}, {1, 0, 2, 1}, {2, 0, 3, 1}, {3, 1, 3, 1}};
  CellNetwork net = crossbar_of(6, 16);
  net.schedule = Schedule::age;
  const Tick idle = 1 + 9;
  const CellOutcome outcome = judged_run(net, packets);
  EXPECT_EQ(outcome.delivered[2], idle + 1);
  EXPECT_EQ(outcome.delivered[4], idle + 1);
  EXPECT_EQ(outcome.delivered[3], idle + 2);
}

TEST(SwitchJudge, TheFirstPacketOfAFifoHoldsUpWhatVoqsLetPass) {
  const std::vector<CellPacket> packets = {{0, 1, 2, 20}, {1, 0, 2, 1}, {2, 0, 3, 1}};
  CellNetwork net = crossbar_of(4, 32);
  EXPECT_EQ(judged_run(net, packets).delivered[2], Tick{2 + 1 + 1});
  net.fifo = true;
  EXPECT_EQ(judged_run(net, packets).delivered[2], Tick{21 + 1 + 1});
}

TEST(SwitchJudge, RandomCasesLoseNoCellAndNoCreditAndFillNoBufferTooFull) {
  for (u64 seed = 1; seed <= 12; ++seed) {
    const SwitchCase given = random_switch_case(seed);
    const CellOutcome outcome = judge(given, 1'000);
    EXPECT_TRUE(outcome.complaints.empty()) << given.describe() << ": " << outcome.complaints.front();
  }
}

}  // namespace
}  // namespace weft::models::testing
