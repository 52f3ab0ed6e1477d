// A switch that need not learn: addresses are computed; see the header.
#include "tools/cosim/guest/addresses.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::tools::cosim::guest {
namespace {

constexpr u32 hosts_in_part = 250;  // of the last number of an IP address
constexpr std::size_t header_bytes = 14;
constexpr u64 least_frame_bytes = 60;
constexpr u64 check_sequence_bytes = 4;
constexpr std::array prefix = {std::byte{0x52}, std::byte{0x54}, std::byte{0}, std::byte{0}};

}  // namespace

std::string mac_address(u32 number) {
  WEFT_ASSERT(number < most_guests);
  return fmt::format("52:54:00:00:{:02x}:{:02x}", number / 256, number % 256);
}

std::string ip_address(u32 number) {
  WEFT_ASSERT(number / hosts_in_part < 256);
  return fmt::format("10.9.{}.{}", number / hosts_in_part, number % hosts_in_part + 1);
}

std::string host_name_of(u32 number) { return fmt::format("guest{}", number); }

Destination destination_of(std::span<const std::byte> frame, u32 guests) {
  if (frame.size() < header_bytes) return {};
  // The first bit that is sent of an address says that it is one of a group.
  if ((frame[0] & std::byte{1}) != std::byte{0}) return {.everybody = true, .number = {}};
  if (!std::equal(prefix.begin(), prefix.end(), frame.begin())) return {};
  const u32 number = std::to_integer<u32>(frame[4]) * 256 + std::to_integer<u32>(frame[5]);
  if (number >= guests) return {};
  return {.everybody = false, .number = number};
}

u64 wire_bytes(u64 frame_bytes) { return std::max(frame_bytes, least_frame_bytes) + check_sequence_bytes; }

}  // namespace weft::tools::cosim::guest
