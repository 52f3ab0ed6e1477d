// Who is cut off after each of many random events, against a search of the whole network.
#include "models/faults/separations.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

#include "models/topology/topology.hpp"

namespace weft::models {
namespace {

using Part = FaultEvent::Part;
using Change = FaultEvent::Change;

/// What has failed, in the simplest form.
struct Failed {
  std::set<std::pair<u32, u32>> ends;
  std::set<u32> routers;

  void take(const Topology& t, const FaultEvent& event) {
    const bool down = event.change == Change::down;
    if (event.part == Part::router) {
      if (down) routers.insert(event.id);
      if (!down) routers.erase(event.id);
      return;
    }
    const Peer far = t.peer(RouterId(event.id), event.port);
    for (const auto& end : {std::pair(event.id, event.port), std::pair(far.id, far.port)}) {
      if (down) ends.insert(end);
      if (!down) ends.erase(end);
      if (event.one_way) break;
    }
  }
  [[nodiscard]] bool open(u32 router, u32 port, const Peer& far) const {
    return far.kind == Peer::Kind::router && !routers.contains(router) && !routers.contains(far.id) &&
           !ends.contains({router, port}) && !ends.contains({far.id, far.port});
  }
};

/// Nodes by part, but the largest (of several the first).
std::set<std::set<u32>> cut_off(const Topology& t, const Failed& failed) {
  std::vector<u32> part(t.routers());
  for (u32 r = 0; r < t.routers(); ++r) part[r] = r;
  for (bool any = true; any;) {
    any = false;
    for (u32 r = 0; r < t.routers(); ++r) {
      for (u32 p = 0; p < t.ports(RouterId(r)); ++p) {
        const Peer far = t.peer(RouterId(r), p);
        if (!failed.open(r, p, far) || part[far.id] >= part[r]) continue;
        part[r] = part[far.id];
        any = true;
      }
    }
  }
  std::map<u32, std::set<u32>> nodes;
  for (u32 n = 0; n < t.nodes(); ++n) nodes[part[t.router_of(NodeId(n)).value()]].insert(n);
  std::set<std::set<u32>> parts;
  for (const auto& [of, list] : nodes) parts.insert(list);
  auto largest = parts.begin();  // sets in order: the one of node 0 first
  for (auto at = parts.begin(); at != parts.end(); ++at) {
    if (at->size() > largest->size()) largest = at;
  }
  parts.erase(largest);
  return parts;
}

void compare(const Topology& t, u32 seed) {
  std::mt19937 draw(seed);
  std::vector<FaultEvent> events;
  Failed failed;
  Separations found(t, 100'000);
  u64 apart = 0;
  for (Tick at = 1; at < 400; ++at) {
    FaultEvent event;
    event.at = at;
    event.part = draw() % 4 == 0 ? Part::router : Part::link;
    event.id = draw() % t.routers();
    event.port = draw() % t.ports(RouterId(event.id));
    event.one_way = draw() % 5 == 0;
    const Peer far = t.peer(RouterId(event.id), event.port);
    if (event.part == Part::link && far.kind != Peer::Kind::router) continue;
    const bool is_down =
        event.part == Part::router ? failed.routers.contains(event.id) : failed.ends.contains({event.id, event.port});
    event.change = is_down ? Change::up : Change::down;
    events.push_back(event);
    failed.take(t, event);
    found.advance(events, at);
    const std::set<std::set<u32>> expected = cut_off(t, failed);
    std::set<u32> all;
    for (const std::set<u32>& one : expected) all.insert(one.begin(), one.end());
    for (u32 n = 0; n < t.nodes(); ++n) ASSERT_EQ(found.of(NodeId(n)) != nullptr, all.contains(n)) << at << ' ' << n;
    for (const std::set<u32>& one : expected) {
      const Separation* const row = found.of(NodeId(*one.begin()));
      ASSERT_EQ(row->node_count, one.size());
      ASSERT_EQ(row->until, never);
      for (const u32 n : one) ASSERT_EQ(found.of(NodeId(n)), row);
    }
    const auto is_open = [](const Separation& row) { return row.until == never; };
    ASSERT_EQ(std::ranges::count_if(found.rows(), is_open), static_cast<i64>(expected.size()));
    apart += expected.size();
  }
  EXPECT_GT(apart, 20U);
  EXPECT_EQ(found.count(), found.rows().size());
  Separations at_once(t, 3);
  at_once.advance(events, 400);
  EXPECT_EQ(at_once.count(), found.count());
  EXPECT_EQ(at_once.rows().size(), 3U);
  EXPECT_EQ(at_once.rows()[2].nodes, found.rows()[2].nodes);
}

TEST(Separations, AreThoseThatASearchOfTheWholeNetworkFinds) {
  for (u32 seed = 1; seed <= 20; ++seed) {
    compare(*make_topology({"torus", {{"dims", std::vector<i64>{4, 3}}}}), seed);
    compare(*make_topology({"mesh", {{"dims", std::vector<i64>{6}}}}), seed);
    compare(*make_topology({"tree", {{"arity", i64{2}}, {"levels", i64{3}}}}), seed);
  }
}

}  // namespace
}  // namespace weft::models
