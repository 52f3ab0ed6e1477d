// The routing tables of multicast: which outputs a router copies the packets of a source to.
#pragma once

#include <vector>

#include "models/core/layout.hpp"
#include "models/machine/spinnaker/directions.hpp"
#include "models/machine/spinnaker/key_file.hpp"
#include "models/machine/spinnaker/targets.hpp"
#include "models/routing/settings.hpp"

namespace weft::models {
class Lattice;
}

namespace weft::models::spinnaker {

/// The tree of a source: shortest routes to its targets, in the order of dimensions, joined. A router of the tree needs
/// an entry unless packets go straight through it: at the source, at targets, where they branch or turn.
class MulticastTree {
 public:
  static constexpr u8 at_source = 255;
  struct Stop {
    u32 router = 0;
    u8 port = at_source;  ///< that packets left the router before through
    u8 outputs = 0;       ///< bit mask; bit `local`: the target here
    [[nodiscard]] bool needs_entry() const { return port == at_source || outputs != 1U << port; }
  };

  explicit MulticastTree(const Lattice& lattice);
  /// Where two routes meet that come from different sides, the later one follows the earlier: nobody gets two copies.
  void build(u32 source, const std::vector<u32>& targets);
  /// The source first; the last ones built.
  [[nodiscard]] const std::vector<Stop>& stops() const { return stops_; }

 private:
  void add(u32 target);

  const Lattice& lattice_;
  std::vector<Stop> stops_;
  std::vector<u32> place_;                 ///< [router] number of its stop + 1, or 0
  std::vector<std::pair<u32, u8>> route_;  ///< routers on the way to a target, and the ports to leave them by
};

/// The entries of the routers of one layout: one for each source that needs it, or those of a file, by key and mask.
class MulticastTables {
 public:
  /// Throws ConfigError, on every process alike, if a router needs more entries than it has, or if those of a file lead
  /// packets round in circles; InputError with file and line.
  MulticastTables(const Topology& topology, const RouterSettings& settings, const Layout& layout);

  /// Outputs of a local router for the packets of a source, bit mask; 0 if there is no entry. Of several that match the
  /// first one counts.
  [[nodiscard]] u8 find(u32 entity, u32 source) const;
  [[nodiscard]] u32 entries(u32 entity) const { return first_[entity + 1] - first_[entity]; }

 private:
  void draw(const Topology& topology, const RouterSettings& settings, const Layout& layout);
  void read(const Topology& topology, const RouterSettings& settings, const Layout& layout);

  std::vector<u32> first_;        ///< [entity] of its entries, and the end of the last
  std::vector<u32> sources_;      ///< of the entries, ascending for each router; without a file
  std::vector<u8> outputs_;       ///< likewise
  std::vector<KeyEntry> by_key_;  ///< of a file
  std::vector<u32> keys_;         ///< [source] of its packets, of a file; empty without one
};

}  // namespace weft::models::spinnaker
