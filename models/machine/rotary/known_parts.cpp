// Parts are found by a search over links of which both directions work; few links lead from part to part.
#include "models/machine/rotary/known_parts.hpp"

#include <algorithm>

namespace weft::models::rotary {

bool KnownParts::update() {
  if (sweeps_ == faults_.sweeps()) return false;
  sweeps_ = faults_.sweeps();
  part_.clear();
  ways_.clear();
  if (!faults_.looks_whole()) find_parts();
  return true;
}

void KnownParts::find_parts() {
  constexpr u32 none = ~u32{0};
  part_.assign(topology_.routers(), none);
  node_works_.resize(topology_.nodes());
  for (u32 node = 0; node < topology_.nodes(); ++node) node_works_[node] = faults_.known_to_work(NodeId(node)) ? 1 : 0;
  std::vector<std::pair<u32, u32>> one_way;  // routers
  std::vector<u32> open;
  for (u32 first = 0; first < topology_.routers(); ++first) {
    if (part_[first] != none) continue;
    part_[first] = first;
    open.assign(1, first);
    while (!open.empty()) {
      const u32 router = open.back();
      open.pop_back();
      for (u32 port = 0; port < topology_.ports(RouterId(router)); ++port) {
        const Peer far = topology_.peer(RouterId(router), port);
        if (far.kind != Peer::Kind::router || !leads_on(router, port)) continue;
        if (!leads_on(far.id, far.port)) {
          one_way.emplace_back(router, far.id);
        } else if (part_[far.id] == none) {
          part_[far.id] = first;
          open.push_back(far.id);
        }
      }
    }
  }
  for (const auto& [from, to] : one_way) {
    if (part_[from] != part_[to]) ways_.emplace_back(part_[from], part_[to]);
  }
}

/// From part to part.
bool KnownParts::leads(u32 from, u32 to) const {
  if (ways_.empty()) return false;
  std::vector<u32> reached{from};
  for (std::size_t at = 0; at < reached.size(); ++at) {
    for (const auto& [begin, end] : ways_) {
      if (begin != reached[at] || std::ranges::find(reached, end) != reached.end()) continue;
      if (end == to) return true;
      reached.push_back(end);
    }
  }
  return false;
}

}  // namespace weft::models::rotary
