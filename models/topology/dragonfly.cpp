// Wiring of dragonflies in three arrangements of their global links, and what routes in them are like.
#include "models/topology/dragonfly.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/topology/shape_check.hpp"

namespace weft::models {

u32 Dragonfly::far_group(u32 group, u32 k) const {
  const u32 all = shape_.groups;
  switch (shape_.arrangement) {
    case Arrangement::relative:
      return (group + k + 1) % all;
    case Arrangement::absolute:
      return k < group ? k : k + 1;
    case Arrangement::circulant:
      return (k % 2 == 0 ? group + k / 2 + 1 : group + all - (k + 1) / 2) % all;
  }
  throw Bug("arrangement of global links without a rule");
}

u32 Dragonfly::port_towards(u32 from, u32 to) const {
  const u32 all = shape_.groups, up = (to + all - from) % all;
  switch (shape_.arrangement) {
    case Arrangement::relative:
      return up - 1;
    case Arrangement::absolute:
      return to < from ? to : to - 1;
    case Arrangement::circulant:
      return 2 * up <= all ? 2 * (up - 1) : 2 * (all - up) - 1;
  }
  throw Bug("arrangement of global links without a rule");
}

Dragonfly::GlobalLink Dragonfly::global_link(u32 from, u32 to, u32 l) const {
  const u32 first = l * (shape_.groups - 1), h = shape_.global_links;
  const u32 out = first + port_towards(from, to), in = first + port_towards(to, from);
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
  const u32 global = here * shape_.global_links + port - first_global_port(), others = shape_.groups - 1;
  const u32 l = global / others;
  if (l >= links_between()) return {};
  const u32 there = far_group(home, global % others);
  const GlobalLink link = global_link(home, there, l);
  return {Peer::Kind::router, router(there, link.to_number).value(), link.to_port};
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
  constexpr const char* arrangements[] = {"relative", "absolute", "circulant"};
  const u32 all = shape_.routers_per_group * shape_.global_links + 1;
  return fmt::format("{} dragonfly {},{},{}{}", arrangements[static_cast<u32>(shape_.arrangement)],
                     shape_.nodes_per_router, shape_.routers_per_group, shape_.global_links,
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

std::string Dragonfly::port_name(RouterId router, u32 port) const {
  if (port < first_global_port()) {
    return fmt::format("local port to router {} of the group", port < number(router) ? port : port + 1);
  }
  if (port < first_node_port()) return fmt::format("global port {}", port - first_global_port());
  return fmt::format("node port {}", port - first_node_port());
}

RegularPartition Dragonfly::regular_partition(u32 parts) const {
  RegularPartition result{"groups", {}, shape_.groups % parts == 0, "it has fewer groups"};
  if (parts > shape_.groups) return result;
  result.part_of = [a = shape_.routers_per_group, all = shape_.groups, parts](u32 router) {
    return static_cast<u32>(u64{router / a} * parts / all);
  };
  return result;
}

namespace {

const std::string dragonfly_in_words = "a dragonfly";
constexpr i64 most_router_ports = 65'536;

u32 checked_groups(const Parameters& keys, u64 p, u64 a, u64 h) {
  const u64 all = a * h + 1, most = std::min(all, most_nodes / (p * a));
  const u64 asked = keys.has("groups") ? static_cast<u64>(std::max<i64>(keys.integer("groups"), 0)) : all;
  if (most < 2) {
    refuse_shape("nodes_per_router", std::to_string(p), fmt::format("more than {} nodes", most_nodes),
                 fmt::format("nodes_per_router = {}", std::max<u64>(1, most_nodes / 2 / a)));
  }
  if (asked < 2 || asked > most) {
    refuse_shape("groups", std::to_string(asked),
                 asked < 2     ? "a dragonfly has at least 2 groups"
                 : asked > all ? fmt::format("{} routers of {} global links reach {} other groups", a, h, all - 1)
                               : fmt::format("more than {} nodes", most_nodes),
                 fmt::format("groups = {}", std::clamp<u64>(asked, 2, most)));
  }
  return static_cast<u32>(asked);
}

std::unique_ptr<Topology> make_dragonfly(const Parameters& keys) {
  const u32 p = checked_count(keys, "nodes_per_router", {1, most_router_ports}, dragonfly_in_words, 2);
  const u32 a = checked_count(keys, "routers_per_group", {1, most_router_ports}, dragonfly_in_words, 4);
  const u32 h = checked_count(keys, "global_links", {1, most_router_ports}, dragonfly_in_words, 2);
  if (u64{a} * h > most_nodes) {
    refuse_shape("global_links", std::to_string(h), fmt::format("a group would have more than {} of them", most_nodes),
                 fmt::format("global_links = {}", most_nodes / a));
  }
  const u32 groups = checked_groups(keys, p, a, h);
  const std::string word = keys.has("arrangement") ? keys.text("arrangement") : "relative";
  const auto arrangement = word == "absolute"    ? Dragonfly::Arrangement::absolute
                           : word == "circulant" ? Dragonfly::Arrangement::circulant
                                                 : Dragonfly::Arrangement::relative;
  return std::make_unique<Dragonfly>(Dragonfly::Shape{p, a, h, groups, arrangement});
}

Setting per_router(const std::string& key, const std::string& unit, const std::string& help) {
  return row::integer("topology." + key, unit, std::nullopt, {1, most_router_ports}, help);
}

[[maybe_unused]] const bool dragonfly_registered = TopologyRegistry::instance().add(
    "dragonfly",
    {.help = "groups of routers joined all to all, and groups joined all to all; keys: nodes_per_router, "
             "routers_per_group, global_links, groups, arrangement",
     .family = "dragonfly",
     .router = "dragonfly",
     .partition = "groups",
     .settings = {per_router("nodes_per_router", "nodes", "p, nodes of a router."),
                  per_router("routers_per_group", "routers", "a, routers of a group, joined all to all."),
                  per_router("global_links", "links", "h, links of a router to other groups."),
                  row::integer("topology.groups", "groups", std::nullopt, {2, i64{1} << 31},
                               "number of groups; as many as links reach, routers_per_group * global_links + 1, if "
                               "it is not given. With fewer, two groups have as many links as fit."),
                  row::integer("link.global.latency_cycles", "cycles", std::nullopt, {1, 1'000'000},
                               "latency of the links between groups; that of all links if it is not given."),
                  row::real("link.global.phits_per_cycle", "phits/cycle", std::nullopt, row::link_rates,
                            "rate of the links between groups; that of all links if it is not given."),
                  row::choice("topology.arrangement", "relative", {"relative", "absolute", "circulant"},
                              "which global port of a group leads to which other group: counted from the group on, "
                              "by the number of the other group, or in turn up and down from the group.")},
     .make = make_dragonfly,
     .example = {{"nodes_per_router", i64{2}}, {"routers_per_group", i64{2}}, {"global_links", i64{1}}}});

}  // namespace
}  // namespace weft::models
