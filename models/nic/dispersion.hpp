// Schemes by which NICs choose the routes of their packets: one file each, found by name (nic.dispersion).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/base/registry.hpp"
#include "engine/random.hpp"
#include "models/nic/peer.hpp"

namespace weft::models::endpoint {

/// What schemes may know, from [router].
struct DispersionSettings {
  u32 threshold = 0;      ///< stopped packets that a NIC takes without doing something
  u32 percent = 100;      ///< probability that something is done at the threshold
  bool in_a_row = false;  ///< a packet that is not stopped sets the count to 0
  u32 probe_tries = 0;    ///< in a row; 0: as probe_rounds says
  u32 probe_rounds = 4;   ///< tries for each route of the pair
  double threshold_factor = 2;
};

/// The draws of a NIC.
class RandomDraws {
 public:
  RandomDraws(u64 seed, u32 node, u64& number) : seed_(seed), node_(node), number_(number) {}
  /// 0..bound-1.
  [[nodiscard]] u32 below(u32 bound) {
    return engine::scale_to(engine::random_bits(seed_, node_, number_++, engine::Use::dispersion), bound);
  }
  /// True with a probability of so many percent.
  [[nodiscard]] bool chance(u32 percent) { return percent >= 100 || below(100) < percent; }
  /// A route to a peer, any but that which it has; there must be two.
  [[nodiscard]] u32 other_route(const Peer& peer) {
    const u32 drawn = below(peer.routes - 1);
    return drawn < peer.route ? drawn : drawn + 1;
  }

 private:
  u64 seed_;
  u32 node_;
  u64& number_;
};

/// A scheme. It keeps nothing: what a NIC knows of a destination is in its Peer, and only those to which there are
/// several routes are asked about. It asks for a probe by setting `candidate`.
class Dispersion {
 public:
  virtual ~Dispersion() = default;
  /// The route of the next packet of data, that it has had so far (Peer::none for the first one) or another.
  [[nodiscard]] virtual u32 next(const Peer& peer, RandomDraws& draws) const {
    return peer.route != Peer::none ? peer.route : draws.below(peer.routes);
  }
  /// A packet of data has left (none does while a probe is in flight); whether flow control has held the NIC up since
  /// it was notified of the last.
  virtual void left(Peer& /*peer*/, bool /*stopped*/, RandomDraws& /*draws*/) const {}
  /// A probe has found its route taken by others; asks for another, or takes a route without.
  virtual void taken(Peer& /*peer*/, RandomDraws& /*draws*/) const {}
  /// A probe has found its route free.
  virtual void free(Peer& /*peer*/) const {}
};

/// A scheme as it registers itself.
struct DispersionKind {
  std::string help;
  std::function<std::unique_ptr<Dispersion>(const DispersionSettings&)> make;
  bool has_threshold = false;  ///< goes by DispersionSettings::threshold, percent, in_a_row
  u32 default_threshold = 0, default_percent = 100;
  bool probes = false;  ///< sends probes
};
using DispersionRegistry = Registry<DispersionKind>;

/// Counts a packet that was stopped or not. True if there are more than the peer's threshold with it ("dispersion is
/// enabled only after the number of blocked packets exceeds a specified threshold").
[[nodiscard]] inline bool count_stopped(Peer& peer, bool stopped, bool in_a_row) {
  if (!stopped) {
    if (in_a_row) peer.stopped = 0;
    return false;
  }
  return ++peer.stopped > peer.threshold;
}

}  // namespace weft::models::endpoint
