// The judge of switches, judged by what it says of output occupancy in situations computed by hand.
#include "tests/models/cells/judged_networks.hpp"

namespace weft::models::testing {
namespace {

using reference::Fullness;

/// Remote congestion information that a packet met when its route was decided.
struct Remote {
  Tick at;
  u32 router, packet, waiting, taken, load;
  friend bool operator==(const Remote&, const Remote&) = default;
};

/// Three switches in a row whose links are half as fast as those of the nodes. Node 0 sends packets of 4 cells to
/// node 1: they are at switch 0 at 1, 5, 9, 13, 17, and are matched with output 1 at 1, 9, 17, 25, 33.
struct FullnessJudge : ::testing::Test {
  CellNetwork net = Chain{{3, 3, 2, 1, 1}}.net();
  std::vector<CellPacket> packets = std::vector<CellPacket>(5, {0, 0, 1, 4});
  CellRules rules{.route = to_the_right};
  Tick now = 0;

  void run(std::function<void(Place, u32, const Fullness&)> decide) {
    rules.decide = std::move(decide);
    rules.each_tick = [this](Tick tick) { now = tick + 1; };
    judged_run(net, packets, rules);
  }
  std::vector<Remote> decisions(u32 channel = 0) {
    std::vector<Remote> all;
    run([&](Place place, u32 packet, const Fullness& outputs) {
      all.push_back({now, place.at, packet, outputs.waiting(1), outputs.taken(1, channel), outputs.load(1)});
    });
    return all;
  }
};

TEST_F(FullnessJudge, CountsWhatWaitsAndWhatHasNoCredits) {
  // The credits of a packet are back from 9 on after it was matched: it is ready 3 ticks after its first cell came.
  EXPECT_EQ(
      decisions(),
      (std::vector<Remote>{
          {1, 0, 0, 0, 0, 0}, {5, 0, 1, 0, 4, 4}, {9, 0, 2, 4, 4, 8}, {13, 0, 3, 4, 4, 8}, {17, 0, 4, 8, 4, 12}}));
}

TEST_F(FullnessJudge, CountsWhatHasNoCreditsInAnyChannelAndWhatMayTakeSeveralOnce) {
  net.channels = 2;
  rules.route = [](Place, u32) { return Ways{{{1, 0}, {1, 1}}}; };
  rules.source_channels = [](u32) { return std::pair{0U, 1U}; };
  const std::vector<Remote> seen = decisions(1);
  ASSERT_EQ(seen.size(), 5U);
  EXPECT_EQ(seen[1], (Remote{5, 0, 1, 0, 0, 4}));
  EXPECT_EQ(seen[2], (Remote{9, 0, 2, 4, 0, 8}));
  EXPECT_EQ(seen[3], (Remote{13, 0, 3, 4, 4, 8}));
}

TEST_F(FullnessJudge, IsAskedOnceOfAPacketThatHasToWaitForCredits) {
  net.channels = 2;
  net.buffer_cells = 4;
  rules.route = [](Place, u32) { return Ways{{{1, 0}, {1, 1}}}; };
  for (const bool fifo : {false, true}) {
    net.fifo = fifo;
    now = 0;
    std::map<u32, u32> asked;
    for (const Remote& remote : decisions()) ++asked[remote.packet];
    EXPECT_EQ(asked, (std::map<u32, u32>{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}}));
  }
}

TEST_F(FullnessJudge, TellsNeighboursInStepsAndLater) {
  // At output 1 of switch 0 wait 4 cells from 5 on, 8 from 13 on.
  const std::vector<Tick> when = {7, 8, 15, 16};
  for (const Tick at : when) packets.push_back({at - 1, 1, 2, 1});
  const auto remote = [&](u32 notice_cells) {
    net.notice_cells = notice_cells;
    now = 0;
    std::vector<u32> cells;
    run([&](Place place, u32, const Fullness& outputs) {
      if (place.at == 1) cells.push_back(outputs.remote_waiting(0, 1));
    });
    return cells;
  };
  EXPECT_EQ(remote(1), (std::vector<u32>{0, 4, 4, 8}));
  EXPECT_EQ(remote(3), (std::vector<u32>{0, 3, 3, 6}));
  EXPECT_EQ(remote(5), (std::vector<u32>{0, 0, 0, 5}));
  EXPECT_EQ(remote(9), (std::vector<u32>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace weft::models::testing
