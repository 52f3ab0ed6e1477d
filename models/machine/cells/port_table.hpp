// The ports of all entities of a process: what an event at a port touches lies together.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

#include "engine/prefetch.hpp"
#include "models/fabric/packet_pool.hpp"
#include "models/fabric/wire.hpp"
#include "models/machine/cells/port.hpp"

namespace weft::models::cells {

/// A record for each port: what links it with another and what changes, the queues of its input, and for each channel
/// the credits for what is behind it and the packets that have come by it and are not routed yet. Records begin at
/// cache lines.
class PortTable {
 public:
  explicit PortTable(u32 channels)
      : channels_(channels),
        lines_((sizeof(Fixed) + channels * (sizeof(i32) + sizeof(List)) + sizeof(Line) - 1) / sizeof(Line)) {}

  /// Adds the next port.
  void add(const Wire& wire, i32 credits_of_each) {
    const u32 number = size();
    bytes_.resize(bytes_.size() + lines_);
    ::new (record(number)) Fixed{{}, wire, List::none};
    for (u32 vc = 0; vc < channels_; ++vc) {
      ::new (&credits(number, vc)) i32{credits_of_each};
      ::new (&unrouted(number, vc)) List{};
    }
  }
  [[nodiscard]] u32 size() const { return static_cast<u32>(bytes_.size() / lines_); }

  [[nodiscard]] Port& port(u32 number) { return fixed(number).port; }
  [[nodiscard]] const Port& port(u32 number) const { return fixed(number).port; }
  [[nodiscard]] const Wire& wire(u32 number) const { return fixed(number).wire; }
  /// Chain of the input's queues (PacketPool).
  [[nodiscard]] u32& queues(u32 number) { return fixed(number).queues; }
  [[nodiscard]] u32 queues(u32 number) const { return fixed(number).queues; }
  [[nodiscard]] i32& credits(u32 number, u32 vc) { return as<i32>(record(number) + sizeof(Fixed))[vc]; }
  [[nodiscard]] const i32& credits(u32 number, u32 vc) const {
    return as<const i32>(record(number) + sizeof(Fixed))[vc];
  }
  [[nodiscard]] List& unrouted(u32 number, u32 vc) { return as<List>(lists(number))[vc]; }
  [[nodiscard]] const List& unrouted(u32 number, u32 vc) const { return as<const List>(lists(number))[vc]; }

  void prefetch(u32 number) const {
    const std::byte* const at = record(number);
    for (u32 line = 0; line < lines_; ++line) engine::prefetch(at + line * sizeof(Line));
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_.size() * sizeof(Line); }
  /// Of a port.
  [[nodiscard]] static u64 bytes_of_port(u64 channels) {
    return (sizeof(Fixed) + channels * (sizeof(i32) + sizeof(List)) + sizeof(Line) - 1) / sizeof(Line) * sizeof(Line);
  }

 private:
  struct Fixed {
    Port port;
    Wire wire;
    u32 queues;
  };
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  static_assert(std::is_trivially_copyable_v<Fixed> && std::is_trivially_copyable_v<List>);

  template <class T, class Byte>
  [[nodiscard]] static T* as(Byte* at) {
    return std::launder(reinterpret_cast<T*>(at));
  }
  [[nodiscard]] std::byte* record(u32 number) { return bytes_[std::size_t{number} * lines_].bytes; }
  [[nodiscard]] const std::byte* record(u32 number) const { return bytes_[std::size_t{number} * lines_].bytes; }
  [[nodiscard]] Fixed& fixed(u32 number) { return *as<Fixed>(record(number)); }
  [[nodiscard]] const Fixed& fixed(u32 number) const { return *as<const Fixed>(record(number)); }
  [[nodiscard]] std::byte* lists(u32 number) { return record(number) + sizeof(Fixed) + channels_ * sizeof(i32); }
  [[nodiscard]] const std::byte* lists(u32 number) const {
    return record(number) + sizeof(Fixed) + channels_ * sizeof(i32);
  }

  u32 channels_, lines_;
  std::vector<Line> bytes_;
};

}  // namespace weft::models::cells
