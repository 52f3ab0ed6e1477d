// Which routers reach each other over links that all routers know to work.
#pragma once

#include <utility>
#include <vector>

#include "models/faults/live_faults.hpp"

namespace weft::models::rotary {

/// Rotary routers lead packets round failures by whatever way is left; a packet is cut off where there is none.
class KnownParts {
 public:
  /// Both must outlive it.
  KnownParts(const Topology& topology, const LiveFaults& faults) : topology_(topology), faults_(faults) {}

  /// Looks at what all know now; false if that has not changed since the last call. Costs a search of the network.
  bool update();
  /// Whether links lead from one router to another, and the node there works, as of the last update.
  [[nodiscard]] bool reaches(u32 from, u32 to) const {
    return part_.empty() || (node_works_[to] != 0 && (part_[from] == part_[to] || leads(part_[from], part_[to])));
  }

 private:
  [[nodiscard]] bool leads_on(u32 router, u32 port) const { return faults_.known_to_work(RouterId(router), port); }
  void find_parts();
  [[nodiscard]] bool leads(u32 from, u32 to) const;

  const Topology& topology_;
  const LiveFaults& faults_;
  u64 sweeps_ = 0;                         ///< LiveFaults::sweeps of the last update
  std::vector<u32> part_;                  ///< [router] number of those that links in both directions join; empty: all
  std::vector<u8> node_works_;             ///< [router], likewise
  std::vector<std::pair<u32, u32>> ways_;  ///< links from part to part of which one direction alone works
};

}  // namespace weft::models::rotary
