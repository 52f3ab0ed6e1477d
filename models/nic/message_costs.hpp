// What a message costs besides the network, by the LogGOPS model (docs/ideal.md), in ticks.
#pragma once

#include <algorithm>

#include "engine/base/types.hpp"

namespace weft::models {

/// The parameters of the model.
struct LogGops {
  double latency_ns = 1000;     ///< L: from one node to another
  double overhead_ns = 0;       ///< o: of a processor, for a message that it sends or takes in
  double gap_ns = 0;            ///< g: of a NIC, from one message to the next
  double byte_gap_ns = 0.04;    ///< G: of a NIC and of the way, for each byte but the first
  double byte_overhead_ns = 0;  ///< O: of a processor, for each byte but the first
  u64 rendezvous_bytes = 0;     ///< S: longer messages are sent by rendezvous; 0: none is
};

/// The terms of the model, of messages of s bytes (s = 0 counts as 1). If L, o and g are whole numbers of ns each term
/// is rounded down to whole ns by itself, else to whole ps: floor of the product of reals, as LogGOPSim does.
class MessageCosts {
 public:
  MessageCosts() = default;  ///< nothing
  explicit MessageCosts(const LogGops& parameters);
  /// On networks with ticks of their own, so many a ns: all terms are rounded down to ticks.
  MessageCosts(const LogGops& parameters, double ticks_per_ns);

  /// 1 where terms are whole ns and every message takes one at least, 1024 where they are and some take none (so that
  /// these take a tick), 1000 where terms are in ps.
  [[nodiscard]] u64 ticks_per_ns() const { return ticks_per_ns_; }

  /// o + (s - 1) O: how long a processor is busy to send a message, or to take it in.
  [[nodiscard]] Tick cpu(u64 bytes) const { return overhead_ + per_byte(bytes, byte_overhead_); }
  /// g + (s - 1) G: how long the sending side of a NIC is busy with a message.
  [[nodiscard]] Tick gap(u64 bytes) const { return gap_ + per_byte(bytes, byte_gap_); }
  /// g: how long the receiving side of a NIC is.
  [[nodiscard]] Tick receive_gap() const { return gap_; }
  /// L + (s - 1) G: from when its processor is through with a message until it is whole at its destination.
  [[nodiscard]] Tick flight(u64 bytes) const { return latency_ + per_byte(bytes, byte_gap_); }
  /// Whether a message is sent by rendezvous.
  [[nodiscard]] bool rendezvous(u64 bytes) const {
    return rendezvous_bytes_ != 0 && std::max<u64>(bytes, 1) > rendezvous_bytes_;
  }
  /// S; 0: no message is sent by rendezvous.
  [[nodiscard]] u64 rendezvous_bytes() const { return rendezvous_bytes_; }

  /// From the beginning of a send to the end of the receive that waits for it, alone on the network; at least 1.
  [[nodiscard]] Tick alone(u64 bytes) const {
    return std::max<Tick>(1, 2 * cpu(bytes) + flight(bytes) + receive_gap());
  }
  /// The least time, at least 1, in which a node can make itself felt at another: by a message in L + o, by the end of
  /// a rendezvous in g + o.
  [[nodiscard]] Tick lookahead() const;

 private:
  [[nodiscard]] Tick ticks_of(double units) const;
  [[nodiscard]] Tick per_byte(u64 bytes, double units) const {
    return bytes <= 1 || units == 0 ? 0 : ticks_of(static_cast<double>(bytes - 1) * units);
  }

  u64 ticks_per_ns_ = 1, ticks_per_unit_ = 1;  ///< a unit is what terms are rounded to: a ns or a ps
  double byte_gap_ = 0, byte_overhead_ = 0;    ///< units
  Tick latency_ = 0, overhead_ = 0, gap_ = 0;
  u64 rendezvous_bytes_ = 0;
};

}  // namespace weft::models
