// Counting from one node, and bounds from links and cuts.
#include "models/topology/kind/symmetric_lattice.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace weft::models {

Peer SymmetricLattice::peer(RouterId router, u32 port) const {
  WEFT_ASSERT(router.value() < nodes_ && port < 2 * dimensions());
  const u32 far = moved(router.value(), port);
  if (far == router.value()) return {};
  return {Peer::Kind::router, far, port ^ 1U};
}

std::string SymmetricLattice::link_name(RouterId /*router*/, u32 port) const {
  return fmt::format("dimension {}{}", port / 2, port % 2 == 0 ? "+" : "-");
}

double SymmetricLattice::mean_distance() const {
  return static_cast<double>(counted().sum) / (static_cast<double>(nodes_) - 1);
}

double SymmetricLattice::uniform_load_bound() const {
  // One-way links carry one way of the two: half of those of a cut lead across it, as rings come back.
  const double ways = one_way_ ? 0.5 : 1.0;
  return bound_by_cuts(ways * wired_ports() / mean_distance(), ways);
}

u32 SymmetricLattice::wired_ports() const {
  u32 wired = 0;
  for (u32 p = 0; p < 2 * dimensions(); ++p) wired += moved(0, p) != 0 ? 1 : 0;
  return wired;
}

u64 SymmetricLattice::links_cut(u64 k, u64 s, u64 part) {
  s %= k;
  return 2 * std::min(std::min(s, k - s), std::min(part, k - part));
}

const SymmetricLattice::Count& SymmetricLattice::counted() const {
  std::call_once(once_, [this] {
    if (const std::vector<u32>* const kept = kept_hops()) {
      count_ = {std::ranges::max(*kept), std::accumulate(kept->begin(), kept->end(), u64{0})};
      return;
    }
    std::vector<bool> seen(nodes_);
    std::vector<u32> ring{0}, next;
    seen[0] = true;
    for (u32 hops = 0; !ring.empty(); ++hops) {
      count_.diameter = hops;
      count_.sum += u64{hops} * ring.size();
      next.clear();
      for (const u32 at : ring) {
        for (u32 p = 0; p < 2 * dimensions(); ++p) {
          if (!carries(RouterId{at}, p)) continue;
          const u32 far = moved(at, p);
          if (seen[far]) continue;
          seen[far] = true;
          next.push_back(far);
        }
      }
      std::swap(ring, next);
    }
  });
  return count_;
}

}  // namespace weft::models
