// Wiring of dragonflies, and what routes in them are like.
#include "models/topology/kind/dragonfly.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/topology/shape_check.hpp"
#include "models/topology/shapes_near.hpp"

namespace weft::models {

Dragonfly::GlobalLink Dragonfly::global_link(u32 from, u32 to, u32 l) const {
  const u32 out = links_.port(from, to, l), in = links_.port(to, from, l), h = shape_.global_links;
  return {out / h, first_global_port() + out % h, in / h, first_global_port() + in % h};
}

Peer Dragonfly::peer(RouterId at, u32 port) const {
  WEFT_ASSERT(at.value() < routers() && port < ports(at));
  const u32 here = number(at), home = group(at);
  if (port < first_global_port()) {
    const u32 there = port < here ? port : port + 1;
    return {Peer::Kind::router, router(home, there).value(), local_port(there, here)};
  }
  if (port >= first_node_port()) {
    return {Peer::Kind::node, at.value() * shape_.nodes_per_router + port - first_node_port(), 0};
  }
  const u32 h = shape_.global_links, global = here * h + port - first_global_port();
  if (!links_.connected(global)) return {};
  const GlobalLinks::Port far = links_.far({home, global});
  return {Peer::Kind::router, router(far.group, far.port / h).value(), first_global_port() + far.port % h};
}

u32 Dragonfly::router_distance(RouterId from, RouterId to) const {
  if (group(from) == group(to)) return from == to ? 0 : 1;
  u32 least = 3;
  for (u32 l = 0; l < links_between(); ++l) {
    const GlobalLink link = global_link(group(from), group(to), l);
    least = std::min(least, 1U + (link.from_number != number(from) ? 1 : 0) + (link.to_number != number(to) ? 1 : 0));
  }
  return least;
}

u32 Dragonfly::distance(NodeId from, NodeId to) const {
  return from == to ? 0 : 2 + router_distance(router_of(from), router_of(to));
}

const Dragonfly::Hops& Dragonfly::hops_between_groups() const {
  std::call_once(once_, [this] {
    const u64 a = shape_.routers_per_group, pairs = u64{shape_.groups} * (shape_.groups - 1);
    if (links_between() == 1) {
      hops_ = {pairs * (3 * a * a - 2 * a), a == 1 ? 1U : 3U};
      return;
    }
    std::vector<u32> out, in;
    std::vector<std::pair<u32, u32>> ends;
    const auto unique = [](auto& list) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
      return u64{list.size()};
    };
    for (u32 from = 0; from < shape_.groups; ++from) {
      for (u32 to = 0; to < shape_.groups; ++to) {
        if (from == to) continue;
        out.clear(), in.clear(), ends.clear();
        for (u32 l = 0; l < links_between(); ++l) {
          const GlobalLink link = global_link(from, to, l);
          out.push_back(link.from_number);
          in.push_back(link.to_number);
          ends.emplace_back(link.from_number, link.to_number);
        }
        const u64 of_one = unique(ends), of_three = (a - unique(out)) * (a - unique(in));
        hops_.sum += of_one + 2 * (a * a - of_one - of_three) + 3 * of_three;
        hops_.most = std::max(hops_.most, of_three > 0 ? 3U : of_one < a * a ? 2U : 1U);
      }
    }
  });
  return hops_;
}

u32 Dragonfly::diameter() const { return 2 + hops_between_groups().most; }

double Dragonfly::mean_distance() const {
  const double p = shape_.nodes_per_router, a = shape_.routers_per_group, all = nodes();
  const double hops = static_cast<double>(hops_between_groups().sum) + shape_.groups * a * (a - 1);
  return 2 + p * p * hops / (all * (all - 1));
}

double Dragonfly::uniform_load_bound() const {
  const double p = shape_.nodes_per_router, a = shape_.routers_per_group, g = shape_.groups, all = nodes();
  const double crossing = g * (g - 1) * a * a;  // pairs of routers
  const double per_pair = p * p / (all - 1);    // load of a pair of routers at load 1
  double bound = std::min(1.0, g * (g - 1) * links_between() / (crossing * per_pair));
  const double local_hops = static_cast<double>(hops_between_groups().sum) - crossing + g * a * (a - 1);
  if (local_hops > 0) bound = std::min(bound, g * a * (a - 1) / (local_hops * per_pair));
  return bound;
}

u64 Dragonfly::router_links() const {
  const u64 g = shape_.groups, a = shape_.routers_per_group;
  return g * a * (a - 1) / 2 + g * (g - 1) / 2 * links_between();
}

std::string Dragonfly::name() const {
  const u32 all = shape_.routers_per_group * shape_.global_links + 1;
  return fmt::format("{} dragonfly {},{},{}{}", arrangement_name(shape_.arrangement), shape_.nodes_per_router,
                     shape_.routers_per_group, shape_.global_links,
                     shape_.groups == all ? "" : fmt::format(" of {} groups", shape_.groups));
}

/// Pairs of routers that are nearer in the graph than on routes over one global link at most.
u32 Dragonfly::nearer_over_two_global_links() const {
  u32 nearer = 0;
  std::vector<u32> hops(routers());
  for (u32 from = 0; from < routers(); ++from) {
    std::ranges::fill(hops, 3U);
    hops[from] = 0;
    // Everything else is 3 hops away or less.
    for (u32 p = 0; p < first_node_port(); ++p) {
      const Peer next = peer(RouterId{from}, p);
      if (next.kind != Peer::Kind::router) continue;
      hops[next.id] = std::min(hops[next.id], 1U);
      for (u32 q = 0; q < first_node_port(); ++q) {
        const Peer far = peer(RouterId{next.id}, q);
        if (far.kind == Peer::Kind::router) hops[far.id] = std::min(hops[far.id], 2U);
      }
    }
    for (u32 to = 0; to < routers(); ++to) nearer += hops[to] < router_distance(RouterId{from}, RouterId{to}) ? 1 : 0;
  }
  return nearer;
}

std::vector<std::pair<std::string, std::string>> Dragonfly::facts() const {
  constexpr u32 most_counted = 2000;
  const u32 global_ports = shape_.routers_per_group * shape_.global_links;
  const u64 half = shape_.groups / 2;
  std::vector<std::pair<std::string, std::string>> result{
      {"groups", std::to_string(shape_.groups)},
      {"links between two groups", std::to_string(links_between())},
      {"global ports of a group without a link", std::to_string(global_ports - links_between() * (shape_.groups - 1))},
      {"links between the two halves of the groups", std::to_string(half * (shape_.groups - half) * links_between())},
      {"diameter, mean distance, load bound",
       fmt::format("of routes over one global link at most; {}",
                   links_between() == 1 ? "closed forms" : "counted over all groups, exact")}};
  if (routers() <= most_counted) {
    result.emplace_back("pairs of routers that are nearer over two global links",
                        std::to_string(nearer_over_two_global_links()));
  }
  return result;
}

std::string Dragonfly::link_name(RouterId router, u32 port) const {
  if (port < first_global_port()) {
    return fmt::format("local port to router {} of the group", port < number(router) ? port : port + 1);
  }
  if (port < first_node_port()) return fmt::format("global port {}", port - first_global_port());
  return fmt::format("node port {}", port - first_node_port());
}

namespace {

const std::string dragonfly_in_words = "a dragonfly";

std::unique_ptr<Topology> make_dragonfly(const Parameters& keys) {
  const u32 p = checked_count(keys, "nodes_per_router", {1, most_in_a_group}, dragonfly_in_words, 2);
  const u32 a = checked_count(keys, "routers_per_group", {1, most_in_a_group}, dragonfly_in_words, 4);
  const u32 h = checked_count(keys, "global_links", {1, most_in_a_group}, dragonfly_in_words, 2);
  const u32 groups = checked_groups(keys, {p, a, a, a, h, dragonfly_in_words, "routers"});
  return std::make_unique<Dragonfly>(Dragonfly::Shape{p, a, h, groups, arrangement_of(keys)});
}

std::vector<Setting> dragonfly_rows() {
  std::vector<Setting> rows{count_row("nodes_per_router", "nodes", "p, nodes of a router."),
                            count_row("routers_per_group", "routers", "a, routers of a group, joined all to all."),
                            count_row("global_links", "links", "h, links of a router to other groups.")};
  const std::vector<Setting> global = global_link_rows("routers_per_group * global_links + 1");
  rows.insert(rows.end(), global.begin(), global.end());
  return rows;
}

[[maybe_unused]] const bool dragonfly_registered = TopologyRegistry::instance().add(
    "dragonfly", {.help = "groups of routers joined all to all, and groups joined all to all; keys: nodes_per_router, "
                          "routers_per_group, global_links, groups, arrangement",
                  .family = "dragonfly",
                  .router = "dragonfly",
                  .partition = "groups",
                  .settings = dragonfly_rows(),
                  .make = make_dragonfly,
                  .example = {{"nodes_per_router", i64{2}}, {"routers_per_group", i64{2}}, {"global_links", i64{1}}}});

/// a = 2 p = 2 h, which balances the load of links (Kim, Dally, Scott and Abts, ISCA 2008), of as many groups as the
/// nodes need: the smallest routers, and those that use all ports of a radix.
std::vector<Parameters> dragonflies_near(const SizeWish& wish) {
  std::vector<Parameters> shapes;
  const i64 least = static_cast<i64>(std::ceil(std::pow(wish.nodes / 4.0, 0.25) - 0.5));
  for (const i64 h : sides_near(least, (i64{wish.radix} + 1) / 4)) {
    const i64 most = 2 * h * h + 1, groups = std::llround(wish.nodes / (2.0 * h * h));
    Parameters shape{{"nodes_per_router", h}, {"routers_per_group", 2 * h}, {"global_links", h}};
    if (groups < most) shape.set("groups", std::max<i64>(2, groups));
    shapes.push_back(shape);
  }
  return shapes;
}

[[maybe_unused]] const bool dragonflies_near_registered = add_shapes_near("dragonfly", dragonflies_near);

}  // namespace
}  // namespace weft::models
