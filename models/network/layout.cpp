// Set-up of the local entities and of the links that leave the part.
#include "models/network/layout.hpp"

#include <algorithm>

#include "engine/error.hpp"

namespace weft::models {

Layout::Layout(const Topology& topology, const std::vector<u32>& part_of_router, u32 mine, u32 parts)
    : topology_(topology), mine_(mine), parts_(parts), part_(part_of_router), local_(part_of_router.size()) {
  std::vector<u32> next(parts, 0);
  for (u32 r = 0; r < part_.size(); ++r) {
    local_[r] = next[part_[r]]++;
    if (part_[r] == mine) routers_.push_back(r);
  }
  if (!topology.direct()) {
    for (u32 n = 0; n < topology.nodes(); ++n) {
      if (part_[topology.router_of(NodeId(n)).value()] == mine) nics_.push_back(n);
    }
  }
  if (parts > 1) remote_slot_.assign(part_.size(), none);
  std::vector<bool> seen(parts, false);
  for (const u32 r : routers_) {
    for (u32 p = 0; p < topology.ports(RouterId(r)); ++p) {
      const Peer peer = topology.peer(RouterId(r), p);
      if (peer.kind != Peer::Kind::router || part_[peer.id] == mine) continue;
      ++cut_links_;
      seen[part_[peer.id]] = true;
    }
  }
  for (u32 part = 0; part < parts; ++part) {
    if (part == mine || (!seen[part] && parts > all_to_all_parts)) continue;
    if (seen[part]) linked_.push_back(static_cast<u32>(neighbours_.size()));
    neighbours_.push_back(part);
  }
}

u32 Layout::entity_of(NodeId node) const {
  if (topology_.direct()) return part_[node.value()] == mine_ ? local_[node.value()] : none;
  const auto at = std::ranges::lower_bound(nics_, node.value());
  if (at == nics_.end() || *at != node.value()) return none;
  return static_cast<u32>(routers_.size() + static_cast<std::size_t>(at - nics_.begin()));
}

u32 Layout::entity_of_global(u32 global) const {
  if (global < part_.size()) return part_[global] == mine_ ? local_[global] : none;
  const u32 node = global - static_cast<u32>(part_.size());
  return topology_.direct() || node >= topology_.nodes() ? none : entity_of(NodeId(node));
}

engine::Address Layout::address(const Peer& peer) {
  if (peer.kind == Peer::Kind::node) return {entity_of(NodeId(peer.id))};
  if (part_[peer.id] == mine_) return {local_[peer.id]};
  u32& slot = remote_slot_[peer.id];
  if (slot == none) {
    const auto at = std::ranges::lower_bound(neighbours_, part_[peer.id]);
    slot = static_cast<u32>(remote_.size());
    remote_.push_back({static_cast<u32>(at - neighbours_.begin()), local_[peer.id], peer.id});
  }
  return {entities() + slot};
}

engine::KernelSpec Layout::kernel_spec() const {
  engine::KernelSpec spec;
  spec.entities = entities();
  spec.remote = remote_;
  spec.neighbours = neighbours_;
  spec.linked = linked_;
  spec.neighbours_are_all = parts_ <= all_to_all_parts;
  return spec;
}

engine::Graph router_graph(const Topology& topology) {
  engine::Graph graph;
  graph.offsets.reserve(topology.routers() + 1U);
  graph.offsets.push_back(0);
  std::vector<u32> row;
  for (u32 r = 0; r < topology.routers(); ++r) {
    row.clear();
    u32 work = topology.direct() ? 1 : 0;
    for (u32 p = 0; p < topology.ports(RouterId(r)); ++p) {
      const Peer peer = topology.peer(RouterId(r), p);
      if (peer.kind == Peer::Kind::none) continue;
      ++work;
      if (peer.kind == Peer::Kind::router && peer.id != r) row.push_back(peer.id);
    }
    std::ranges::sort(row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && row[i] == row[i - 1]) {
        ++graph.edge_weights.back();
        continue;
      }
      graph.edges.push_back(row[i]);
      graph.edge_weights.push_back(1);
    }
    graph.offsets.push_back(static_cast<u32>(graph.edges.size()));
    graph.vertex_weights.push_back(std::max(work, 1U));
  }
  return graph;
}

}  // namespace weft::models
