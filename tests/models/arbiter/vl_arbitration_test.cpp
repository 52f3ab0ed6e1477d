// The rounds through the two tables of an output, packet by packet.
#include "models/arbiter/vl_arbitration.hpp"

#include <gtest/gtest.h>

namespace weft::models::arbiter {
namespace {

Parameters keys_of(const std::string& high, const std::string& low, i64 limit, i64 lanes) {
  Parameters keys;
  keys.set("vl_high", high);
  keys.set("vl_low", low);
  keys.set("vl_high_limit", limit);
  keys.set("virtual_channels", lanes);
  return keys;
}

/// The lanes of so many packets in turn, all lanes of a mask having packets of so many cells all the time.
std::string sent(VlArbitration& arbitration, u32 available, u32 cells, u32 packets) {
  std::string lanes;
  for (u32 k = 0; k < packets; ++k) {
    const auto won = arbitration.choose(0, available);
    arbitration.charge(0, won, cells);
    lanes += static_cast<char>('0' + won.vl);
  }
  return lanes;
}
VlArbitration output(const std::string& high, const std::string& low, i64 limit = 0, u32 lanes = 4) {
  VlArbitration made(vl_tables(keys_of(high, low, limit, lanes), lanes), lanes);
  made.resize(1);
  return made;
}

TEST(VlArbitration, SharesAnOutputByWeights) {
  VlArbitration three_to_one = output("", "0:99,1:33");
  EXPECT_EQ(sent(three_to_one, 0b11, 33, 12), "000100010001");
  VlArbitration of_three = output("", "2:10, 0:5, 1:5");
  EXPECT_EQ(sent(of_three, 0b111, 5, 8), "22012201");
}

TEST(VlArbitration, SendsAPacketWholeIfAnythingIsLeftAndForgetsWhatIsOwed) {
  VlArbitration short_weights = output("", "0:3,1:1");
  EXPECT_EQ(sent(short_weights, 0b11, 33, 6), "010101");
  VlArbitration rest = output("", "0:34,1:1");
  EXPECT_EQ(sent(rest, 0b11, 33, 6), "001001");
}

TEST(VlArbitration, SkipsEntriesOfWeightNoneAndLanesThatHaveNothing) {
  VlArbitration skipping = output("", "1:0,0:5,1:5,0:0,2:5");
  EXPECT_EQ(sent(skipping, 0b111, 5, 6), "012012");
  EXPECT_EQ(sent(skipping, 0b101, 5, 4), "0202");
  EXPECT_EQ(sent(skipping, 0b010, 5, 3), "111") << "alone it has all";
}

TEST(VlArbitration, TakesTheWeightFromWhoHasNothingWhenItsTurnComes) {
  VlArbitration away = output("", "0:20,1:5");
  EXPECT_EQ(sent(away, 0b11, 5, 2), "00");
  EXPECT_EQ(sent(away, 0b10, 5, 1), "1") << "lane 0 has nothing at that moment";
  EXPECT_EQ(sent(away, 0b11, 5, 6), "000010") << "a whole weight anew, not the ten that were left";
}

TEST(VlArbitration, LetsALaneComeSeveralTimesAndInBothTables) {
  VlArbitration often = output("", "0:5,1:5,0:5,2:5");
  EXPECT_EQ(sent(often, 0b111, 5, 8), "01020102");
  VlArbitration both = output("0:5", "0:5,1:5", 0);
  EXPECT_EQ(sent(both, 0b11, 5, 8), "00010001") << "high 0, low 0, high 0, low 1";
}

TEST(VlArbitration, ServesTheHighTableUpToItsLimit) {
  VlArbitration one_packet = output("1:255", "0:255", 0);
  EXPECT_EQ(sent(one_packet, 0b11, 33, 6), "101010");
  VlArbitration one_unit = output("1:255", "0:255", 1);  // 64 blocks: what is left of them after 33 sends another
  EXPECT_EQ(sent(one_unit, 0b11, 33, 9), "110110110");
  VlArbitration two_units = output("1:255", "0:255", 2);
  EXPECT_EQ(sent(two_units, 0b11, 32, 10), "1111011110") << "128 blocks to the last";
  VlArbitration none = output("1:255", "0:255", 255);
  EXPECT_EQ(sent(none, 0b11, 33, 1000), std::string(1000, '1'));
  EXPECT_EQ(sent(none, 0b01, 33, 2), "00");
}

TEST(VlArbitration, StartsTheLimitAnewWhenTheLowTableHadItsChance) {
  VlArbitration output_of = output("1:255", "0:255", 1);
  EXPECT_EQ(sent(output_of, 0b10, 33, 3), "111") << "nobody else is there: the chance is lost";
  EXPECT_EQ(sent(output_of, 0b11, 33, 3), "101") << "31 blocks are left of the second limit";
  EXPECT_EQ(sent(output_of, 0b01, 33, 1), "0");
  EXPECT_EQ(sent(output_of, 0b11, 33, 3), "110");
}

TEST(VlArbitration, GoesRoundTheQueuesOfALane) {
  VlArbitration made = output("", "auto");
  constexpr u32 queues = 8;
  EXPECT_EQ(made.turns_to(0, 1, 3, queues), 3U);
  made.move_behind(0, 1, 3, queues);
  EXPECT_EQ(made.turns_to(0, 1, 3, queues), 7U);
  EXPECT_EQ(made.turns_to(0, 1, 4, queues), 0U);
  EXPECT_EQ(made.turns_to(0, 2, 3, queues), 3U) << "each lane has a pointer";
  made.move_behind(0, 1, 7, queues);
  EXPECT_EQ(made.turns_to(0, 1, 0, queues), 0U);
}

TEST(VlTables, ServeAllLanesByDefaultThatTheHighTableDoesNot) {
  const VlTables tables = vl_tables(keys_of("2:9,3:0", "auto", 0, 4), 4);
  ASSERT_EQ(tables.high.size(), 1U);
  ASSERT_EQ(tables.low.size(), 3U);
  EXPECT_EQ(tables.low.back().vl, 3);
  EXPECT_EQ(tables.low.back().weight, 64);
}

TEST(VlTables, NameWhatIsWrong) {
  const auto why = [](const std::string& high, const std::string& low, i64 lanes = 2) {
    const auto complaint = check_vl_tables(keys_of(high, low, 0, lanes));
    return complaint ? complaint->key + " " + complaint->why + "; " + complaint->advice : "";
  };
  EXPECT_EQ(why("", "auto"), "");
  EXPECT_EQ(why("0:1", "1:255"), "");
  EXPECT_EQ(why("0:1,1:2", ""), "");
  EXPECT_EQ(why("", "0:1"),
            "router.vl_low leaves VL 1 without a weight in either table (its packets would wait for ever); add "
            "\"1:64\", or use virtual_channels = 1");
  EXPECT_NE(why("", "0:0,1:5").find("leaves VL 0"), std::string::npos) << "a weight of 0 is none";
  EXPECT_NE(why("7:1", "auto").find("router.vl_high names VL 7 (links have VLs 0 to 1)"), std::string::npos);
  EXPECT_NE(why("", "0:256,1:1").find("the weight 256 (at most 255)"), std::string::npos);
  for (const std::string bad : {"0", "0:", ":1", "0:x", "a:1", "0:1:2", "0 : 1", "-1:3", "0:-3", "0:99999999999",
                                "\xff", "auto,0:1", "0x1:2", "+1:2"}) {
    EXPECT_NE(why("", bad).find("router.vl_low"), std::string::npos) << bad;
    EXPECT_NE(why(bad, "auto").find("router.vl_high"), std::string::npos) << bad;
  }
  std::string many;
  for (u32 k = 0; k < 65; ++k) many += "0:1,";
  EXPECT_NE(why("", many).find("has 65 entries (a table has 64 at most)"), std::string::npos);
}

}  // namespace
}  // namespace weft::models::arbiter
