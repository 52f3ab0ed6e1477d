// Counting from one node, and bounds from links and cuts.
#include "models/topology/kind/symmetric_lattice.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weft::models {

std::string SymmetricLattice::link_name(RouterId /*router*/, u32 port) const {
  return fmt::format("dimension {}{}", port / 2, port % 2 == 0 ? "+" : "-");
}

double SymmetricLattice::mean_distance() const {
  return static_cast<double>(counted().sum) / (static_cast<double>(nodes_) - 1);
}

double SymmetricLattice::uniform_load_bound() const {
  // One-way links carry one way of the two: half of those of a cut lead across it, as rings come back.
  const double ways = one_way_ ? 0.5 : 1.0, all = nodes_;
  double bound = std::min(1.0, ways * wired_ports() / mean_distance());
  for (const Cut& cut : cuts()) {
    const double here = static_cast<double>(cut.nodes), there = all - here;
    bound = std::min(bound, ways * static_cast<double>(cut.links) * (all - 1) / (here * there));
  }
  return bound;
}

u32 SymmetricLattice::wired_ports() const {
  u32 wired = 0;
  for (u32 p = 0; p < 2 * dimensions(); ++p) wired += peer(RouterId{0}, p).kind == Peer::Kind::router ? 1 : 0;
  return wired;
}

u64 SymmetricLattice::narrowest_cut() const {
  u64 least = router_links();
  for (const Cut& cut : cuts()) least = std::min(least, cut.links);
  return least;
}

u64 SymmetricLattice::links_cut(u64 k, u64 s, u64 part) {
  s %= k;
  return 2 * std::min(std::min(s, k - s), std::min(part, k - part));
}

const SymmetricLattice::Count& SymmetricLattice::counted() const {
  std::call_once(once_, [this] {
    std::vector<bool> seen(nodes_);
    std::vector<u32> ring{0}, next;
    seen[0] = true;
    for (u32 hops = 0; !ring.empty(); ++hops) {
      count_.diameter = hops;
      count_.sum += u64{hops} * ring.size();
      next.clear();
      for (const u32 at : ring) {
        for (u32 p = 0; p < 2 * dimensions(); ++p) {
          const Peer far = peer(RouterId{at}, p);
          if (far.kind != Peer::Kind::router || seen[far.id] || !carries(RouterId{at}, p)) continue;
          seen[far.id] = true;
          next.push_back(far.id);
        }
      }
      std::swap(ring, next);
    }
  });
  return count_;
}

}  // namespace weft::models
