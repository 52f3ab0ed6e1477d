// Endpoints: simulators of nodes (virtual machines, other programs) that are joined by a simulated network.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools::cosim {

/// A message that an endpoint sends, or that comes to one.
struct Parcel {
  u64 at_ns = 0;                   ///< simulated time: when it is sent, or when it comes
  u32 from = 0, to = 0;            ///< endpoints, from 0
  u64 bytes = 0;                   ///< length in the network, from 1
  std::vector<std::byte> payload;  ///< carried and not looked at; may be shorter than `bytes`, or empty
};

/// What an endpoint did in a slice of time.
struct Advanced {
  std::vector<Parcel> sent;  ///< ascending at_ns, none before the slice or after it
  u64 idle_until_ns = 0;     ///< unless a message comes, it does nothing before; `never`: nothing at all
  bool over = false;         ///< it has ended, and takes no more part
};

/// What becomes of an endpoint, for the result.
struct EndpointReport {
  std::string name;
  u64 instructions = 0;   ///< that it ran; 0 where that is not known
  std::string said = {};  ///< its own last word, if it had one
  /// How what it ran has failed though it took its part to the end, a sentence up to its hint; empty: it has not.
  std::string failure = {};
  std::string last_words = {};  ///< of one that failed: lines that may say why
};

/// An endpoint. Several are let run at the same time: `begin_advance` of all, then `end_advance` of all.
class Endpoint {
 public:
  Endpoint() = default;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;
  /// Nothing that it started is left running.
  virtual ~Endpoint() = default;
  /// Lets it run up to the simulated time `until_ns`, with what comes to it before (ascending at_ns). Does not wait.
  virtual void begin_advance(u64 until_ns, const std::vector<Parcel>& arrivals) = 0;
  /// Waits until it is there. Throws SystemError that names the endpoint if it died, hangs or breaks the rules.
  [[nodiscard]] virtual Advanced end_advance() = 0;
  /// The run is over at that time, also for those that had ended before.
  virtual void end(u64 /*now_ns*/) {}
  [[nodiscard]] virtual EndpointReport report() const = 0;
};

}  // namespace weft::tools::cosim
