// Addresses of guests, and whom a frame is for.
#include "tools/cosim/guest/addresses.hpp"

#include <array>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace weft::tools::cosim::guest {
namespace {

std::vector<std::byte> frame_to(const std::array<int, 6>& address, std::size_t bytes = 60) {
  std::vector<std::byte> frame(bytes);
  for (std::size_t k = 0; k < std::min<std::size_t>(bytes, 6); ++k) frame[k] = static_cast<std::byte>(address[k]);
  return frame;
}

TEST(GuestAddresses, FollowFromTheNumber) {
  EXPECT_EQ(mac_address(0), "52:54:00:00:00:00");
  EXPECT_EQ(mac_address(0x1234), "52:54:00:00:12:34");
  EXPECT_EQ(ip_address(0), "10.9.0.1");
  EXPECT_EQ(ip_address(249), "10.9.0.250");
  EXPECT_EQ(ip_address(250), "10.9.1.1");
  EXPECT_EQ(host_name_of(17), "guest17");
}

TEST(GuestAddresses, AreDifferentForAllGuests) {
  std::set<std::string> macs, ips;
  for (u32 k = 0; k < most_guests; ++k) {
    macs.insert(mac_address(k));
    ips.insert(ip_address(k));
  }
  EXPECT_EQ(macs.size(), most_guests);
  EXPECT_EQ(ips.size(), most_guests);
  EXPECT_EQ(ips.count("10.9.255.255"), 0u) << "the broadcast address of the network";
}

TEST(GuestAddresses, AUnicastFrameIsForTheGuestOfThatNumber) {
  const Destination one = destination_of(frame_to({0x52, 0x54, 0, 0, 0x01, 0x02}), 300);
  EXPECT_FALSE(one.everybody);
  EXPECT_EQ(one.number, std::optional<u32>(0x102));
  EXPECT_EQ(destination_of(frame_to({0x52, 0x54, 0, 0, 0x01, 0x02}), 0x102).number, std::nullopt) << "no such guest";
  EXPECT_EQ(destination_of(frame_to({0x52, 0x54, 0, 1, 0, 0}), 300).number, std::nullopt) << "nobody's address";
}

TEST(GuestAddresses, BroadcastAndMulticastAreForEverybody) {
  EXPECT_TRUE(destination_of(frame_to({0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), 2).everybody);
  EXPECT_TRUE(destination_of(frame_to({0x01, 0x00, 0x5e, 0, 0, 0x16}), 2).everybody);
  EXPECT_TRUE(destination_of(frame_to({0x33, 0x33, 0, 0, 0, 1}), 2).everybody);
}

TEST(GuestAddresses, AFrameWithoutAHeaderIsForNobody) {
  const Destination none = destination_of(frame_to({0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 13), 2);
  EXPECT_FALSE(none.everybody);
  EXPECT_EQ(none.number, std::nullopt);
}

TEST(GuestAddresses, FramesOnTheWireHaveTheLengthsOfEthernet) {
  EXPECT_EQ(wire_bytes(42), 64u);
  EXPECT_EQ(wire_bytes(60), 64u);
  EXPECT_EQ(wire_bytes(61), 65u);
  EXPECT_EQ(wire_bytes(1514), 1518u);
}

}  // namespace
}  // namespace weft::tools::cosim::guest
