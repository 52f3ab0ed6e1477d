// Which nodes failures cut off from the others, since when and until when: what runs tell of their faults. Found from
// the list of events alone, so it is the same however a run was computed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/faults/fault_event.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Nodes from which links that work led to each other for a time, but not to the largest part of the network.
struct Separation {
  Tick since = 0;
  Tick until = never;  ///< never: it was not over
  std::string nodes;   ///< "4, 5", "0-15, 32-47", "0, 2, 4 and 13 more"
  u32 node_count = 0;
};

/// A link of which one direction has failed is none; nodes that fail during the run count as if they worked. The
/// part with most nodes is not cut off (of several: that of the lowest node). Whether routings use the links, and who
/// knew of what, does not matter. Networks of one-way links whose routers do not reach each other have none.
class Separations {
 public:
  /// The topology must outlive it. Beyond `most`, separations are counted only.
  Separations(const Topology& topology, std::size_t most);
  ~Separations();
  Separations(const Separations&) = delete;
  Separations& operator=(const Separations&) = delete;
  Separations(Separations&&) = delete;
  Separations& operator=(Separations&&) = delete;

  /// Takes all events, by time, that are at or before `end`; those of the call before may be among them. Costs a search
  /// around each link that fails, and one of the whole network when parts are cut off or joined.
  void advance(std::span<const FaultEvent> events, Tick end);

  /// By when they began.
  [[nodiscard]] const std::vector<Separation>& rows() const;
  /// How many there were, those beyond `most` too.
  [[nodiscard]] u64 count() const;
  /// How the nodes that a node is cut off with now are called, and since when; null if it is in the largest part.
  [[nodiscard]] const Separation* of(NodeId node) const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::models
