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
  u32 subset = 0;        ///< routes of each pair that NICs know; 0: all
  u32 memory = 0;        ///< routes that a NIC holds; 0: all that it knows
  Tick fetch_ticks = 0;  ///< from asking the host for a route to having it
  u64 seed = 1;
  [[nodiscard]] bool active() const { return scheme != "none"; }
};

/// `nic` is a number of the caller's, from 0 to count - 1.
class Nics {
 public:
  /// A probe that is to be sent.
  struct Probe {
    u32 to, route;
    u32 first = 0;  ///< Peer::first
  };
  /// Keeps references to the routing and to what it counts in.
  Nics(const NicSettings& settings, const NumberedPaths& routing, u32 count, RouteCounts& counts);

  /// When the next packet of data for a node may begin, as far as its route must be in the NIC's memory: asked whenever
  /// nothing else keeps it back.
  [[nodiscard]] Tick prepare(u32 nic, NodeId from, NodeId to, Tick now) {
    return settings_.memory == 0 ? 0 : fetch(nic, from, to, now);
  }
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
    f.table(n.memory);
  }

 private:
  struct Nic {
    u64 draws = 0;
    u32 probing = 0;          ///< probes in flight
    u32 last = 0;             ///< peer that was looked for last
    std::vector<Peer> peers;  ///< by node
    std::vector<u64> memory;  ///< node << 32 | route, the longest unused first
  };

  [[nodiscard]] Peer& peer(u32 nic, NodeId node);
  /// How many routes a NIC knows of a pair, and which is number 0 of them.
  void learn(Peer& p, u32 nic, NodeId from, NodeId to);
  /// The pair's own number of a route.
  [[nodiscard]] u32 number_of(NodeId from, NodeId to, u32 first, u32 route) const {
    return settings_.subset == 0 ? route : (first + route) % std::max(1U, routing_.routes(from, to));
  }
  void choose(Peer& p, u32 nic, NodeId from, NodeId to);
  [[nodiscard]] Tick fetch(u32 nic, NodeId from, NodeId to, Tick now);
  /// If the scheme wants a probe.
  [[nodiscard]] bool make_probe(u32 nic, const Peer& p, Probe& probe);

  NicSettings settings_;
  const NumberedPaths& routing_;
  std::unique_ptr<Dispersion> scheme_;
  std::vector<Nic> nics_;
  RouteCounts& counts_;
};

}  // namespace weft::models::endpoint
