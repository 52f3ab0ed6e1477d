// The ports of all entities of a process. What inputs ask for goes by three small arrays; the rest of a port is one
// cache line.
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/base/prefetch.hpp"
#include "models/core/large_pages.hpp"
#include "models/core/packet_pool.hpp"
#include "models/core/wire.hpp"
#include "models/machine/cells/port.hpp"

namespace weft::models::cells {

/// Ports are numbered through the process, those of an entity in a row.
class PortTable {
 public:
  /// `keeps_arrivals`: packets wait at inputs before they are routed.
  PortTable(u32 channels, bool keeps_arrivals) : channels_(channels), keeps_arrivals_(keeps_arrivals) {}

  /// Adds the next port.
  void add(const Wire& wire, i32 credits_of_each) {
    records_.push_back({{}, wire});
    queues_.push_back(List::none);
    credits_.insert(credits_.end(), channels_, credits_of_each);
    busy_until_.push_back(0);
    read_until_.push_back(0);
    if (keeps_arrivals_) unrouted_.resize(unrouted_.size() + channels_);
  }
  [[nodiscard]] u32 size() const { return static_cast<u32>(records_.size()); }

  [[nodiscard]] Port& port(u32 number) { return records_[number].port; }
  [[nodiscard]] const Port& port(u32 number) const { return records_[number].port; }
  [[nodiscard]] const Wire& wire(u32 number) const { return records_[number].wire; }
  /// Chain of the input's queues (PacketPool).
  [[nodiscard]] u32& queues(u32 number) { return queues_[number]; }
  [[nodiscard]] u32 queues(u32 number) const { return queues_[number]; }
  /// The link out takes the next packet from then on; of a switch: the crossbar's side of it.
  [[nodiscard]] Tick& busy_until(u32 number) { return busy_until_[number]; }
  [[nodiscard]] const Tick& busy_until(u32 number) const { return busy_until_[number]; }
  /// The input hands on the next packet from then on.
  [[nodiscard]] Tick& read_until(u32 number) { return read_until_[number]; }
  [[nodiscard]] const Tick& read_until(u32 number) const { return read_until_[number]; }
  [[nodiscard]] i32& credits(u32 number, u32 vc) { return credits_[std::size_t{number} * channels_ + vc]; }
  [[nodiscard]] const i32& credits(u32 number, u32 vc) const { return credits_[std::size_t{number} * channels_ + vc]; }
  /// Packets that have come by a channel and are not routed yet.
  [[nodiscard]] List& unrouted(u32 number, u32 vc) { return unrouted_[std::size_t{number} * channels_ + vc]; }
  [[nodiscard]] const List& unrouted(u32 number, u32 vc) const {
    return unrouted_[std::size_t{number} * channels_ + vc];
  }

  void prefetch(u32 number) const { engine::prefetch(&records_[number]); }
  /// What an arrival changes besides, and what credits do.
  void prefetch_input(u32 number) const {
    engine::prefetch(&read_until_[number]);
    engine::prefetch(&queues_[number]);
  }
  void prefetch_credits(u32 number) const { engine::prefetch(&credits_[std::size_t{number} * channels_]); }
  /// What requests of inputs go by, of so many ports.
  void prefetch_states(u32 first, u32 ports) const {
    constexpr u32 line = 64;
    for (u32 port = first; port < first + ports; port += line / sizeof(Tick)) {
      engine::prefetch(&busy_until_[port]);
      engine::prefetch(&read_until_[port]);
    }
    for (u32 port = first; port < first + ports; port += line / sizeof(u32)) engine::prefetch(&queues_[port]);
    const i32* const credits = &credits_[std::size_t{first} * channels_];
    for (u32 at = 0; at < ports * channels_; at += line / sizeof(i32)) engine::prefetch(credits + at);
  }
  [[nodiscard]] std::size_t bytes() const { return size() * bytes_of_port(channels_, keeps_arrivals_); }
  /// Bytes that one port takes.
  [[nodiscard]] static u64 bytes_of_port(u64 channels, bool keeps_arrivals) {
    return sizeof(Record) + sizeof(u32) + 2 * sizeof(Tick) +
           channels * (sizeof(i32) + (keeps_arrivals ? sizeof(List) : 0));
  }

 private:
  struct alignas(64) Record {
    Port port;
    Wire wire;
  };
  static_assert(sizeof(Record) == 64);

  u32 channels_;
  bool keeps_arrivals_;
  LargeVector<Record> records_;
  LargeVector<u32> queues_;
  LargeVector<Tick> busy_until_, read_until_;
  LargeVector<i32> credits_;    ///< [port, channel]
  LargeVector<List> unrouted_;  ///< [port, channel]
};

}  // namespace weft::models::cells
