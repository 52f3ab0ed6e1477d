// Wiring of dragonflies+, and what routes in them are like.
#include "models/topology/kind/dragonfly_plus.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/topology/shape_check.hpp"
#include "models/topology/shapes_near.hpp"

namespace weft::models {

Peer DragonflyPlus::peer(RouterId at, u32 port) const {
  WEFT_ASSERT(at.value() < routers() && port < ports(at));
  const u32 here = number(at), home = group(at), q = shape_.parallel_links, h = shape_.global_links;
  if (is_leaf(at)) {
    if (port < first_node_port()) return {Peer::Kind::router, spine(home, port / q).value(), down_port(here, port % q)};
    const u32 first_node = (home * shape_.leaves + here) * shape_.nodes_per_router;
    return {Peer::Kind::node, first_node + port - first_node_port(), 0};
  }
  if (port < first_global_port()) return {Peer::Kind::router, leaf(home, port / q).value(), up_port(here, port % q)};
  const u32 global = here * h + port - first_global_port();
  if (!links_.connected(global)) return {};
  const GlobalLinks::Port far = links_.far({home, global});
  return {Peer::Kind::router, spine(far.group, far.port / h).value(), first_global_port() + far.port % h};
}

u32 DragonflyPlus::distance(NodeId from, NodeId to) const {
  if (from == to) return 0;
  if (router_of(from) == router_of(to)) return 2;
  return group_of(from) == group_of(to) ? 4 : 5;
}

double DragonflyPlus::mean_distance() const {
  const double p = shape_.nodes_per_router, of_group = group_nodes(), all = nodes();
  return (2 * (p - 1) + 4 * (of_group - p) + 5 * (all - of_group)) / (all - 1);
}

double DragonflyPlus::uniform_load_bound() const {
  const double p = shape_.nodes_per_router, of_group = group_nodes(), others = nodes() - 1.0;
  const double out_of_group = of_group * (nodes() - of_group) / others;  // at load 1
  double bound = std::min(1.0, (shape_.groups - 1.0) * links_between() / out_of_group);
  const double up_links = shape_.spines * shape_.parallel_links;
  return std::min(bound, up_links / (p * (nodes() - p) / others));
}

u64 DragonflyPlus::router_links() const {
  const u64 g = shape_.groups;
  return g * shape_.leaves * shape_.spines * shape_.parallel_links + g * (g - 1) / 2 * links_between();
}

std::string DragonflyPlus::name() const {
  const auto& [p, leaves, spines, h, q, groups, arrangement] = shape_;
  return fmt::format("{} dragonfly+ {},{},{},{}{}{}", arrangement_name(arrangement), p, leaves, spines, h,
                     q == 1 ? "" : fmt::format(", {} links to a spine", q),
                     groups == spines * h + 1 ? "" : fmt::format(" of {} groups", groups));
}

std::vector<std::pair<std::string, std::string>> DragonflyPlus::facts() const {
  const u32 global_ports = shape_.spines * shape_.global_links;
  const u64 half = shape_.groups / 2;
  return {
      {"groups", std::to_string(shape_.groups)},
      {"leaves, spines", fmt::format("{}, {}", kind_routers(leaf_kind), kind_routers(spine_kind))},
      {"ports of a leaf, of a spine", fmt::format("{}, {}", kind_ports(leaf_kind), kind_ports(spine_kind))},
      {"links between two groups", std::to_string(links_between())},
      {"global ports of a group without a link", std::to_string(global_ports - links_between() * (shape_.groups - 1))},
      {"links between the two halves of the groups", std::to_string(half * (shape_.groups - half) * links_between())},
      {"diameter, mean distance, load bound", "closed forms"}};
}

std::string DragonflyPlus::link_name(RouterId router, u32 port) const {
  const u32 q = shape_.parallel_links;
  const std::string link = q == 1 ? "" : fmt::format(", link {}", port % q);
  if (is_leaf(router)) {
    if (port < first_node_port()) return fmt::format("up to spine {}{}", port / q, link);
    return fmt::format("node port {}", port - first_node_port());
  }
  if (port < first_global_port()) return fmt::format("down to leaf {}{}", port / q, link);
  return fmt::format("global port {}", port - first_global_port());
}

namespace {

const std::string dragonfly_plus_in_words = "a dragonfly+";
constexpr i64 most_parallel_links_up = 1024;

void check_links_inside(const std::string& key, u64 routers, u64 links) {
  if (routers * links <= most_in_a_group) return;
  refuse_shape(key, std::to_string(routers),
               fmt::format("with parallel_links = {} a router would have more than {} links in its group", links,
                           most_in_a_group),
               fmt::format("{} = {}", key, most_in_a_group / links));
}

std::unique_ptr<Topology> make_dragonfly_plus(const Parameters& keys) {
  const auto count = [&](const char* key, i64 example, i64 most = most_in_a_group) {
    return checked_count(keys, key, {1, most}, dragonfly_plus_in_words, example);
  };
  const u32 p = count("nodes_per_router", 4), leaves = count("leaves", 4), spines = count("spines", 4);
  const u32 h = count("global_links", 4);
  const u32 q = keys.has("parallel_links") ? count("parallel_links", 1, most_parallel_links_up) : 1;
  check_links_inside("leaves", leaves, q);
  check_links_inside("spines", spines, q);
  const u32 groups = checked_groups(keys, {p, leaves, leaves + spines, spines, h, dragonfly_plus_in_words, "spines"});
  return std::make_unique<DragonflyPlus>(DragonflyPlus::Shape{p, leaves, spines, h, q, groups, arrangement_of(keys)});
}

std::vector<Setting> dragonfly_plus_rows() {
  std::vector<Setting> rows{count_row("nodes_per_router", "nodes", "p, nodes of a leaf."),
                            count_row("leaves", "switches", "leaves of a group, each joined to all of its spines."),
                            count_row("spines", "switches", "spines of a group."),
                            count_row("global_links", "links", "h, links of a spine to other groups."),
                            row::integer("topology.parallel_links", "links", 1, {1, most_parallel_links_up},
                                         "links between a leaf and a spine of its group.")};
  const std::vector<Setting> global = global_link_rows("spines * global_links + 1");
  rows.insert(rows.end(), global.begin(), global.end());
  return rows;
}

[[maybe_unused]] const bool dragonfly_plus_registered = TopologyRegistry::instance().add(
    "dragonfly-plus",
    {.help = "groups of leaves with nodes and spines with links to other groups (dragonfly+, megafly), joined all to "
             "all; keys: nodes_per_router, leaves, spines, global_links, parallel_links, groups, arrangement",
     .family = "dragonfly-plus",
     .router = "dragonfly-plus",
     .partition = "groups",
     .settings = dragonfly_plus_rows(),
     .make = make_dragonfly_plus,
     .example = {{"nodes_per_router", i64{2}}, {"leaves", i64{2}}, {"spines", i64{2}}, {"global_links", i64{1}}}});

/// As many nodes as spines at a leaf, and as many global links as leaves at a spine, which balances the load of links
/// (Shpiner et al., HiPINEB 2017), of as many groups as the nodes need: the smallest switches,
/// and those that use all ports of a radix.
std::vector<Parameters> dragonflies_plus_near(const SizeWish& wish) {
  std::vector<Parameters> shapes;
  const i64 least = static_cast<i64>(std::ceil(std::pow(wish.nodes, 0.25) - 0.5));
  for (const i64 k : sides_near(least, i64{wish.radix} / 2)) {
    const i64 most = k * k + 1, groups = std::llround(static_cast<double>(wish.nodes) / static_cast<double>(k * k));
    Parameters shape{{"nodes_per_router", k}, {"leaves", k}, {"spines", k}, {"global_links", k}};
    if (groups < most) shape.set("groups", std::max<i64>(2, groups));
    shapes.push_back(shape);
  }
  return shapes;
}

[[maybe_unused]] const bool dragonflies_plus_near_registered = add_shapes_near("dragonfly-plus", dragonflies_plus_near);

}  // namespace
}  // namespace weft::models
