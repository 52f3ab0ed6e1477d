// A ring through all routers of any network, for packets that have no other way out: the Euler tour of a spanning tree.
#pragma once

#include <vector>

#include "models/topology/topology.hpp"

namespace weft::models {

/// Takes each link of the tree once in each direction, and so comes through every router; a network in several parts
/// has a ring in each. Free of deadlock as any ring that packets enter only where they leave free space behind
/// (bubble): those on it can always go on, and come by their destination. A pure function of the links that work, and
/// when one of them fails or comes back, at most one other takes its place in the tree (Kruskal's, by the numbers of
/// the links): free space that packets on the ring left is there on the new one.
class EscapeRing {
 public:
  static constexpr u32 none = ~u32{0};

  /// Throws ConfigError for networks with one-way links.
  explicit EscapeRing(const Topology& topology);

  /// The port through which a packet on the ring goes on that came to a router through a port; `none` if that link is
  /// not on the ring, or nothing is.
  [[nodiscard]] u32 next(u32 router, u32 port) const { return next_[first_[router] + port]; }
  /// The port through which a packet at a router enters the ring to be at another after the fewest links; `none` if it
  /// does not lead there.
  [[nodiscard]] u32 entry(u32 router, u32 to) const;
  /// Links from a router, through a port on the ring, to another router; `none` if it does not lead there.
  [[nodiscard]] u32 links(u32 router, u32 port, u32 to) const;
  /// Whether there is a way from one router to another.
  [[nodiscard]] bool joins(u32 one, u32 other) const { return part_[one] == part_[other]; }

 private:
  void grow_tree(const Topology& topology);
  void number_positions(const Topology& topology);

  std::vector<u32> first_;     ///< [router] of its ports in what follows; one more at the end
  std::vector<u32> next_;      ///< [port] that the ring goes on through behind this one as an input
  std::vector<u32> position_;  ///< [port] as an output: on its ring
  std::vector<u32> arrival_;   ///< [port] as an input: position of the output that leads to it
  std::vector<u32> part_;      ///< [router] the part of the network that it is in
  std::vector<u32> length_;    ///< [part] outputs of its ring
};

}  // namespace weft::models
