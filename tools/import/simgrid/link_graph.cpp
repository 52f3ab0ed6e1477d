// Ends of links are found route by route; places without a name become one where two routes say so.
#include "tools/import/simgrid/link_graph.hpp"

#include <algorithm>

namespace weft::tools::simgrid {

LinkGraph::LinkGraph(const std::vector<Link>& links) {
  for (const Link& link : links) links_[link.name].link = &link;
}

u32 LinkGraph::fresh(bool is_named) {
  parent_.push_back(static_cast<u32>(parent_.size()));
  is_named_.push_back(is_named);
  return parent_.back();
}

u32 LinkGraph::vertex(const std::string& name) {
  const auto found = vertices_.find(name);
  if (found != vertices_.end()) return find(found->second);
  const u32 made = fresh(true);
  vertices_[name] = made;
  return made;
}

u32 LinkGraph::find(u32 vertex) const {
  while (parent_[vertex] != vertex) vertex = parent_[vertex];
  return vertex;
}

bool LinkGraph::unite(u32 a, u32 b) {
  a = find(a), b = find(b);
  if (a == b) return true;
  if (is_named_[a] && is_named_[b]) return false;
  if (is_named_[b]) std::swap(a, b);
  parent_[b] = a;
  return true;
}

bool LinkGraph::joins(const Laid& link, u32 vertex) const {
  if (link.place != none) return true;
  return std::ranges::any_of(link.ends, [&](u32 end) { return end != none && find(end) == find(vertex); });
}

u32 LinkGraph::side_of(const Laid& link, u32 at) const {
  for (u32 side = 0; side < 2; ++side) {
    if (link.ends[side] != none && find(link.ends[side]) == find(at)) return side;
  }
  for (u32 side = 0; side < 2; ++side) {
    if (link.ends[side] == none) return side;
  }
  return 2;
}

u32 LinkGraph::meet(Laid& link, u32 at) {
  if (link.place == none) {
    link.place = fresh(true);
    shared_.push_back(link.link->name);
    for (const u32 end : link.ends) {
      if (end != none) link.meeting.push_back(end);
    }
  }
  const auto is_there = [&](u32 other) { return find(other) == find(at); };
  if (std::ranges::none_of(link.meeting, is_there)) link.meeting.push_back(at);
  return link.place;
}

u32 LinkGraph::through(Laid& link, u32 at, const Laid* next, u32 last) {
  if (link.place != none) return meet(link, at);
  u32 side = side_of(link, at);
  if (side == 2) {
    if (is_named_[find(at)]) return meet(link, at);
    // A place without a name is the end of the link from which the route goes on.
    const auto goes_on = [&](u32 end) { return next == nullptr ? find(end) == find(last) : joins(*next, end); };
    side = goes_on(link.ends[1]) || !goes_on(link.ends[0]) ? 0 : 1;
    unite(link.ends[side], at);
  }
  link.ends[side] = find(at);
  u32& other = link.ends[1 - side];
  if (other == none) other = next == nullptr ? last : fresh(false);
  return find(other);
}

void LinkGraph::lay(const Route& route) {
  u32 at = vertex(route.from);
  const u32 last = vertex(route.to);
  for (std::size_t n = 0; n < route.links.size(); ++n) {
    Laid& link = links_.at(route.links[n]);
    ++link.routes;
    const Laid* const next = n + 1 < route.links.size() ? &links_.at(route.links[n + 1]) : nullptr;
    const u32 before = at;
    at = through(link, at, next, last);
    if (next != nullptr || find(at) == find(last)) continue;
    if (link.place == none && unite(at, last)) continue;
    meet(link, before);
    meet(link, last);
  }
  if (route.links.empty()) unite(at, last);
}

std::vector<LinkGraph::Edge> LinkGraph::edges() const {
  std::vector<Edge> all;
  for (const auto& [name, laid] : links_) {
    if (laid.place != none) {
      for (const u32 end : laid.meeting) all.push_back({find(end), laid.place, laid.link->cable, laid.routes});
    } else if (laid.ends[0] != none && laid.ends[1] != none && find(laid.ends[0]) != find(laid.ends[1])) {
      all.push_back({find(laid.ends[0]), find(laid.ends[1]), laid.link->cable, laid.routes});
    }
  }
  return all;
}

}  // namespace weft::tools::simgrid
