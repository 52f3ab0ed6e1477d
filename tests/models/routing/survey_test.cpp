// Vectors against the plain definitions that they stand for: occupancies, least keys of ports, times of overtaking.
#include "models/machine/packets/survey.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <vector>

#include "models/core/packet.hpp"
#include "models/machine/packets/bubble.hpp"

namespace weft::models {
namespace {

constexpr u32 packet_ticks = 16;
using TestBlock = Block<1, BubblePolicy::Route, Packet>;

/// A router's block with queues that are as full, and links and drains that are as far, as chance has it.
class RandomBlock {
 public:
  RandomBlock(u32 ports, u32 channels, std::mt19937& random) {
    shape_.ports = ports;
    shape_.channels = ports * channels;
    shape_.inputs = shape_.channels + 1;
    shape_.queue_packets = shape_.injection_capacity = 4;
    for (u32 o = 0; o < shape_.channels; ++o) slots_.push_back(static_cast<u16>(cube_slot(o, ports, channels)));
    shape_.slot_of = slots_.data();
    lay_out_outputs<1>(shape_, cube_wants(ports));
    TestBlock::lay_out_inputs(shape_, 0);
    bytes_ = std::make_unique<std::byte[]>(shape_.bytes);
    const auto upto = [&random](u32 most) { return static_cast<u32>(random() % (most + 1)); };
    for (u32 s = 0; s < shape_.channels; ++s) {
      const bool sends = upto(1) == 1, drains = upto(1) == 1;
      block().used(s) = static_cast<u8>((sends ? 1 : 0) + (drains ? 1 : 0) + upto(2));
      block().flags(s) = static_cast<u8>((sends ? TestBlock::sending : 0) | (drains ? TestBlock::draining : 0));
      block().send_start(s) = now - upto(packet_ticks - 1);
      block().drain_base(s) = now - upto(2 * packet_ticks);
    }
    const u64 all = (u64{1} << shape_.channels) - 1;
    space = (static_cast<u64>(random()) << 32 | random()) & all;
    open = space & (static_cast<u64>(random()) << 32 | random());
  }
  [[nodiscard]] TestBlock block() const { return {bytes_.get(), &shape_}; }

  static constexpr u32 now = 1000;
  u64 space = 0, open = 0;

 private:
  Shape shape_;
  std::vector<u16> slots_;
  std::unique_ptr<std::byte[]> bytes_;
};

/// The least keys of the adaptive channels of some ports, one channel after the other.
LeastKeys plain_keys(const RandomBlock& router, u32 channels, u32 directions) {
  LeastKeys keys = no_keys;
  for (u32 o = 0; o < router.block().shape->channels; ++o) {
    if (o % channels == 0 || (directions >> (o / channels) & 1) == 0 || (router.space >> o & 1) == 0) continue;
    const FarTicks there = occupancy_of(router.block(), router.block().slot(o), RandomBlock::now, packet_ticks);
    const u32 key = there.ticks * key_outputs + o, floor = (there.ticks - there.leaving) * key_outputs + o;
    const bool open = (router.open >> o & 1) != 0;
    keys = least(keys, LeastKeys{key, open ? key : ~0U, open ? floor : ~0U, ~0U});
  }
  return keys;
}

void expect_equal(LeastKeys got, LeastKeys expected) {
  for (const u32 k : {key_best, key_best_open, key_floor}) EXPECT_EQ(got[k], expected[k]);
}

TEST(Survey, FindsTheLeastKeysOfEverySetOfDirections) {
  std::mt19937 random(1);
  for (const auto& [ports, channels] :
       {std::pair{2U, 2U}, {4U, 3U}, {6U, 3U}, {6U, 10U}, {12U, 5U}, {20U, 3U}, {30U, 2U}}) {
    const SurveyCells cells(ports, channels);
    for (u32 round = 0; round < 50; ++round) {
      RandomBlock router(ports, channels, random);
      const auto survey = std::make_unique<Survey>();
      survey_outputs<0, 0>(router.block(), cells, router.space, router.open, 0, RandomBlock::now, packet_ticks,
                           *survey);
      survey->rows[Survey::nowhere] = no_keys;
      for (u32 p = 0; p < ports; p += 2) {
        for (const u32 directions : {1U << p, 2U << p, 1U << p | 2U << ((p + 2) % ports)}) {
          expect_equal(survey->keys(directions, 2), plain_keys(router, channels, directions));
        }
      }
      // Somebody gets the first open one.
      for (u32 o = 0; o < ports * channels; ++o) {
        if (o % channels == 0 || (router.open >> o & 1) == 0) continue;
        survey->close(cells, o, true);
        router.open &= ~(u64{1} << o);
        EXPECT_EQ(survey->drift[cells.cell[o]] & 1, 1U);
        expect_equal(survey->keys(1U << (o / channels), 1), plain_keys(router, channels, 1U << (o / channels)));
        break;
      }
    }
  }
}

TEST(Survey, TellsHowTheOccupancyOfAnOutputWillChange) {
  std::mt19937 random(2);
  const SurveyCells cells(6, 3);
  for (u32 round = 0; round < 50; ++round) {
    const RandomBlock router(6, 3, random);
    const auto survey = std::make_unique<Survey>();
    const u32 starting = random() % 64;
    survey_outputs<0, 3>(router.block(), cells, router.space, router.open, starting, RandomBlock::now, packet_ticks,
                         *survey);
    for (u32 o = 0; o < 18; ++o) {
      if (o % 3 == 0) continue;
      const u32 slot = router.block().slot(o), drift = survey->drift[cells.cell[o]];
      EXPECT_EQ(drift >> 1, drain_left(router.block(), slot, RandomBlock::now, packet_ticks));
      const bool fills = (router.block().flags(slot) & TestBlock::sending) != 0 || (starting >> (o / 3) & 1) != 0;
      EXPECT_EQ(drift & 1, fills ? 1U : 0U);
    }
  }
}

/// The open one is the fuller one at first, or nobody would insist on the held one.
TEST(Survey, AnOpenChannelIsNeverTheEmptierOneBeforeTheTimeReckoned) {
  std::mt19937 random(3);
  for (u32 round = 0; round < 20000; ++round) {
    const u32 held = random() % 40, held_drain = random() % (std::min(held, packet_ticks) + 1), fills = random() % 2;
    const u32 open = held + 1 + random() % 40, open_drain = random() % (std::min(open, packet_ticks) + 1);
    const Eight none{};
    const u32 reckoned =
        ticks_to_overtake(none + (open - held), none + (open - open_drain - held), none + fills, none + held_drain)[0];
    u32 t = 0;
    while (t < 200 && open - std::min(t, open_drain) > held - std::min(t, held_drain) + (fills != 0 ? t : 0)) ++t;
    if (t == 200) continue;  // never: any time is early enough
    EXPECT_LE(reckoned, t) << held << " " << held_drain << " " << fills << " " << open << " " << open_drain;
  }
}

TEST(Vectors, BitsOfElementsAndSets) {
  EXPECT_EQ(bits_where(Eight{7, 3, 7, 0, 0, 0, 0, 7}, 7), 0x85U);
  EXPECT_EQ(first_bits(0), 0U);
  EXPECT_EQ(first_bits(3), 7U);
  EXPECT_EQ(first_bits(9), 0xffU);
  EXPECT_EQ(least_of(Eight{9, 8, 7, 6, 5, 4, 3, 2}), 2U);
  EXPECT_EQ(joined(where_meeting(single(4), Four{1, 2, 4, 8}, 6)), u64{0x60});
  EXPECT_EQ(joined(where_meeting(Four{1, 2, 4, 8}, single(4), 0x90)), u64{9});
}

}  // namespace
}  // namespace weft::models
