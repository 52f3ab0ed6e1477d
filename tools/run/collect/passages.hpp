// How long packets were in the network, packet by packet: from the tick in which their header left the injection queue
// to that in which they were consumed. A packet does not carry the former: both ends tell the first rank, which matches
// them by the packet's name.
#pragma once

#include <deque>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "engine/base/bytes.hpp"
#include "models/core/details.hpp"

namespace weft::tools {

/// Latencies from injection of the packets delivered in an interval; ticks. Plain words: checkpoints copy them.
struct PassageCounts {
  u64 interval = 0;
  u64 packets = 0, sum = 0, most = 0;
  std::array<u64, 4> squares{};  ///< as in models::Counters

  void add(const PassageCounts& more);
  /// Adds one packet.
  void add(Tick latency);
  /// NaN without packets.
  [[nodiscard]] double mean() const;
  [[nodiscard]] double deviation() const;
};

/// Copies that routers make of a packet, and packets that they put together, were never injected: they are left out.
class PassageBook {
 public:
  /// Latencies are counted by intervals of so many ticks, those of the whole run in one if that is 0. `cycle_ticks`: by
  /// which a delivery is behind the packet's last phit.
  PassageBook(Tick period, Tick cycle_ticks) : period_(period), cycle_ticks_(cycle_ticks) {}

  /// What happened since the last call, on all ranks, in order.
  void add(const std::vector<models::Passage>& passages);
  /// By interval.
  [[nodiscard]] std::vector<PassageCounts> counts() const;

  void put(engine::ByteWriter& to) const;
  void get(engine::ByteReader& from);

 private:
  using Name = std::tuple<Tick, u32, u32>;  ///< generated at, from, to

  Tick period_, cycle_ticks_;
  std::map<Name, std::deque<Tick>> under_way_;  ///< when they were injected; of one name, first come first out
  std::map<u64, PassageCounts> counts_;
};

}  // namespace weft::tools
