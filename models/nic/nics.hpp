// The NICs of a process that choose the routes of their packets: which, and when probes are sent. Whatever moves the
// packets asks them; docs/myrinet.md has the rules.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "models/core/statistics.hpp"
#include "models/nic/dispersion.hpp"
#include "models/nic/peer.hpp"
#include "models/routing/numbered_paths.hpp"

namespace weft::models::endpoint {

/// What all NICs of a network have in common.
struct NicSettings {
  std::string scheme = "none";  ///< in DispersionRegistry, or none
  DispersionSettings dispersion;
  u32 probe_cells = 1;
  Tick probe_ticks = 0;  ///< a route is free on which a probe travels no longer
  u64 seed = 1;
  [[nodiscard]] bool active() const { return scheme != "none"; }
};

/// `nic` is a number of the caller's, from 0 to count - 1.
class Nics {
 public:
  /// A probe that is to be sent.
  struct Probe {
    u32 to, route;
  };
  /// Keeps references to the routing and to what it counts in.
  Nics(const NicSettings& settings, const NumberedPaths& routing, u32 count, RouteCounts& counts);

  /// A packet of data begins: its path goes into its state, its number into the header.
  void begin(u32 nic, NodeId from, NodeId to, RouteState& state, NicHeader& header);
  /// The link is through with a packet of data. True if a probe is to be sent.
  [[nodiscard]] bool left(u32 nic, NodeId from, NodeId to, bool stopped, Probe& probe);
  /// Whether a packet of data must wait for the answer to a probe.
  [[nodiscard]] bool holds(u32 nic, NodeId to) {
    return nics_[nic].probing != 0 && peer(nic, to).candidate != Peer::none;
  }
  /// A packet of data has come.
  void arrived(u32 nic, NodeId from, NicHeader data);
  /// The answer to the probe that is in flight has come. True if another probe is to be sent.
  [[nodiscard]] bool answered(u32 nic, NodeId here, NodeId from, NicHeader answer, Probe& probe);
  /// The state of a probe; of an answer to one with that state, and what is written into the answer.
  [[nodiscard]] RouteState state_of(NodeId from, const Probe& probe) const;
  [[nodiscard]] RouteState answer_to(NodeId prober, NodeId here, const RouteState& probe) const;
  [[nodiscard]] static NicHeader header_of_answer(Tick travelled) {
    return {.probe_ticks = static_cast<u32>(std::min<Tick>(travelled, ~u32{0}))};
  }

  [[nodiscard]] std::size_t bytes() const;

  /// Hands a NIC's state to a writer or reader of checkpoints (StateWriter, StateReader).
  template <class Self, class F>
  static void visit(Self& self, u32 nic, F&& f) {
    auto& n = self.nics_[nic];
    f(&n.draws, sizeof n.draws);
    f(&n.probing, sizeof n.probing);
    f.table(n.peers);
  }

 private:
  struct Nic {
    u64 draws = 0;
    u32 probing = 0;          ///< probes in flight
    u32 last = 0;             ///< peer that was looked for last
    std::vector<Peer> peers;  ///< by node
  };

  [[nodiscard]] Peer& peer(u32 nic, NodeId node);
  /// If the scheme wants a probe.
  [[nodiscard]] bool make_probe(u32 nic, const Peer& p, Probe& probe);

  NicSettings settings_;
  const NumberedPaths& routing_;
  std::unique_ptr<Dispersion> scheme_;
  std::vector<Nic> nics_;
  RouteCounts& counts_;
};

}  // namespace weft::models::endpoint
