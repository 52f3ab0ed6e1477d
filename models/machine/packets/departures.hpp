// Packets that links have taken, until they have come from memory.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/prefetch.hpp"
#include "engine/kernel.hpp"

namespace weft::models {

/// A packet that a link has taken.
template <class Packet>
struct Departure {
  const Packet* packet;
  engine::Address to;
  u32 input;       ///< of the router there
  u32 entity;      ///< that sends it
  u32 link_ticks;  ///< until its header is at the far end: latency of the link, and what that is slowed down by
  bool injected;   ///< from an injection queue
};

/// Departures of one tick, sent on in any order, each a few departures later, when its packet has been loaded.
template <class Packet>
class Departures {
 public:
  /// Calls send(departure) for an earlier one, if enough are pending.
  template <class Send>
  void add(Departure<Packet> departure, Send&& send) {
    engine::prefetch(departure.packet);
    std::swap(departure, slots_[added_++ % slots_.size()]);
    if (added_ > slots_.size()) send(departure);
  }
  /// Calls send(departure) for all that are left.
  template <class Send>
  void finish(Send&& send) {
    const std::size_t left = std::min<std::size_t>(added_, slots_.size());
    for (std::size_t i = 0; i < left; ++i) send(slots_[i]);
    added_ = 0;
  }

 private:
  std::array<Departure<Packet>, 8> slots_;
  u32 added_ = 0;  ///< in this tick
};

}  // namespace weft::models
