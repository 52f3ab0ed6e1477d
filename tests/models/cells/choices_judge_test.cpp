// The judge of switches, judged by situations computed by hand in which packets may take several ways.
#include <algorithm>
#include <random>

#include "tests/models/cells/judged_networks.hpp"

namespace weft::models::testing {
namespace {

using reference::Fullness;
using reference::Way;

/// Two switches joined by links of the same latency, some nodes at each: ports are the links, then the nodes.
CellNetwork pair_of_switches(u32 links, u32 nodes_each, Tick latency) {
  CellNetwork net;
  for (u32 s = 0; s < 2; ++s) {
    std::vector<CellPort>& ports = net.switches.emplace_back();
    for (u32 l = 0; l < links; ++l) ports.push_back({CellPort::Far::port, 1 - s, l, latency, 1});
    for (u32 n = 0; n < nodes_each; ++n) ports.push_back({CellPort::Far::node, s * nodes_each + n, 0, 1, 1});
  }
  return net;
}
Ways all_links(u32 links, u32 channels = 1) {
  Ways ways;
  for (u32 l = 0; l < links; ++l) {
    for (u32 c = 0; c < channels; ++c) ways.any.push_back({l, c});
  }
  return ways;
}
/// The ways that packets took at switch 0.
std::vector<Way> ways_taken(const CellNetwork& net, const std::vector<CellPacket>& packets, CellRules rules) {
  std::vector<Way> taken(packets.size());
  rules.leaves = [&](Place place, u32 packet, Way way) {
    if (place.at == 0) taken[packet] = way;
  };
  judged_run(net, packets, rules);
  return taken;
}

TEST(ChoicesJudge, ThePacketTakesTheChannelWithMostCreditsAndElseTheEscape) {
  CellNetwork net = Chain{{2, 30, 1, 1, 1}}.net();
  net.channels = 3;
  net.buffer_cells = 6;
  CellRules rules{[](Place, u32) { return Ways{{{1, 1}, {1, 2}}, reference::Way{1, 0}}; }};
  std::vector<u32> taken(5, 9);
  rules.leaves = [&](Place place, u32 packet, reference::Way way) {
    if (place.at == 0) taken[packet] = way.channel;
  };
  judged_run(net, {{0, 0, 1, 4}, {0, 0, 1, 3}, {0, 0, 1, 3}, {0, 0, 1, 4}, {0, 0, 1, 2}}, rules);
  // Credits: 6 6, 2 6, 2 3, 2 0; none has 4; 2 0.
  EXPECT_EQ(taken, (std::vector<u32>{1, 2, 2, 0, 1}));
}

TEST(ChoicesJudge, OfWaysWithAsManyCreditsInputsTakeOutputsInTurnAndOutputsChannels) {
  CellNetwork net = pair_of_switches(2, 2, 4);
  net.channels = 2;
  std::vector<CellPacket> packets;  // far apart: all credits are back
  std::vector<Way> expected;
  for (u32 k = 0; k < 6; ++k) {
    packets.push_back({100 * k, 0, 2, 3});
    packets.push_back({100 * k + 50, 1, 3, 3});
    for (u32 channel = 0; channel < 2; ++channel) expected.push_back({k % 2, channel});
  }
  EXPECT_EQ(ways_taken(net, packets, {[](Place, u32) { return all_links(2, 2); }}), expected);
}

TEST(ChoicesJudge, MostCreditsGoBeforeTurns) {
  CellNetwork net = pair_of_switches(2, 1, 100);
  net.buffer_cells = 8;
  // Credits of both links: 8 8, 4 8, 4 2, 3 2.
  const std::vector<CellPacket> packets = {{0, 0, 1, 4}, {0, 0, 1, 6}, {0, 0, 1, 1}, {0, 0, 1, 1}};
  EXPECT_EQ(ways_taken(net, packets, {[](Place, u32) { return all_links(2); }}),
            (std::vector<Way>{{0, 0}, {1, 0}, {0, 0}, {0, 0}}));
}

TEST(ChoicesJudge, APacketHoldsNoCreditsBeforeItIsMatched) {
  CellNetwork net = pair_of_switches(1, 3, 50);
  net.channels = 2;
  net.buffer_cells = 4;
  net.schedule = Schedule::age;
  // Packets 0 and 1 may take a channel each. Packet 2 is there while the link is busy with the first, and could take
  // what is left then; but 1 is older, comes by 5 as well, and gets it. So 2 waits for the credits of the first.
  const CellRules rules{[](Place, u32 packet) { return packet < 2 ? Ways{{{0, packet}}} : all_links(1, 2); }};
  const CellOutcome outcome = judged_run(net, {{0, 0, 3, 4}, {0, 0, 3, 4}, {1, 1, 4, 4}}, rules);
  EXPECT_EQ(outcome.delivered, (std::vector<Tick>{51 + 1 + 3, 55 + 1 + 3, 104 + 50 + 1 + 3}));
}

TEST(ChoicesJudge, AnEscapeIsClosedAsLongAsAnotherWayHasCreditsThoughItsOutputIsBusy) {
  CellNetwork net = pair_of_switches(2, 2, 4);
  const std::vector<CellPacket> packets = {{0, 0, 2, 20}, {1, 1, 3, 2}};
  const auto run = [&](const Ways& ways) {
    return ways_taken(net, packets, {[&](Place, u32 packet) { return packet == 0 ? Ways{{{0, 0}}} : ways; }})[1];
  };
  EXPECT_EQ(run({{{0, 0}, {1, 0}}}), (Way{1, 0}));
  EXPECT_EQ(run({{{0, 0}}, Way{1, 0}}), (Way{0, 0}));
  net.buffer_cells = 20;  // packet 0 takes them all
  EXPECT_EQ(run({{{0, 0}}, Way{1, 0}}), (Way{1, 0}));
}

TEST(ChoicesJudge, AQueueOfASetOfWaysIsNotHeldUpByThatOfAnother) {
  CellNetwork net = pair_of_switches(3, 1, 60);
  net.buffer_cells = 8;
  // Packets 0 and 1 fill the buffers behind links 0 and 1. Packet 2 waits for one of them, packet 3 need not.
  const CellRules rules{[](Place, u32 packet) {
    return packet < 2 ? Ways{{{packet, 0}}} : packet == 2 ? all_links(2) : Ways{{{1, 0}, {2, 0}}};
  }};
  const std::vector<CellPacket> packets = {{0, 0, 1, 8}, {0, 0, 1, 8}, {0, 0, 1, 4}, {0, 0, 1, 4}};
  const CellOutcome outcome = judged_run(net, packets, rules);
  EXPECT_LT(outcome.delivered[3], outcome.delivered[2]);
  net.fifo = true;
  const CellOutcome in_order = judged_run(net, packets, rules);
  EXPECT_GT(in_order.delivered[3], in_order.delivered[2]);
}

TEST(ChoicesJudge, APacketThatIsWholeDoesNotWaitForItselfAgain) {
  CellNetwork net = crossbar_of(3, 32);
  net.fifo = true;
  net.store_and_forward = true;
  // Packet 0 is whole at 30, and holds output 1 until 60. Packet 1 waits for that and packet 2 behind it, whole at 39.
  const CellOutcome outcome = judged_run(net, {{0, 2, 1, 30}, {29, 0, 1, 2}, {29, 0, 2, 8}});
  EXPECT_EQ(outcome.delivered, (std::vector<Tick>{30 + 1 + 29, 60 + 1 + 1, 62 + 1 + 7}));
}

TEST(ChoicesJudge, WhatWaitsForSeveralOutputsCountsInPartsAndWhatWaitsForOneWhole) {
  CellNetwork net = pair_of_switches(3, 3, 4);
  net.channels = 2;
  // Packet 0 holds all that node 0 may send; packets 1 to 4 come behind it, 5 comes by another input and looks.
  const std::vector<Ways> ways = {
      {{{0, 0}}}, {{{0, 0}, {0, 1}}}, {{{0, 0}, {1, 0}, {1, 1}}}, {{{0, 0}, {1, 0}, {2, 0}}}, {{{2, 0}}, Way{1, 0}},
      {{{0, 0}}}};
  CellRules rules{[&](Place, u32 packet) { return ways[packet]; }};
  std::vector<u32> waiting;
  rules.decide = [&](Place, u32 packet, const Fullness& outputs) {
    for (u32 o = 0; packet == 5 && o < 3; ++o) waiting.push_back(outputs.waiting(o));
  };
  for (auto& ports : net.switches) {
    for (u32 link = 0; link < 3; ++link) ports[link].cell = 9;  // the input is busy until all are there
  }
  judged_run(net, {{0, 0, 3, 5}, {0, 0, 3, 5}, {0, 0, 3, 5}, {0, 0, 3, 5}, {0, 0, 3, 5}, {30, 1, 4, 1}}, rules);
  EXPECT_EQ(waiting, (std::vector<u32>{5 + 3 + 2, 3 + 2, 2 + 5}));
}

/// All of four nodes send to the other switch by two links, as much as they can.
TEST(ChoicesJudge, EqualSourcesGetEqualSharesOfLinksThatTheyChooseFrom) {
  std::mt19937 draw(5);
  std::vector<CellPacket> packets;
  for (u32 k = 0; k < 200; ++k) {
    for (u32 node = 0; node < 4; ++node) {
      packets.push_back({12 * k + static_cast<u32>(draw() % 12), node, 4 + static_cast<u32>(draw() % 4), 8});
    }
  }
  for (const Schedule schedule : {Schedule::islip, Schedule::age}) {
    for (const bool fifo : {false, true}) {
      for (const bool shared : {false, true}) {
        CellNetwork net = pair_of_switches(2, 4, 3);
        net.buffer_cells = 32;
        net.shared = shared;
        net.reserved_cells = 8;
        net.fifo = fifo;
        net.schedule = schedule;
        const CellOutcome outcome = CellSwitches(net, packets, {[](Place, u32) { return all_links(2); }}).run(2'000);
        std::vector<double> shares(4);
        for (u32 p = 0; p < packets.size(); ++p) shares[packets[p].from] += outcome.delivered[p] < 2'000 ? 1 : 0;
        EXPECT_GT(*std::ranges::min_element(shares), 80);
        EXPECT_LE(*std::ranges::max_element(shares), 1.05 * *std::ranges::min_element(shares)) << fmt::format(
            "{}, {}: {}", schedule == Schedule::age ? "age" : "islip", fifo ? "fifo" : "voq", fmt::join(shares, " "));
      }
    }
  }
}

}  // namespace
}  // namespace weft::models::testing
