// Clos networks, folded: leaf switches with the nodes, and spines above them; 3 stages have one level of spines that
// join every leaf to every other, 5 stages two: pods of leaves with spines of their own, joined by top spines.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/topology/kind/tree.hpp"
#include "models/topology/shape_check.hpp"

namespace weft::models {
namespace {

const std::string clos_in_words = "a Clos network";
constexpr i64 most_switch_ports = 65'536;

/// Whether circuits between free nodes can always be made with m switches in the middle and n inputs at the side.
/// Clos, Bell System Technical Journal 1953; Benes 1965.
enum class Blocking { strictly_not, rearrangeably_not, yes };
Blocking blocking_of(u32 m, u32 n) {
  if (u64{m} + 1 >= 2 * u64{n}) return Blocking::strictly_not;
  return m >= n ? Blocking::rearrangeably_not : Blocking::yes;
}

/// C(m, n, r) of m spines, n nodes a leaf and r leaves is XGFT(2; n, r; 1, m). With 5 stages each of the m spines is a
/// C(spine_up, leaves_per_pod, pods) instead of a crossbar: XGFT(3; n, leaves_per_pod, pods; 1, m, spine_up).
class Clos final : public Tree {
 public:
  /// `geometry` of 2 or 3 levels.
  Clos(const TreeGeometry& geometry, std::string name, u64 radix)
      : Tree(geometry, std::move(name), radix), down_(geometry.down), up_(geometry.up) {}

  std::string link_name(RouterId router, u32 port) const override {
    const u32 level = kind(router);
    const bool spines_on_top = level + 2 == up_.size();
    if (port < up_[level]) return fmt::format("up to {} {}", spines_on_top && level > 0 ? "top spine" : "spine", port);
    const u32 digit = port - up_[level];
    if (level == 0) return fmt::format("node port {}", digit);
    return fmt::format("down to {} {}", level == 1 ? "leaf" : "pod", digit);
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    auto result = Tree::facts();
    result.emplace_back("circuits between nodes", circuits());
    result.emplace_back("diameter, mean distance, load bound", "closed forms");
    return result;
  }

 private:
  /// A network whose middle switches are networks is as good as the worse of both.
  std::string circuits() const {
    Blocking worst = Blocking::strictly_not;
    for (std::size_t level = 0; level + 1 < up_.size(); ++level) {
      worst = std::max(worst, blocking_of(up_[level], down_[level]));
    }
    const std::string where = up_.size() > 2 ? " at each level" : "";
    if (worst == Blocking::strictly_not) return "strictly non-blocking (m >= 2n - 1" + where + ")";
    if (worst == Blocking::rearrangeably_not) return "rearrangeably non-blocking (m >= n" + where + ")";
    return up_.size() > 2 ? "blocking (m < n at some level)" : "blocking (m < n)";
  }

  std::vector<u32> down_, up_;
};

void check_clos_nodes(u32 down, u64 leaves) {
  if (u64{down} * leaves <= most_nodes) return;
  refuse_shape("leaves", std::to_string(leaves), fmt::format("more than {} nodes", most_nodes),
               fmt::format("leaves = {}", most_nodes / down));
}

std::unique_ptr<Topology> three_stages(const Parameters& keys, u32 down, u32 up) {
  for (const std::string key : {"leaves_per_pod", "spine_up"}) {
    if (!keys.has(key)) continue;
    refuse_shape(key, std::to_string(keys.integer(key)), "spines of 3 stages have no links up and pods are of 5 stages",
                 "stages = 5, or leave it out");
  }
  const u32 leaves = checked_count(keys, "leaves", {2, most_switch_ports}, clos_in_words, 8);
  check_clos_nodes(down, leaves);
  return std::make_unique<Clos>(TreeGeometry{{down, leaves}, {up, 0}},
                                fmt::format("Clos C({},{},{})", up, down, leaves),
                                std::max<u64>(u64{up} + down, leaves));
}

/// What is not given is as in the network of crossbars of one radix, that of the leaves.
std::unique_ptr<Topology> five_stages(const Parameters& keys, u32 down, u32 up) {
  const u64 radix = u64{down} + up;
  const auto or_else = [&](const std::string& key, u64 value, i64 least, u64 most) {
    const IntegerRange range{least, static_cast<i64>(most)};
    return keys.has(key) ? u64{checked_count(keys, key, range, clos_in_words, least)} : value;
  };
  const u64 pod = or_else("leaves_per_pod", radix / 2, 1, most_switch_ports);
  if (!keys.has("spine_up") && pod >= radix) {
    refuse_shape("leaves_per_pod", std::to_string(pod),
                 fmt::format("spines of {} ports as the leaves would have no link up", radix),
                 fmt::format("leaves_per_pod = {}, or give spine_up", radix / 2));
  }
  const u64 spine_up = or_else("spine_up", radix - std::min(pod, radix), 1, most_switch_ports);
  const u64 leaves = or_else("leaves", radix * pod, 2, most_switch_ports);
  if (leaves % pod != 0 || leaves < 2 * pod) {
    refuse_shape("leaves", std::to_string(leaves), fmt::format("2 pods or more of {} leaves each", pod),
                 fmt::format("leaves = {}", std::max<u64>(2, leaves / pod) * pod));
  }
  check_clos_nodes(down, leaves);
  const u64 pods = leaves / pod, switches = leaves + pods * up + u64{up} * spine_up;
  if (pods > most_switch_ports) {
    refuse_shape("leaves", std::to_string(leaves), fmt::format("top spines of more than {} ports", most_switch_ports),
                 fmt::format("leaves = {}", pod * most_switch_ports));
  }
  if (switches > most_nodes) {
    refuse_shape("spine_up", std::to_string(spine_up), fmt::format("more than {} switches", most_nodes),
                 "spine_up = 1");
  }
  const auto as_u32 = [](u64 value) { return static_cast<u32>(value); };
  return std::make_unique<Clos>(
      TreeGeometry{{down, as_u32(pod), as_u32(pods)}, {up, as_u32(spine_up), 0}},
      fmt::format("Clos C({},{},{}) of 5 stages, spines C({},{},{})", up, down, leaves, spine_up, pod, pods),
      std::max({radix, pod + spine_up, pods}));
}

std::unique_ptr<Topology> make_clos(const Parameters& keys) {
  const i64 stages = keys.has("stages") ? keys.integer("stages") : 3;
  if (stages != 3 && stages != 5) {
    refuse_shape("stages", std::to_string(stages), "a folded Clos network has an odd number, and more are deeper trees",
                 "stages = 3 or 5, or kind = \"xgft\" with m and w");
  }
  const u32 down = checked_count(keys, "leaf_down", {1, most_switch_ports}, clos_in_words, 8);
  const u32 up = checked_count(keys, "leaf_up", {1, most_switch_ports}, clos_in_words, 4);
  return stages == 3 ? three_stages(keys, down, up) : five_stages(keys, down, up);
}

Setting clos_ports(const std::string& key, const std::string& help) {
  return row::integer("topology." + key, "ports", std::nullopt, {1, most_switch_ports}, help);
}

[[maybe_unused]] const bool clos_registered = TopologyRegistry::instance().add(
    "clos",
    {.help = "Clos network: leaf switches, each joined to every spine (of its pod, with 5 stages); keys: leaf_down, "
             "leaf_up, leaves; stages = 5: leaves_per_pod, spine_up",
     .family = "tree",
     .router = "multistage",
     .partition = "subtrees",
     .settings = {clos_ports("leaf_down", "nodes of a leaf switch."),
                  clos_ports("leaf_up",
                             "links of a leaf switch to spines, one to each: as many as there are spines (in a pod)."),
                  row::integer("topology.leaves", "switches", std::nullopt, {1, most_switch_ports},
                               "number of leaf switches; 5 stages: of all pods, (leaf_down + leaf_up) pods if not "
                               "given."),
                  row::integer("topology.stages", "", 3, {3, 5}, "3: one level of spines; 5: two."),
                  clos_ports("leaves_per_pod",
                             "5 stages: leaves that share spines; not given: half of leaf_down + leaf_up."),
                  clos_ports("spine_up",
                             "5 stages: links of a spine to top spines; not given: leaf_down + leaf_up - "
                             "leaves_per_pod.")},
     .make = make_clos,
     .example = {{"leaf_down", i64{3}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}}});

}  // namespace
}  // namespace weft::models
