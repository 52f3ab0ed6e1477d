// What a plain router does about failed links: of the outputs that its routing offers, only those stay from which the
// routing, taken at its word at every router behind, can still get the packet to its destination.
#pragma once

#include <unordered_set>
#include <vector>

#include "models/faults/live_faults.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/faulty.hpp"

namespace weft::models {

/// Follows the routing along the links that work. Routings are pure functions of a packet and its place, so the answer
/// is the same wherever it is asked, and routings need not know of faults. It costs a walk over some of the routes
/// ahead for each packet and hop.
class OpenPaths {
 public:
  /// Who looks for paths: routers, or NICs that choose paths and give up what does not work (LiveFaults::nics_use).
  enum class View : u8 { routers, nics };

  /// All must outlive it. `live`: what fails during the run; may be null. `words`: of a set of outputs.
  OpenPaths(const Topology& topology, const LiveFaults* live, const Routing& routing, u32 channels, u32 words,
            View view = View::routers)
      : topology_(topology),
        live_(live),
        routing_(routing),
        channels_(channels),
        words_(words),
        looks_ahead_(!routing.leads_round_failures()),
        view_(view),
        whole_(failed_links_of(topology) == 0) {}

  /// A new packet whose state has been begun with `bits`: begins it anew, with other bits, if it has no path but would
  /// have one then (the other way round a ring, another order of dimensions).
  void begin(RouteState& state, NodeId from, NodeId to, u64 bits) const;
  /// Whether a packet still at its source has a path to its destination, and both work.
  [[nodiscard]] bool from_source(const PacketOnRoute& packet) const;
  /// Whether two nodes work, as all know it.
  [[nodiscard]] bool both_work(NodeId from, NodeId to) const { return works(from) && works(to); }
  /// Takes out of the candidates of a packet those that lead nowhere; `dropped` if none is left. Routings that lead
  /// round failures are given time to hear of them: if only those that are known here alone are in the way, the packet
  /// waits, without candidates.
  Verdict keep(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates) const;

 private:
  static constexpr std::size_t most_seen_first = 24;
  /// A packet somewhere on a possible path.
  struct Step {
    QueuePlace at;
    RouteState state;
  };
  /// What its further path depends on.
  struct Seen {
    u64 place, word, rest;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  struct SeenHash {
    std::size_t operator()(const Seen& s) const { return engine::remix(s.place ^ engine::remix(s.word, 1), s.rest); }
  };

  bool keep_open(const QueuePlace& at, const PacketOnRoute& packet, Candidates& candidates, bool& will_hear) const;
  /// Whether a port is known here not to lead on, and nowhere else.
  [[nodiscard]] bool heard_here_alone(u32 router, u32 port) const {
    return live_ != nullptr && !live_->detected_to_work(RouterId(router), port) &&
           live_->known_to_work(RouterId(router), port);
  }
  /// Whether the link of a port leads on to the destination.
  [[nodiscard]] bool leads_on(const QueuePlace& at, const PacketOnRoute& packet, u32 port, u32 channel) const;
  /// Whether a packet that has come to `start` can get to its destination.
  [[nodiscard]] bool arrives(const Step& start, NodeId from, NodeId to) const;
  /// Puts what is behind each candidate on the list; true if the destination is at hand.
  bool look_ahead(const Step& step, NodeId from, NodeId to) const;
  [[nodiscard]] bool first_time(const Seen& key) const;
  /// The step behind a port; false if it has no link.
  bool follow(const QueuePlace& at, const RouteState& state, u32 port, u32 channel, Step& next) const;
  [[nodiscard]] bool works(NodeId node) const {
    return topology_.works(node) && (live_ == nullptr || live_->known_to_work(node));
  }
  /// Whether nobody knows of anything that does not work; and of a link.
  [[nodiscard]] bool looks_whole() const {
    return whole_ && (live_ == nullptr || (view_ == View::nics ? live_->looks_whole_to_nics() : live_->looks_whole()));
  }
  [[nodiscard]] bool seems_to_work(u32 router, u32 port) const {
    if (live_ == nullptr) return true;
    return view_ == View::nics ? live_->nics_use(RouterId(router), port) : live_->known_to_work(RouterId(router), port);
  }
  [[nodiscard]] static u64 failed_links_of(const Topology& topology) {
    const auto* const faulty = dynamic_cast<const FaultyTopology*>(&topology);
    return faulty == nullptr ? 0 : faulty->failed_links();
  }
  /// Calls f(port, a candidate channel of it) once for each port of the candidates.
  template <class F>
  void for_each_port(const Candidates& candidates, F&& f) const;

  const Topology& topology_;
  const LiveFaults* live_;
  const Routing& routing_;
  u32 channels_, words_;
  bool looks_ahead_;  ///< the routing does not lead round failures by itself
  View view_;
  bool whole_;                       ///< all links work but for what fails during the run
  mutable std::vector<Step> ahead_;  ///< scratch of `arrives`
  mutable std::vector<u64> set_;     ///< and of `look_ahead`: a set of outputs
  /// Where it has been: the first few, which is all that most walks see; and the others.
  mutable std::vector<Seen> seen_first_;
  mutable std::unordered_set<Seen, SeenHash> seen_;
};

}  // namespace weft::models
