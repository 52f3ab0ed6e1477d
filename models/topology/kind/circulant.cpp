// Circulant graphs: nodes on a circle, each joined to those a few fixed steps further on and back.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/nearest.hpp"
#include "engine/random.hpp"
#include "models/topology/kind/hop_table.hpp"
#include "models/topology/kind/symmetric_lattice.hpp"
#include "models/topology/shape_check.hpp"

namespace weft::models {
namespace {

const std::string circulant_in_words = "a circulant";
/// Distances from node 0 are kept in a table.
constexpr i64 most_circulant_nodes = i64{1} << 26;

/// Routes between nodes of the circulant N(1, s), as x steps of 1 and y steps of s: INSEE's candidates, of which the
/// shortest are nearly always as short as routes can be.
struct Candidates {
  struct Route {
    i64 x, y;
    [[nodiscard]] u64 length() const { return static_cast<u64>(std::abs(x) + std::abs(y)); }
  };
  std::array<Route, 12> route;
  u32 count = 0;

  /// To the node `offset` further on, both ways round: quotient and remainder by s, and the same with one y more.
  /// Where the N nodes in rows of s leave a remainder (the twist) that is not shorter than the column of rows, it
  /// costs less to take whole twists out of x by going round all rows: as many as x holds, and one more.
  Candidates(i64 n, i64 s, i64 offset) {
    add(offset % s, offset / s);
    add(offset % s - s, offset / s + 1);
    const i64 back = n - offset;
    add(-(back % s), -(back / s));
    add(s - back % s, -(back / s) - 1);
    const i64 remainder = n % s;
    const i64 twist = 2 * remainder <= s ? remainder : remainder - s, rows = (n - twist) / s;
    if (twist == 0 || std::abs(twist) < rows) return;
    for (u32 c = 0; c < 4; ++c) {
      const i64 whole = route[c].x / twist, more = (route[c].x > 0) == (twist > 0) ? 1 : -1;
      for (const i64 twists : {whole, whole + more}) add(route[c].x - twists * twist, route[c].y - twists * rows);
    }
  }
  void add(i64 x, i64 y) { route[count++] = {x, y}; }
  [[nodiscard]] u64 length() const {
    u64 least = route[0].length();
    for (u32 c = 1; c < count; ++c) least = std::min(least, route[c].length());
    return least;
  }
};

class Circulant final : public SymmetricLattice {
 public:
  Circulant(u32 nodes, std::vector<u32> steps, bool one_way)
      : SymmetricLattice(nodes, one_way), steps_(std::move(steps)) {}

  u32 dimensions() const override { return static_cast<u32>(steps_.size()); }
  u32 moved(u32 node, u32 port) const override {
    const u32 step = port % 2 == 0 ? steps_[port / 2] : nodes() - steps_[port / 2];
    return static_cast<u32>((u64{node} + step) % nodes());
  }
  /// The ring of step s through a node has one node below gcd(N, s): its first.
  bool crosses_border(RouterId router, u32 port) const override {
    return upper_end(router, port) < std::gcd(nodes(), steps_[port / 2]);
  }

  Record record(NodeId from, NodeId to, u64 bits) const override {
    const u32 offset = offset_of(from, to);
    if (offset == 0) return {};
    if (has_candidates()) {
      const Candidates all(nodes(), steps_[1], offset);
      const u64 length = all.length();
      if (length == table_.hops()[offset]) return drawn(all, length, bits);
    }
    return table_.route(offset, bits);
  }
  u32 distance(NodeId from, NodeId to) const override { return table_.hops()[offset_of(from, to)]; }

  std::string name() const override {
    constexpr std::size_t most = 8;
    if (steps_.size() > most)
      return fmt::format("{}circulant {} with {} steps", one_way_text(), nodes(), steps_.size());
    return fmt::format("{}circulant {}({})", one_way_text(), nodes(), fmt::join(steps_, ","));
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    std::vector<std::pair<std::string, std::string>> result{
        {"diameter and mean distance", "counted from one node, exact: all are alike"},
        {"links between the two halves of the circle", std::to_string(narrowest_cut())},
        {"load bound", "from the mean distance and all links, and from those between the halves"}};
    if (has_candidates()) {
      u32 longer = 0;
      const std::vector<u32>& hops = table_.hops();
      for (u32 o = 1; o < nodes(); ++o) longer += Candidates(nodes(), steps_[1], o).length() > hops[o] ? 1 : 0;
      result.emplace_back("offsets routed by search, as the quotients by the second step give longer routes",
                          std::to_string(longer));
    }
    return result;
  }

 protected:
  const std::vector<u32>* kept_hops() const override { return &table_.hops(); }
  std::vector<Cut> cuts() const override {
    const u64 half = nodes() / 2;
    u64 links = 0;
    for (const u32 step : steps_) links += links_cut(nodes(), step, half);
    return {{half, links}};
  }

 private:
  bool has_candidates() const { return !one_way() && steps_.size() == 2 && steps_[0] == 1; }
  u32 offset_of(NodeId from, NodeId to) const {
    return to.value() >= from.value() ? to.value() - from.value() : to.value() + (nodes() - from.value());
  }

  /// One of the shortest, each with the same chance.
  static Record drawn(const Candidates& all, u64 length, u64 bits) {
    u32 shortest[12], count = 0;
    for (u32 c = 0; c < all.count; ++c) {
      if (all.route[c].length() == length) shortest[count++] = c;
    }
    const Candidates::Route& route = all.route[shortest[engine::scale_to(engine::remix(bits, 0), count)]];
    Record hops{};
    hops[0] = static_cast<i32>(route.x);
    hops[1] = static_cast<i32>(route.y);
    return hops;
  }

  std::vector<u32> steps_;
  HopTable<Circulant> table_{*this};
};

/// Steps inside 1..N/2, all different, and such that every node is reached: the nearest list to what was asked for.
std::vector<i64> nearest_steps(std::vector<i64> steps, i64 nodes) {
  const auto most = std::min<std::size_t>(Lattice::most_dimensions, static_cast<std::size_t>(nodes / 2));
  if (steps.size() > most) steps.resize(most);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    steps[s] = std::clamp<i64>(steps[s], 1, nodes / 2);
    // The next one up that is not taken, or from 1 on.
    while (std::find(steps.begin(), steps.begin() + static_cast<i64>(s), steps[s]) !=
           steps.begin() + static_cast<i64>(s)) {
      steps[s] = steps[s] % (nodes / 2) + 1;
    }
  }
  i64 common = nodes;
  for (const i64 step : steps) common = std::gcd(common, step);
  if (common != 1) steps[0] = 1;  // every other step is a multiple of `common`, so 1 is not taken
  return steps;
}

std::string reason_against(const std::vector<i64>& steps, i64 nodes) {
  if (steps.size() > Lattice::most_dimensions) return fmt::format("more than {} steps", Lattice::most_dimensions);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (steps[s] < 1 || steps[s] > nodes / 2) return fmt::format("steps are 1 to {}, half the nodes", nodes / 2);
    if (std::find(steps.begin(), steps.begin() + static_cast<i64>(s), steps[s]) !=
        steps.begin() + static_cast<i64>(s)) {
      return "two steps are the same";
    }
  }
  return "the steps and the number of nodes have a common divisor: nodes are out of reach";
}

std::unique_ptr<Topology> make_circulant(const Parameters& keys) {
  const i64 nodes = checked_count(keys, "nodes", {2, most_circulant_nodes}, circulant_in_words, 128);
  const std::vector<i64> steps = keys.has("steps") ? keys.integers("steps") : std::vector<i64>{};
  if (steps.empty()) need_shape({}, "steps", circulant_in_words, "to know how far its links lead", "steps = [1, 15]");
  const std::vector<i64> valid = nearest_steps(steps, nodes);
  if (valid != steps) {
    refuse_shape("steps", list_text(steps), reason_against(steps, nodes), "steps = " + list_text(valid));
  }
  return std::make_unique<Circulant>(static_cast<u32>(nodes), std::vector<u32>(steps.begin(), steps.end()),
                                     keys.flag("unidirectional"));
}

// The circulants of least mean distance with 2a^2 nodes have the steps 1 and 2ka - 1, for k prime to a.
[[maybe_unused]] const bool circulant_registered = TopologyRegistry::instance().add(
    "circulant", {.help = "nodes on a circle, joined over fixed steps; keys: nodes, steps",
                  .family = "lattice",
                  .router = "bubble",
                  .partition = "",
                  .settings = {nodes_row(),
                               row::integers("topology.steps", "nodes", {1, 1 << 30},
                                             "how far the links of each dimension lead round the circle, e.g. "
                                             "[1, 15]; any number of steps up to half the nodes."),
                               unidirectional_row()},
                  .make = make_circulant,
                  .example = {{"nodes", i64{50}}, {"steps", std::vector<i64>{1, 9}}}});

}  // namespace
}  // namespace weft::models
