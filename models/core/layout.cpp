// Set-up of the local entities and of the links that leave the part.
#include "models/core/layout.hpp"

#include <algorithm>
#include <limits>

#include "engine/base/error.hpp"

namespace weft::models {

Layout::Layout(const Topology& topology, const PartOf& part_of, u32 mine, u32 parts)
    : topology_(topology), mine_(mine), parts_(parts), joins_all_(topology.joins_all()) {
  for (u32 r = 0; r < topology.routers(); ++r) {
    if (part_of(r) != mine) continue;
    routers_.push_back(r);
    router_ids_.add(r);
  }
  if (joins_all_) {
    find_all_others();
  } else {
    find_links_that_leave();
  }
  find_remote(part_of);
}

void Layout::find_links_that_leave() {
  std::vector<u32> remote;
  for (const u32 r : routers_) {
    for (u32 p = 0; p < topology_.ports(RouterId(r)); ++p) {
      const Peer peer = topology_.peer(RouterId(r), p);
      if (peer.kind == Peer::Kind::node) nics_.push_back(peer.id);
      if (peer.kind == Peer::Kind::router && router_ids_.find(peer.id) == none) {
        remote.push_back(peer.id);
        cut_classes_ |= u64{1} << topology_.link_class(RouterId(r), p);
      }
    }
  }
  cut_links_ = remote.size();
  std::ranges::sort(nics_);
  for (const u32 node : nics_) nic_ids_.add(node);
  std::ranges::sort(remote);
  remote.erase(std::unique(remote.begin(), remote.end()), remote.end());  // std::ranges::unique: beyond clang 14
  for (const u32 router : remote) remote_.push_back({.global = router});
}

/// Where every node reaches every other without links.
void Layout::find_all_others() {
  for (u32 r = 0; r < topology_.routers(); ++r) {
    if (router_ids_.find(r) == none) remote_.push_back({.global = r});
  }
  cut_classes_ = remote_.empty() ? 0 : 1;
}

/// Part and local entity of the routers at the far ends, and so the parts to exchange with.
void Layout::find_remote(const PartOf& part_of) {
  std::vector<bool> seen(parts_, false);
  std::vector<u32> next(parts_, 0);  // local entities of each part so far
  u32 router = 0;
  for (engine::RemoteEnd& end : remote_) {
    for (; router < end.global; ++router) ++next[part_of(router)];
    end.neighbour = part_of(end.global);  // for now the part itself
    end.entity = next[end.neighbour];
    seen[end.neighbour] = true;
  }
  for (u32 part = 0; part < parts_; ++part) {
    if (part == mine_ || (!seen[part] && parts_ > all_to_all_parts && !joins_all_)) continue;
    if (seen[part]) linked_.push_back(static_cast<u32>(neighbours_.size()));
    neighbours_.push_back(part);
  }
  for (engine::RemoteEnd& end : remote_) {
    const auto at = std::ranges::lower_bound(neighbours_, end.neighbour);
    end.neighbour = static_cast<u32>(at - neighbours_.begin());
  }
}

u32 Layout::entity_of(NodeId node) const {
  if (topology_.direct()) return router_ids_.find(node.value());
  const u32 nic = nic_ids_.find(node.value());
  return nic == none ? none : local_routers() + nic;
}

u32 Layout::entity_of_global(u32 global) const {
  if (global < topology_.routers()) return router_ids_.find(global);
  const u32 node = global - topology_.routers();
  return topology_.direct() || node >= topology_.nodes() ? none : entity_of(NodeId(node));
}

engine::Address Layout::address(const Peer& peer) const {
  if (peer.kind == Peer::Kind::node) return {entity_of(NodeId(peer.id))};
  const u32 local = router_ids_.find(peer.id);
  if (local != none) return {local};
  if (joins_all_) return {entities() + peer.id - router_ids_.before(peer.id)};
  const auto remote = std::ranges::lower_bound(remote_, peer.id, {}, &engine::RemoteEnd::global);
  WEFT_ASSERT(remote != remote_.end() && remote->global == peer.id);
  return {entities() + static_cast<u32>(remote - remote_.begin())};
}

engine::KernelSpec Layout::kernel_spec() const {
  engine::KernelSpec spec;
  spec.entities = entities();
  spec.remote = remote_;
  spec.neighbours = neighbours_;
  spec.linked = linked_;
  spec.neighbours_are_all = parts_ <= all_to_all_parts || joins_all_;
  return spec;
}

namespace {

/// What it costs to cut a link of each class: in inverse proportion to the latency, the longest 1. Links of nodes are
/// never cut.
std::vector<u32> cut_costs(const std::vector<Tick>& class_ticks) {
  constexpr Tick most = 1000;
  std::vector<u32> costs;
  Tick longest = 1;
  for (u32 c = 0; c < class_ticks.size(); ++c) {
    if (c != Topology::node_link_class()) longest = std::max(longest, class_ticks[c]);
  }
  for (const Tick ticks : class_ticks) costs.push_back(static_cast<u32>(std::min(most, longest / ticks)));
  return costs;
}

}  // namespace

engine::Graph router_graph(const Topology& topology, const std::vector<Tick>& class_ticks) {
  const std::vector<u32> costs = cut_costs(class_ticks);
  engine::Graph graph;
  graph.offsets.reserve(topology.routers() + 1U);
  graph.offsets.push_back(0);
  std::vector<std::pair<u32, u32>> row;  // neighbour, weight
  for (u32 r = 0; r < topology.routers(); ++r) {
    row.clear();
    for (u32 p = 0; p < topology.ports(RouterId(r)); ++p) {
      const Peer peer = topology.peer(RouterId(r), p);
      if (peer.kind == Peer::Kind::none) continue;
      if (peer.kind == Peer::Kind::router && peer.id != r) {
        row.emplace_back(peer.id, costs.empty() ? 1 : costs[topology.link_class(RouterId(r), p)]);
      }
    }
    std::ranges::sort(row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && row[i].first == row[i - 1].first) {
        graph.edge_weights.back() += row[i].second;
        continue;
      }
      graph.edges.push_back(row[i].first);
      graph.edge_weights.push_back(row[i].second);
    }
    if (graph.edges.size() > std::numeric_limits<u32>::max()) {
      throw ConfigError(
          "the network has too many links to be split as a graph (more than 2^31); use parallel.partition = \"boxes\" "
          "or "
          "\"subtrees\"");
    }
    graph.offsets.push_back(static_cast<u32>(graph.edges.size()));
    graph.vertex_weights.push_back(std::max(topology.work(RouterId(r)), 1U));
  }
  return graph;
}

}  // namespace weft::models
