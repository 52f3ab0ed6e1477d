// Walks from every switch that has hosts, each as far as another one has not been.
#include "models/subnet/routes.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace weft::models {

std::vector<u32> hosts_of_switches(const Subnet& subnet) {
  std::vector<u32> hosts(subnet.switches(), 0);
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const Peer peer = subnet.peer_of_host(h);
    if (peer.kind == Peer::Kind::router) ++hosts[peer.id];
  }
  return hosts;
}

TargetTree::TargetTree(const Subnet& subnet, const ForwardingTables& tables)
    : subnet_(subnet), tables_(tables), hosts_(hosts_of_switches(subnet)), at_(subnet.switches()) {
  for (u32 s = 0; s < subnet.switches(); ++s) {
    if (hosts_[s] > 0) with_hosts_.push_back(s);
  }
}

Peer TargetTree::next(u32 s) const {
  const u8 port = row_[s];
  if (port == ForwardingTables::none || port == 0 || port > subnet_.switch_at(s).ports) return {};
  return subnet_.next(s, port);
}

void TargetTree::walk(u32 target) {
  ++walks_;
  row_ = tables_.row(target);
  order_.clear();
  target_host_ = tables_.host_of(target);
  const Peer home = subnet_.peer_of_host(target_host_);
  target_switch_ = home.kind == Peer::Kind::router ? home.id : UINT32_MAX;
  for (const u32 s : with_hosts_) {
    if (sources(s) > 0 && at_[s].walk != walks_) follow(s);
  }
}

bool TargetTree::sends_on(u32 s) {
  State& here = at_[s];
  here = {walks_, 0, RouteEnd::arrives, false};
  const u8 port = row_[s];
  if (port == ForwardingTables::none || port == 0 || port > subnet_.switch_at(s).ports) {
    here.end = RouteEnd::no_entry;
    return false;
  }
  const Peer peer = subnet_.next(s, port);
  if (peer.kind == Peer::Kind::router) return true;
  if (peer.kind == Peer::Kind::none) {
    here.end = RouteEnd::not_cabled;
  } else if (peer.id != target_host_) {
    here.end = RouteEnd::wrong_host;
  }
  here.links = 1;
  return false;
}

void TargetTree::follow(u32 from) {
  path_.clear();
  u32 at = from;
  while (at_[at].walk != walks_) {
    path_.push_back(at);
    if (!sends_on(at)) break;
    at_[at].on_path = true;
    at = subnet_.peer(at, row_[at]).id;
  }
  // `at` is the last of the path, which sends no further, or a switch known before, or one of the path itself.
  const bool looped = at_[at].on_path;
  RouteEnd end = looped ? RouteEnd::loops : at_[at].end;
  u32 links = at_[at].links;
  for (; !path_.empty(); path_.pop_back()) {
    const u32 s = path_.back();
    State& here = at_[s];
    here.on_path = false;
    here.end = end;
    if (s != at || looped) here.links = ++links;
    order_.push_back(s);
  }
}

namespace {

/// What one tree adds to the counts.
void add_tree(const Subnet& subnet, const TargetTree& tree, u32 target, std::vector<u64>& flow, RouteSurvey& survey) {
  std::array<RouteFault, 5> fault;
  for (const u32 s : tree.switches()) {
    survey.visited[s] = 1;
    if (tree.next(s).kind != Peer::Kind::none) ++survey.targets_through[subnet.channel(s, tree.port(s))];
    flow[s] = tree.sources(s);
    const u64 sources = flow[s];
    if (sources == 0) continue;
    survey.routes += sources;
    survey.ends[static_cast<std::size_t>(tree.end(s))] += sources;
    if (tree.end(s) != RouteEnd::arrives) {
      RouteFault& found = fault[static_cast<std::size_t>(tree.end(s))];
      if (found.routes == 0) found = {tree.end(s), s, target, s, 0};
      found.routes += sources;
      continue;
    }
    const u32 links = tree.links(s) + 1;
    if (links >= survey.links.size()) survey.links.resize(links + 1, 0);
    survey.links[links] += sources;
  }
  for (auto s = tree.switches().rbegin(); s != tree.switches().rend(); ++s) {
    if (tree.end(*s) != RouteEnd::arrives) continue;
    survey.routes_through[subnet.channel(*s, tree.port(*s))] += flow[*s];
    const Peer next = tree.next(*s);
    if (next.kind == Peer::Kind::router) flow[next.id] += flow[*s];
  }
  for (RouteFault& found : fault) {
    if (found.routes == 0 || survey.faults.size() >= RouteSurvey::most_faults) continue;
    // From the switch, where it was noted, to the end.
    for (u32 hops = 0; hops <= subnet.switches(); ++hops) {
      const Peer next = tree.next(found.at);
      if (next.kind != Peer::Kind::router) break;
      found.at = next.id;
    }
    survey.faults.push_back(found);
  }
}

}  // namespace

RouteSurvey survey_routes(const Subnet& subnet, const ForwardingTables& tables) {
  RouteSurvey survey;
  survey.targets_through.assign(subnet.switch_channels(), 0);
  survey.routes_through.assign(subnet.switch_channels(), 0);
  survey.visited.assign(subnet.switches(), 0);
  std::vector<u32> some_host(subnet.switches(), 0), other_host(subnet.switches(), 0);
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const Peer peer = subnet.peer_of_host(h);
    if (peer.kind != Peer::Kind::router) {
      ++survey.not_cabled_sources;
      continue;
    }
    other_host[peer.id] = some_host[peer.id];
    some_host[peer.id] = h;
  }
  TargetTree tree(subnet, tables);
  std::vector<u64> flow(subnet.switches(), 0);
  for (u32 t = 0; t < tables.targets(); ++t) {
    tree.walk(t);
    add_tree(subnet, tree, t, flow, survey);
  }
  for (RouteFault& fault : survey.faults) {
    const u32 s = fault.host;
    fault.host = some_host[s] == tables.host_of(fault.target) ? other_host[s] : some_host[s];
  }
  return survey;
}

std::vector<u32> loop_from(const Subnet& subnet, const ForwardingTables& tables, u32 at, u32 target) {
  std::vector<u32> switches;
  const u8* const row = tables.row(target);
  while (std::ranges::find(switches, at) == switches.end()) {
    switches.push_back(at);
    const u8 port = row[at];
    if (port == ForwardingTables::none || port == 0 || port > subnet.switch_at(at).ports) return {};
    const Peer next = subnet.next(at, port);
    if (next.kind != Peer::Kind::router) return {};
    at = next.id;
  }
  switches.erase(switches.begin(), std::ranges::find(switches, at));
  return switches;
}

}  // namespace weft::models
