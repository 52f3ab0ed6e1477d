// Wiring, closed forms and registration of fat trees with parallel links.
#include "models/topology/kind/pgft.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/nearest.hpp"
#include "models/topology/shape_check.hpp"
#include "models/topology/shapes_near.hpp"

namespace weft::models {

Peer Pgft::peer(RouterId router, u32 port) const {
  WEFT_ASSERT(router.value() < routers() && port < ports(router));
  const TreeMath::Place at = math_.place(router);
  const u32 ups = up_ports(at.level);
  if (port < ups) {
    const u32 parents = math_.up_ports(at.level), copy = port / parents;
    const u32 children = math_.down_ports(at.level + 1), digit = at.subtree % children;
    return {Peer::Kind::router, math_.id(math_.parent(at, port % parents)).value(),
            up_ports(at.level + 1) + copy * children + digit};
  }
  const u32 children = math_.down_ports(at.level), digit = (port - ups) % children, copy = (port - ups) / children;
  if (at.level == 0) return {Peer::Kind::node, at.subtree * children + digit, 0};
  return {Peer::Kind::router, math_.id(math_.child(at, digit)).value(),
          copy * math_.up_ports(at.level - 1) + at.index / math_.tops(at.level - 1)};
}

double Pgft::mean_distance() const {
  double sum = 0;
  for (u32 level = 0; level < math_.levels(); ++level) {
    const u32 nearer = level == 0 ? 1 : math_.nodes_below(level - 1);
    sum += 2.0 * (level + 1) * (math_.nodes_below(level) - nearer);
  }
  return sum / (nodes() - 1.0);
}

double Pgft::uniform_load_bound() const {
  double bound = 1.0;
  const double all = nodes();
  for (u32 level = 0; level + 1 < math_.levels(); ++level) {
    const double below = math_.nodes_below(level), links = double(math_.tops(level)) * up_ports(level);
    if (below < all) bound = std::min(bound, links / below * (all - 1) / (all - below));
  }
  return bound;
}

u64 Pgft::router_links() const {
  u64 links = 0;
  for (u32 level = 0; level < math_.levels(); ++level) links += u64{math_.switches_at(level)} * up_ports(level);
  return links;
}

std::vector<std::pair<std::string, std::string>> Pgft::facts() const {
  std::vector<u32> switches, radix;
  double ratio = 1;
  for (u32 level = 0; level < math_.levels(); ++level) {
    switches.push_back(math_.switches_at(level));
    radix.push_back(kind_ports(level));
    if (level + 1 < math_.levels())
      ratio = std::min(ratio, double(math_.tops(level)) * up_ports(level) / math_.nodes_below(level));
  }
  return {{"switches per level, bottom first", fmt::format("{}", fmt::join(switches, " "))},
          {"ports of a switch of each level", fmt::format("{}", fmt::join(radix, " "))},
          {"links, node links included", std::to_string(router_links() + nodes())},
          {"least links up for a node", fmt::format("{:.10g}", ratio)}};
}

std::string Pgft::link_name(RouterId router, u32 port) const {
  const TreeMath::Place at = math_.place(router);
  const u32 ups = up_ports(at.level);
  if (port < ups) return fmt::format("up port {}", port);
  return at.level == 0 ? fmt::format("node port {}", port - ups) : fmt::format("down port {}", port - ups);
}

namespace {

[[noreturn]] void refuse_list(const std::string& key, const std::vector<i64>& value, const std::string& why,
                              const std::vector<i64>& use) {
  refuse_shape(key, list_text(value), why, fmt::format("{} = {}", key, list_text(use)));
}

/// m, w and p of the same length, all 1 or more.
struct Lists {
  std::vector<i64> m, w, p;
};

Lists checked_lists(const Parameters& keys) {
  constexpr std::size_t most_levels = 31;
  Lists lists{keys.integers("m"), keys.integers("w"),
              keys.has("parallel") ? keys.integers("parallel") : std::vector<i64>{}};
  const std::size_t levels = lists.m.size();
  if (levels == 0) {
    throw ConfigError(
        "topology.m is missing (a fat tree needs the children of a switch of each level); use e.g. m = [20, 8], "
        "w = [1, 4], parallel = [1, 5]");
  }
  if (levels > most_levels) refuse_list("m", lists.m, "more than 31 levels", {18, 4});
  const auto first_is_one = [&](const std::string& key, std::vector<i64>& list, const std::string& why) {
    std::vector<i64> nearest = list;
    nearest.resize(levels, 1);
    nearest[0] = 1;
    if (list.size() != levels)
      refuse_list(key, list, fmt::format("it has {} levels, m has {}", list.size(), levels), nearest);
    if (list[0] != 1) refuse_list(key, list, why, nearest);
  };
  first_is_one("w", lists.w, "w[0] must be 1: a node has one link");
  if (lists.p.empty()) lists.p.assign(levels, 1);
  first_is_one("parallel", lists.p, "parallel[0] must be 1: a node has one link");
  for (const auto& [key, list] : {std::pair{"m", &lists.m}, {"w", &lists.w}, {"parallel", &lists.p}}) {
    std::vector<i64> nearest = *list;
    for (i64& value : nearest) value = std::max<i64>(value, 1);
    if (nearest != *list) refuse_list(key, *list, "each is 1 at least", nearest);
  }
  return lists;
}

/// Switches of a level and nodes have numbers of 31 bits, ports of 16.
void check_size(const Lists& lists) {
  constexpr u64 most_radix = 65'535;
  const std::size_t levels = lists.m.size();
  if (product_up_to(lists.m, most_nodes) > most_nodes || product_up_to(lists.m, most_nodes) < 2) {
    refuse_list("m", lists.m, fmt::format("a network has 2 to {} nodes", most_nodes), {18, 4});
  }
  u64 switches = 0;
  for (std::size_t level = 0; level < levels; ++level) {
    std::vector<i64> factors(lists.w.begin(), lists.w.begin() + static_cast<std::ptrdiff_t>(level) + 1);
    factors.insert(factors.end(), lists.m.begin() + static_cast<std::ptrdiff_t>(level) + 1, lists.m.end());
    switches += product_up_to(factors, most_nodes);
    if (switches > most_nodes) {
      refuse_list("w", lists.w, fmt::format("more than {} switches", most_nodes), std::vector<i64>(levels, 1));
    }
    const i64 up = level + 1 < levels ? lists.w[level + 1] * lists.p[level + 1] : 0;
    if (static_cast<u64>(up + lists.m[level] * lists.p[level]) > most_radix) {
      refuse_list("parallel", lists.p, fmt::format("a switch of level {} has more than {} ports", level, most_radix),
                  std::vector<i64>(levels, 1));
    }
  }
}

std::unique_ptr<Topology> make_pgft(const Parameters& keys) {
  const Lists lists = checked_lists(keys);
  check_size(lists);
  TreeGeometry geometry;
  std::vector<u32> parallel;
  for (std::size_t level = 0; level < lists.m.size(); ++level) {
    const bool top = level + 1 == lists.m.size();
    geometry.down.push_back(static_cast<u32>(lists.m[level]));
    geometry.up.push_back(top ? 0 : static_cast<u32>(lists.w[level + 1]));
    parallel.push_back(top ? 1 : static_cast<u32>(lists.p[level + 1]));
  }
  const std::string name = fmt::format("PGFT({};{};{};{})", lists.m.size(), fmt::join(lists.m, ","),
                                       fmt::join(lists.w, ","), fmt::join(lists.p, ","));
  return std::make_unique<Pgft>(std::move(geometry), std::move(parallel), name);
}

[[maybe_unused]] const bool pgft_registered = TopologyRegistry::instance().add(
    "pgft",
    {.help = "fat tree with parallel links between a switch and each parent, as they are built; keys: m, w, parallel "
             "(w[0] = parallel[0] = 1)",
     .family = "pgft",
     .router = "fat-tree",
     .partition = "subtrees",
     .settings = {row::integers("topology.m", "children", {1, 65'536},
                                "children of a switch of each level, from the bottom."),
                  row::integers("topology.w", "parents", {1, 65'536},
                                "parents of a node (1) and of the switches of each level, from the bottom."),
                  row::integers("topology.parallel", "links", {1, 65'535},
                                "links of a node (1), and between a switch of each level and each parent, from the "
                                "bottom; not given: 1.")},
     .make = make_pgft,
     .example = {{"m", std::vector<i64>{4, 3}}, {"w", std::vector<i64>{1, 2}}, {"parallel", std::vector<i64>{1, 2}}}});

/// How many of `links` up may run to the same switch where `below` switches share its `ports`.
i64 parallel_links(i64 links, i64 below, i64 ports) {
  i64 parallel = 1;
  for (i64 count = 1; count <= links; ++count) {
    if (links % count == 0 && count * below <= ports) parallel = count;
  }
  return parallel;
}

/// Two levels of so many nodes a leaf, with `up` links: as few switches above as take them all, by parallel links.
Parameters two_levels(i64 down, i64 up, i64 leaves, i64 ports) {
  const i64 parallel = parallel_links(up, leaves, ports);
  Parameters shape{{"m", std::vector<i64>{down, leaves}}, {"w", std::vector<i64>{1, up / parallel}}};
  if (parallel > 1) shape.set("parallel", std::vector<i64>{1, parallel});
  return shape;
}

/// Three levels: each pod has as many leaves as its switches have links down, and they as many links up.
Parameters three_levels(i64 down, i64 up, i64 half, i64 pods) {
  const i64 parallel = parallel_links(half, pods, 2 * half);
  Parameters shape{{"m", std::vector<i64>{down, half, pods}}, {"w", std::vector<i64>{1, up, half / parallel}}};
  if (parallel > 1) shape.set("parallel", std::vector<i64>{1, 1, parallel});
  return shape;
}

/// Fat trees of two and three levels of equal switches, whose uppermost ones use all their ports; with a radix also
/// those whose leaves have two or three times as many nodes as links up.
std::vector<Parameters> pgfts_near(const SizeWish& wish) {
  std::vector<Parameters> shapes;
  const auto nodes = static_cast<double>(wish.nodes);
  const bool full = wish.radix > 1;
  const std::vector<double> halves = full ? std::vector<double>{wish.radix / 2.0, wish.radix / 2.0}
                                          : std::vector<double>{std::sqrt(nodes / 2), std::cbrt(nodes / 4)};
  const auto add = [&](i64 half, i64 down, i64 up, u32 levels) {
    const i64 leaves = std::max<i64>(1, std::llround(nodes / static_cast<double>(down)));
    const i64 pods = std::llround(nodes / static_cast<double>(down * half));
    if (levels == 2) shapes.push_back(two_levels(down, up, std::min(leaves, 2 * half), 2 * half));
    if (levels == 3 && pods > 1) shapes.push_back(three_levels(down, up, half, std::min(pods, 2 * half)));
  };
  for (const u32 levels : {2U, 3U}) {
    for (const i64 half : numbers_near(halves[levels - 2], full ? 0 : 1)) {
      add(half, half, half, levels);
      for (const i64 times : {2, 3}) {
        const i64 up = 2 * half / (times + 1);
        if (full && up > 0) add(half, times * up, up, levels);
      }
    }
  }
  return shapes;
}

[[maybe_unused]] const bool pgfts_near_registered = add_shapes_near("pgft", pgfts_near);

}  // namespace
}  // namespace weft::models
