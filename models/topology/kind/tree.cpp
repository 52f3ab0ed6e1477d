// Fat trees, full and thinned: k-ary n-trees, k:k',n-trees and the extended generalised fat trees that contain both.
#include "models/topology/kind/tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "models/topology/shapes_near.hpp"

namespace weft::models {

/// Counts and costs as in Navaridas et al., Parallel Computing 2010: C = S, L = S*R, Q = S*R^2.
std::vector<std::pair<std::string, std::string>> Tree::facts() const {
  std::string per_level;
  for (u32 level = 0; level < math_.levels(); ++level) {
    per_level += (level == 0 ? "" : " ") + std::to_string(math_.switches_at(level));
  }
  const auto number = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", value);
    return std::string(text);
  };
  const double switches = math_.switches(), radix = static_cast<double>(radix_);
  const u32 top = math_.levels() - 1;
  const u64 tops = math_.switches_at(top), down = math_.down_ports(top);
  const double channels = static_cast<double>(tops * down) / 2;
  // Top switches have no ports up, so that several may be virtual ones of one switch.
  const u64 together = std::max<u64>(1, radix_ / down);
  const auto fewer = static_cast<double>(math_.switches() - tops + (tops + together - 1) / together);
  return {{"switches per level, bottom first", per_level},
          {"switches", std::to_string(math_.switches())},
          {"switch radix", std::to_string(radix_)},
          {"links, node links included", std::to_string(router_links() + nodes())},
          {"cost by switches, S", number(switches)},
          {"cost by ports, S*R", number(switches * radix)},
          {"cost by crosspoints, S*R^2", number(switches * radix * radix)},
          {"ideal uniform throughput, phits/node/cycle", number(ideal_throughput())},
          {"channels in the bisection, B_C", number(channels)},
          {"bisection bandwidth, B_B, in link bandwidths", number(channels)},
          {"top switches that one of the radix can hold as virtual ones", std::to_string(together)},
          {"switches then, S'", number(fewer)},
          {"cost by ports then, S'*R", number(fewer * radix)},
          {"cost by crosspoints then, S'*R^2", number(fewer * radix * radix)}};
}

namespace {

constexpr u64 max_tree_nodes = u64{1} << 31;
constexpr u64 max_switches = u64{1} << 31;
constexpr std::size_t max_levels = 31;

/// Switches of XGFT(m; w), or max_switches + 1 where they are more. All values >= 1.
u64 count_switches(const std::vector<i64>& m, const std::vector<i64>& w) {
  u64 total = 0;
  for (std::size_t level = 0; level < m.size() && total <= max_switches; ++level) {
    std::vector<i64> factors(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(level) + 1);
    factors.insert(factors.end(), m.begin() + static_cast<std::ptrdiff_t>(level) + 1, m.end());
    total += product_up_to(factors, max_switches);
  }
  return std::min(total, max_switches + 1);
}

bool fits(const std::vector<i64>& m, const std::vector<i64>& w) {
  return product_up_to(m, max_tree_nodes) <= max_tree_nodes && count_switches(m, w) <= max_switches;
}

TreeGeometry geometry_of(const std::vector<i64>& m, const std::vector<i64>& w) {
  TreeGeometry geometry;
  for (const i64 children : m) geometry.down.push_back(static_cast<u32>(children));
  for (std::size_t level = 1; level < w.size(); ++level) geometry.up.push_back(static_cast<u32>(w[level]));
  geometry.up.push_back(0);
  return geometry;
}

/// k:k',n; the k-ary n-tree is k:k,n.
struct UniformShape {
  i64 down, up, levels;
  std::vector<i64> m() const { return std::vector<i64>(static_cast<std::size_t>(levels), down); }
  std::vector<i64> w() const {
    std::vector<i64> values(static_cast<std::size_t>(levels), up);
    values[0] = 1;
    return values;
  }
};

/// The valid shape nearest to what was asked for.
UniformShape nearest_shape(UniformShape shape) {
  shape.down = std::clamp<i64>(shape.down, 2, static_cast<i64>(max_tree_nodes));
  shape.up = std::clamp<i64>(shape.up, 1, shape.down);
  shape.levels = std::clamp<i64>(shape.levels, 1, static_cast<i64>(max_levels));
  while (!fits(shape.m(), shape.w())) --shape.levels;
  return shape;
}

void need(i64 value, const std::string& key, const std::string& kind, const std::string& example) {
  if (value != 0) return;
  throw ConfigError("topology." + key + " is missing or 0 (a " + kind + " needs it); use e.g. " + example);
}

[[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& reason,
                         const std::string& suggestion) {
  throw ConfigError("topology." + key + " = " + value + " is not possible (" + reason + "); use " + suggestion);
}

/// Throws unless the shape is valid; `down_key` is what the kind calls k.
void check(const UniformShape& shape, const std::string& down_key) {
  const UniformShape valid = nearest_shape(shape);
  const auto wrong = [](const std::string& key, i64 value, const std::string& reason, i64 use) {
    refuse(key, std::to_string(value), reason, key + " = " + std::to_string(use));
  };
  if (shape.down < 2) wrong(down_key, shape.down, "a switch has at least 2 ports down", 2);
  if (shape.down != valid.down) wrong(down_key, shape.down, "more than 2147483648 nodes", valid.down);
  if (shape.up < 1) wrong("up", shape.up, "a switch has at least 1 port up", 1);
  const std::string ports_down = std::to_string(shape.down) + " ports down";
  if (shape.up > shape.down) wrong("up", shape.up, "more than the " + ports_down, valid.up);
  if (shape.levels < 1) wrong("levels", shape.levels, "a tree has at least 1 level", 1);
  if (shape.levels != valid.levels) {
    wrong("levels", shape.levels, "more than 2147483648 nodes or switches with " + ports_down, valid.levels);
  }
}

std::unique_ptr<Topology> make_tree(const Parameters& keys) {
  const std::string example = "arity = 4, levels = 3";
  const i64 arity = keys.integer("arity"), levels = keys.integer("levels");
  need(arity, "arity", "k-ary n-tree", example);
  need(levels, "levels", "k-ary n-tree", example);
  const UniformShape shape{arity, arity, levels};
  check(shape, "arity");
  const std::string name = fmt::format("{}-ary {}-tree", shape.down, shape.levels);
  return std::make_unique<Tree>(geometry_of(shape.m(), shape.w()), name, static_cast<u64>(shape.down + shape.up));
}

std::unique_ptr<Topology> make_thin_tree(const Parameters& keys) {
  const std::string example = "down = 8, up = 4, levels = 3";
  const UniformShape shape{keys.integer("down"), keys.integer("up"), keys.integer("levels")};
  need(shape.down, "down", "thin tree", example);
  need(shape.up, "up", "thin tree", example);
  need(shape.levels, "levels", "thin tree", example);
  check(shape, "down");
  const std::string name = fmt::format("{}:{},{}-tree", shape.down, shape.up, shape.levels);
  return std::make_unique<Tree>(geometry_of(shape.m(), shape.w()), name, static_cast<u64>(shape.down + shape.up));
}

/// Makes (m, w) the valid XGFT nearest to it; `m` is not empty.
void to_nearest_xgft(std::vector<i64>& m, std::vector<i64>& w) {
  if (m.size() > max_levels) m.resize(max_levels);
  w.resize(m.size(), 1);
  m = nearest_factors(m, max_tree_nodes);
  w = nearest_factors(w, max_switches);
  w[0] = 1;
  if (product_up_to(m, max_tree_nodes) < 2) m[0] = 2;
  while (!fits(m, w)) {
    const auto widest = std::max_element(w.begin(), w.end());
    auto& shrunk = *widest > 1 ? *widest : *std::max_element(m.begin(), m.end());
    shrunk /= 2;
  }
}

std::string reason_against_m(const std::vector<i64>& m) {
  if (m.size() > max_levels) return "more than 31 levels";
  if (std::any_of(m.begin(), m.end(), [](i64 value) { return value < 1; })) return "each level has at least 1 child";
  const u64 nodes = product_up_to(m, max_tree_nodes);
  if (nodes < 2) return "a network has at least 2 nodes";
  return nodes > max_tree_nodes ? "more than 2147483648 nodes" : "more than 2147483648 switches";
}

std::string reason_against_w(const std::vector<i64>& m, const std::vector<i64>& w) {
  if (w.size() != m.size()) return fmt::format("w has {} levels, m has {}", w.size(), m.size());
  if (w[0] != 1) return "w[0] must be 1: a node has one link";
  if (std::any_of(w.begin(), w.end(), [](i64 value) { return value < 1; })) return "each level has at least 1 parent";
  return "more than 2147483648 switches";
}

std::unique_ptr<Topology> make_xgft(const Parameters& keys) {
  const std::string example = "m = [8, 8], w = [1, 4]";
  const std::vector<i64> asked_m = keys.integers("m"), asked_w = keys.integers("w");
  need(static_cast<i64>(asked_m.size()), "m", "xgft", example);
  need(static_cast<i64>(asked_w.size()), "w", "xgft", example);
  std::vector<i64> m = asked_m, w = asked_w;
  to_nearest_xgft(m, w);
  const std::string suggestion = "m = " + list_text(m) + ", w = " + list_text(w);
  if (m != asked_m) refuse("m", list_text(asked_m), reason_against_m(asked_m), suggestion);
  if (w != asked_w) refuse("w", list_text(asked_w), reason_against_w(asked_m, asked_w), suggestion);

  TreeGeometry geometry = geometry_of(m, w);
  u64 radix = 0;
  for (std::size_t level = 0; level < m.size(); ++level) {
    radix = std::max(radix, u64{geometry.down[level]} + geometry.up[level]);
  }
  const auto joined = [](const std::vector<i64>& values) {
    std::string text;
    for (const i64 value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
    return text;
  };
  const std::string name = fmt::format("XGFT({};{};{})", m.size(), joined(m), joined(w));
  return std::make_unique<Tree>(std::move(geometry), name, radix);
}

Setting tree_ports(const std::string& key, const std::string& help) {
  return row::integer("topology." + key, "ports", std::nullopt, {1, 65'536}, help);
}
Setting switch_levels() {
  return row::integer("topology.levels", "levels", std::nullopt, {1, 30}, "levels of switches.");
}

[[maybe_unused]] const bool tree_registered =
    TopologyRegistry::instance().add(
        "tree", {.help = "k-ary n-tree, a full fat tree; keys: arity, levels",
                 .family = "tree",
                 .router = "multistage",
                 .partition = "subtrees",
                 .settings = {row::integer("topology.arity", "", std::nullopt, {1, 65'536},
                                           "k of the k-ary n-tree; a switch has k children and k parents."),
                              switch_levels()},
                 .make = make_tree,
                 .example = {{"arity", i64{2}}, {"levels", i64{3}}}}) &&
    TopologyRegistry::instance().add(
        "thin-tree", {.help = "k:k',n-tree; keys: down, up, levels",
                      .family = "tree",
                      .router = "multistage",
                      .partition = "subtrees",
                      .settings = {tree_ports("down", "k, ports of a switch towards the nodes."),
                                   tree_ports("up", "k', ports of a switch towards the root."), switch_levels()},
                      .make = make_thin_tree,
                      .example = {{"down", i64{3}}, {"up", i64{2}}, {"levels", i64{3}}}}) &&
    TopologyRegistry::instance().add(
        "xgft",
        {.help = "extended generalised fat tree; keys: m, w (w[0] = 1)",
         .family = "tree",
         .router = "multistage",
         .partition = "subtrees",
         .settings = {row::integers("topology.m", "children", {1, 65'536},
                                    "children of a switch of each level, from the bottom."),
                      row::integers("topology.w", "parents", {1, 65'536},
                                    "parents of a node (1) and of the switches of each level, from the bottom.")},
         .make = make_xgft,
         .example = {{"m", std::vector<i64>{3, 2, 2}}, {"w", std::vector<i64>{1, 2, 3}}}});

/// k-ary n-trees, and thin trees that give up half of their links with each level.
std::vector<Parameters> trees_near(const SizeWish& wish, bool thin) {
  std::vector<Parameters> shapes;
  for (i64 levels = 2; levels <= 4; ++levels) {
    for (const i64 down : numbers_near(std::pow(wish.nodes, 1.0 / static_cast<double>(levels)))) {
      if (down < 2) continue;
      if (thin) {
        shapes.push_back({{"down", down}, {"up", std::max<i64>(1, down / 2)}, {"levels", levels}});
      } else {
        shapes.push_back({{"arity", down}, {"levels", levels}});
      }
    }
  }
  return shapes;
}

[[maybe_unused]] const bool trees_near_registered =
    add_shapes_near("tree", [](const SizeWish& wish) { return trees_near(wish, false); }) &&
    add_shapes_near("thin-tree", [](const SizeWish& wish) { return trees_near(wish, true); });

}  // namespace
}  // namespace weft::models
