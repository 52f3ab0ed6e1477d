// Failing links, routers and nodes, and what is left of a network then.
#include "models/topology/faulty.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "models/topology/router_groups.hpp"

namespace weft::models {
namespace {

/// `count` different numbers below `all`, sorted, each set with the same chance (Floyd's algorithm).
std::vector<u64> sample(u64 all, u64 count, u64 seed, u32 stream) {
  std::set<u64> chosen;
  for (u64 top = all - count; top < all; ++top) {
    const u64 bits = engine::random_bits(seed, stream, top, engine::Use::kernel);
    const u64 drawn = static_cast<u64>((static_cast<u128>(bits) * (top + 1)) >> 64);
    if (!chosen.insert(drawn).second) chosen.insert(top);
  }
  return {chosen.begin(), chosen.end()};
}

void check_number(const char* key, const char* what, i64 number, u32 count) {
  if (number >= 0 && number < count) return;
  throw ConfigError(fmt::format("{}: there is no {} {} (the network has {}, from 0); the nearest valid value is {}",
                                key, what, number, count, number < 0 ? 0 : count - 1));
}

std::string counted(u64 count, const char* what) {
  return fmt::format("{} failed {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

FaultyTopology::FaultyTopology(std::unique_ptr<Topology> whole, const FaultSpec& spec)
    : ReducedTopology(std::move(whole)), damaged_(routers(), false), node_failed_(nodes(), false) {
  fail_links(spec.links);
  fail_routers(spec.routers);
  fail_nodes(spec.nodes);
  std::ranges::sort(failed_ends_);
  if (spec.random_links > 0) fail_random_links(spec.random_links, spec.seed);
  if (spec.random_nodes > 0) fail_random_nodes(spec.random_nodes, spec.seed);
}

void FaultyTopology::fail_links(const std::vector<i64>& ends) {
  if (ends.size() % 2 != 0) {
    throw ConfigError(
        fmt::format("faults.links: {} numbers are no pairs of router and port; give router, port of one "
                    "end of each link, e.g. links = [0, 2, 5, 0]",
                    ends.size()));
  }
  for (std::size_t i = 0; i < ends.size(); i += 2) {
    check_number("faults.links", "router", ends[i], inner().routers());
    const u32 router = static_cast<u32>(ends[i]), most = inner().ports(RouterId(router));
    if (ends[i + 1] < 0 || ends[i + 1] >= most) {
      throw ConfigError(
          fmt::format("faults.links: router {} has no port {} (it has {}, from 0); the nearest valid "
                      "value is {}",
                      router, ends[i + 1], most, ends[i + 1] < 0 ? 0 : most - 1));
    }
    const u32 port = static_cast<u32>(ends[i + 1]);
    if (inner().peer(RouterId(router), port).kind == Peer::Kind::none) {
      throw ConfigError(
          fmt::format("faults.links: port {} of router {} has no link that could fail; remove the pair", port, router));
    }
    fail_port(router, port);
  }
}

void FaultyTopology::fail_routers(const std::vector<i64>& routers) {
  std::vector<i64> all = routers;
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());  // std::ranges::unique is beyond the fuzzers' clang 14
  for (const i64 number : all) {
    check_number("faults.routers", "router", number, inner().routers());
    const u32 router = static_cast<u32>(number);
    ++failed_routers_;
    damaged_[router] = true;
    for (u32 p = 0; p < inner().ports(RouterId(router)); ++p) fail_port(router, p);
    if (inner().direct()) fail_node(router);
  }
}

void FaultyTopology::fail_nodes(const std::vector<i64>& nodes) {
  for (const i64 node : nodes) {
    check_number("faults.nodes", "node", node, inner().nodes());
    fail_node(static_cast<u32>(node));
  }
}

void FaultyTopology::fail_port(u32 router, u32 port) {
  const Peer peer = inner().peer(RouterId(router), port);
  if (peer.kind == Peer::Kind::none) return;
  if (peer.kind == Peer::Kind::node) return fail_node(peer.id);
  // Few fail one by one: at random, they are sorted in at the end.
  if (std::ranges::find(failed_ends_, end_of(router, port)) != failed_ends_.end()) return;
  failed_ends_.push_back(end_of(router, port));
  if (end_of(peer.id, peer.port) != end_of(router, port)) failed_ends_.push_back(end_of(peer.id, peer.port));
  damaged_[router] = damaged_[peer.id] = true;
  ++failed_links_;
}

void FaultyTopology::fail_node(u32 node) {
  if (node_failed_[node]) return;
  node_failed_[node] = true;
  ++failed_nodes_;
}

template <class F>
void FaultyTopology::for_each_link(F&& f) const {
  for (u32 r = 0; r < routers(); ++r) {
    for (u32 p = 0; p < ports(RouterId(r)); ++p) {
      const Peer far = peer(RouterId(r), p);
      if (far.kind == Peer::Kind::router && end_of(r, p) <= end_of(far.id, far.port)) f(r, p);
    }
  }
}

void FaultyTopology::fail_random_links(u64 count, u64 seed) {
  u64 all = 0;
  for_each_link([&](u32, u32) { ++all; });
  if (count > all) {
    throw ConfigError(
        fmt::format("faults.random_links = {} is more than the {} links between routers that are left; "
                    "the nearest valid value is {}",
                    count, all, all));
  }
  const std::vector<u64> chosen = sample(all, count, seed, 0);
  std::vector<u64> ends;
  u64 number = 0;
  auto next = chosen.begin();
  for_each_link([&](u32 r, u32 p) {
    if (next == chosen.end() || *next != number++) return;
    ++next;
    const Peer far = inner().peer(RouterId(r), p);
    ends.push_back(end_of(r, p));
    if (end_of(far.id, far.port) != end_of(r, p)) ends.push_back(end_of(far.id, far.port));
    damaged_[r] = damaged_[far.id] = true;
  });
  failed_links_ += count;
  failed_ends_.insert(failed_ends_.end(), ends.begin(), ends.end());
  std::ranges::sort(failed_ends_);
}

void FaultyTopology::fail_random_nodes(u64 count, u64 seed) {
  const u64 all = nodes() - failed_nodes_;
  if (count > all) {
    throw ConfigError(
        fmt::format("faults.random_nodes = {} is more than the {} nodes that are left; the nearest valid "
                    "value is {}",
                    count, all, all));
  }
  const std::vector<u64> chosen = sample(all, count, seed, 1);
  std::vector<u32> left;
  left.reserve(all);
  for (u32 n = 0; n < nodes(); ++n) {
    if (!node_failed_[n]) left.push_back(n);
  }
  for (const u64 ix : chosen) fail_node(left[ix]);
}

bool FaultyTopology::link_failed(RouterId router, u32 port) const {
  return damaged(router) && std::ranges::binary_search(failed_ends_, end_of(router.value(), port));
}

Peer FaultyTopology::peer(RouterId router, u32 port) const {
  const Peer far = inner().peer(router, port);
  if (far.kind == Peer::Kind::node && node_failed_[far.id]) return {};
  return link_failed(router, port) ? Peer{} : far;
}

std::vector<u32> FaultyTopology::groups_of_routers() const { return router_groups(*this); }

Connectivity FaultyTopology::connectivity() const {
  Connectivity found;
  found.nodes = nodes() - failed_nodes_;
  const std::vector<u32> group = groups_of_routers();
  std::vector<u32> nodes_in(routers(), 0);  // [group]
  std::vector<bool> there(routers(), false);
  for (u32 n = 0; n < nodes(); ++n) nodes_in[group[router_of(NodeId(n)).value()]] += node_failed_[n] ? 0 : 1;
  for (u32 r = 0; r < routers(); ++r) {
    bool linked = false;
    for (u32 p = 0; p < ports(RouterId(r)) && !linked; ++p) {
      linked = peer(RouterId(r), p).kind == Peer::Kind::router;
    }
    if (linked) there[group[r]] = true;
  }
  for (u32 g = 0; g < routers(); ++g) {
    found.groups += there[g] || nodes_in[g] > 0 ? 1 : 0;
    found.largest_nodes = std::max(found.largest_nodes, nodes_in[g]);
  }
  return found;
}

std::string FaultyTopology::name() const {
  std::vector<std::string> parts;
  if (failed_links_ > 0) parts.push_back(counted(failed_links_, "link"));
  if (failed_routers_ > 0) parts.push_back(counted(failed_routers_, "router"));
  if (failed_nodes_ > 0) parts.push_back(counted(failed_nodes_, "node"));
  if (parts.empty()) return inner().name();
  return fmt::format("{} with {}", inner().name(), fmt::join(parts, ", "));
}

std::vector<std::pair<std::string, std::string>> FaultyTopology::facts() const {
  auto facts = inner().facts();
  facts.emplace_back("failed",
                     fmt::format("{} of {} links between routers, {} of {} routers, {} of {} nodes", failed_links_,
                                 inner().router_links(), failed_routers_, routers(), failed_nodes_, nodes()));
  const Connectivity left = connectivity();
  facts.emplace_back("connected",
                     left.connected()
                         ? fmt::format("yes: links lead from each of the {} nodes left to every other", left.nodes)
                         : fmt::format("no: the routers fall into {} groups; the largest has {} of the {} nodes left",
                                       left.groups, left.largest_nodes, left.nodes));
  return facts;
}

std::unique_ptr<Topology> with_faults(std::unique_ptr<Topology> whole, const FaultSpec& spec) {
  if (!spec.any()) return whole;
  return std::make_unique<FaultyTopology>(std::move(whole), spec);
}

}  // namespace weft::models
