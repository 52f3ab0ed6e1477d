// Names and addresses of guests in their Ethernet: all follow from the number of the endpoint, as a switch would have
// learnt them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/base/types.hpp"

namespace weft::tools::cosim::guest {

/// As many as have a MAC and an IP address of their own.
inline constexpr u32 most_guests = 64000;

/// 52:54:00:00:XX:YY, XXYY the number.
[[nodiscard]] std::string mac_address(u32 number);
/// 10.9.0.1 and on, in 10.9.0.0/16.
[[nodiscard]] std::string ip_address(u32 number);
[[nodiscard]] std::string host_name_of(u32 number);

/// Whom an Ethernet frame is for.
struct Destination {
  bool everybody = false;     ///< broadcast or multicast: all but the sender
  std::optional<u32> number;  ///< the guest with that address; none: nobody has it
};
/// `frame` from its destination address on; one that is too short for a header is for nobody.
[[nodiscard]] Destination destination_of(std::span<const std::byte> frame, u32 guests);

/// Bytes of a frame on the wire: padded to the least that Ethernet sends, and its check sequence, which QEMU leaves
/// out.
[[nodiscard]] u64 wire_bytes(u64 frame_bytes);

}  // namespace weft::tools::cosim::guest
