// Kruskal's tree, and the walk round it.
#include "models/routing/recovery/escape_ring.hpp"

#include <algorithm>
#include <numeric>

#include "engine/base/error.hpp"

namespace weft::models {
namespace {

/// Which routers are joined.
class Joined {
 public:
  explicit Joined(u32 routers) : parent_(routers) { std::iota(parent_.begin(), parent_.end(), 0U); }
  u32 part(u32 router) {
    while (parent_[router] != router) router = parent_[router] = parent_[parent_[router]];
    return router;
  }
  /// False if they were already.
  bool join(u32 one, u32 other) {
    one = part(one);
    other = part(other);
    parent_[std::max(one, other)] = std::min(one, other);
    return one != other;
  }

 private:
  std::vector<u32> parent_;
};

}  // namespace

EscapeRing::EscapeRing(const Topology& topology) {
  if (topology.one_way())
    throw ConfigError("a ring through all routers needs links in both directions; these lead one way only");
  first_.assign(topology.routers() + 1U, 0);
  for (u32 r = 0; r < topology.routers(); ++r) first_[r + 1] = first_[r] + topology.ports(RouterId(r));
  grow_tree(topology);
  number_positions(topology);
}

/// Sets `next_` and `part_`.
void EscapeRing::grow_tree(const Topology& topology) {
  const u32 routers = topology.routers();
  std::vector<u8> in_tree(first_.back(), 0);
  Joined joined(routers);
  for (u32 r = 0; r < routers; ++r) {
    for (u32 p = 0; p < topology.ports(RouterId(r)); ++p) {
      const Peer far = topology.peer(RouterId(r), p);
      if (far.kind == Peer::Kind::router && joined.join(r, far.id))
        in_tree[first_[r] + p] = in_tree[first_[far.id] + far.port] = 1;
    }
  }
  next_.assign(first_.back(), none);
  part_.resize(routers);
  for (u32 r = 0; r < routers; ++r) {
    part_[r] = joined.part(r);
    u32 first = none, before = none;
    for (u32 p = 0; p < topology.ports(RouterId(r)); ++p) {
      if (in_tree[first_[r] + p] == 0) continue;
      if (before == none)
        first = p;
      else
        next_[first_[r] + before] = p;
      before = p;
    }
    if (before != none) next_[first_[r] + before] = first;
  }
}

void EscapeRing::number_positions(const Topology& topology) {
  const u32 routers = topology.routers();
  position_.assign(first_.back(), none);
  arrival_.assign(first_.back(), none);
  length_.assign(routers, 0);
  for (u32 r = 0; r < routers; ++r) {
    if (length_[part_[r]] != 0) continue;
    for (u32 p = 0; p < topology.ports(RouterId(r)); ++p) {
      if (next_[first_[r] + p] == none) continue;
      u32 router = r, port = p, at = 0;
      while (position_[first_[router] + port] == none) {
        position_[first_[router] + port] = at;
        const Peer far = topology.peer(RouterId(router), port);
        arrival_[first_[far.id] + far.port] = at++;
        router = far.id;
        port = next(far.id, far.port);
      }
      length_[part_[r]] = at;
      break;
    }
  }
}

u32 EscapeRing::links(u32 router, u32 port, u32 to) const {
  const u32 start = position_[first_[router] + port];
  if (start == none || !joins(router, to)) return none;
  const u32 length = length_[part_[router]];
  u32 least = none;
  for (u32 p = first_[to]; p < first_[to + 1]; ++p) {
    if (arrival_[p] != none) least = std::min(least, (arrival_[p] + length - start) % length + 1);
  }
  return least;
}

u32 EscapeRing::entry(u32 router, u32 to) const {
  u32 best = none, least = none;
  for (u32 p = 0; p < first_[router + 1] - first_[router]; ++p) {
    const u32 far = links(router, p, to);
    if (far < least) {
      least = far;
      best = p;
    }
  }
  return best;
}

}  // namespace weft::models
