// METIS call and the two arithmetic partitions.
#include "engine/partition.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <metis.h>
#include <numeric>
#include <queue>
#include <utility>

#include "engine/base/error.hpp"

namespace weft::engine {
namespace {

std::vector<u32> blocks(u32 vertices, u32 parts) {
  std::vector<u32> part(vertices);
  for (u32 v = 0; v < vertices; ++v) part[v] = static_cast<u32>(static_cast<u64>(v) * parts / vertices);
  return part;
}

/// METIS takes sums of weights twice (fm.c), so only half of what its integers hold may be used.
constexpr u64 most_counted = std::numeric_limits<idx_t>::max();
constexpr u64 most_weight = most_counted / 2;

template <class Values>
std::vector<idx_t> copy(const Values& values) {
  return {values.begin(), values.end()};
}

bool every_part_used(const std::vector<u32>& part, u32 parts) {
  std::vector<bool> used(parts);
  for (const u32 p : part) used[p] = true;
  return std::ranges::all_of(used, std::identity{});
}

std::vector<u32> metis(const Graph& graph, u32 parts) {
  idx_t vertices = static_cast<idx_t>(graph.offsets.size() - 1), constraints = 1, wanted = static_cast<idx_t>(parts),
        cut = 0;
  std::vector<idx_t> offsets = copy(graph.offsets), edges = copy(graph.edges),
                     weights = copy(metis_weights(graph.edge_weights)),
                     work = copy(metis_weights(graph.vertex_weights)), found(static_cast<std::size_t>(vertices));
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 5;  // at most 0.5 % imbalance
  // Recursive bisection gives better balance and cut for the few parts wanted here.
  const auto method = parts <= 16 ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const int code =
      method(&vertices, &constraints, offsets.data(), edges.data(), work.empty() ? nullptr : work.data(), nullptr,
             weights.empty() ? nullptr : weights.data(), &wanted, nullptr, nullptr, options, &cut, found.data());
  if (code != METIS_OK) throw SystemError("METIS could not partition the network; try parallel.partition = \"block\"");
  return {found.begin(), found.end()};
}

/// Vertices with at least a part's share of the work, heaviest first: the best that can be done is to give each a part
/// of its own. METIS, which halves the graph again and again, would be left with halves too small for the parts wanted
/// of them, leave parts empty and say so on standard output.
std::vector<u32> heavy_vertices(const Graph& graph, u32 parts) {
  std::vector<u32> order(graph.vertex_weights.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto count = std::min<std::size_t>(order.size(), parts);
  const auto work = [&graph](u32 v) { return graph.vertex_weights[v]; };
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                            [&](u32 a, u32 b) { return std::pair(work(b), a) < std::pair(work(a), b); });
  u64 left = std::accumulate(graph.vertex_weights.begin(), graph.vertex_weights.end(), u64{0});
  std::size_t heavy = 0;
  for (u32 parts_left = parts; heavy < count && parts_left > 1; ++heavy, --parts_left) {
    const u64 weight = work(order[heavy]);
    if (weight * parts_left < left) break;
    left -= weight;
  }
  order.resize(heavy);
  return order;
}

/// The graph without the vertices marked, and the number that each of its vertices had.
Graph without(const Graph& graph, const std::vector<bool>& marked, std::vector<u32>& number) {
  const u32 vertices = static_cast<u32>(graph.offsets.size() - 1);
  std::vector<u32> renumbered(vertices);
  for (u32 v = 0; v < vertices; ++v) {
    renumbered[v] = static_cast<u32>(number.size());
    if (!marked[v]) number.push_back(v);
  }
  Graph rest;
  rest.offsets.push_back(0);
  for (const u32 v : number) {
    for (u32 e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      if (marked[graph.edges[e]]) continue;
      rest.edges.push_back(renumbered[graph.edges[e]]);
      if (!graph.edge_weights.empty()) rest.edge_weights.push_back(graph.edge_weights[e]);
    }
    rest.offsets.push_back(static_cast<u32>(rest.edges.size()));
    rest.vertex_weights.push_back(graph.vertex_weights[v]);
  }
  return rest;
}

/// Each vertex, heaviest first, to the part that has least to do.
std::vector<u32> dealt_out(const std::vector<u32>& weights, u32 parts) {
  std::vector<u32> order(weights.size()), part(weights.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater{}, [&weights](u32 v) { return weights[v]; });
  using Load = std::pair<u64, u32>;  // work, part
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (u32 p = 0; p < parts; ++p) loads.emplace(0, p);
  for (const u32 v : order) {
    const auto [work, p] = loads.top();
    loads.pop();
    part[v] = p;
    loads.emplace(work + std::max(weights[v], 1U), p);
  }
  return part;
}

std::vector<u32> metis_beside_heavy(const Graph& graph, u32 parts) {
  const std::vector<u32> heavy = heavy_vertices(graph, parts);
  if (heavy.empty()) return graph.edges.empty() ? dealt_out(graph.vertex_weights, parts) : metis(graph, parts);
  const u32 first = static_cast<u32>(heavy.size()), rest_parts = parts - first;
  std::vector<bool> marked(graph.vertex_weights.size());
  for (const u32 v : heavy) marked[v] = true;
  std::vector<u32> number;
  const Graph rest = without(graph, marked, number);
  std::vector<u32> rest_part(number.size(), 0);
  if (rest_parts > 1)
    rest_part = rest.edges.empty() ? dealt_out(rest.vertex_weights, rest_parts) : metis(rest, rest_parts);
  std::vector<u32> part(marked.size());
  for (u32 p = 0; p < first; ++p) part[heavy[p]] = p;
  for (std::size_t i = 0; i < number.size(); ++i) part[number[i]] = first + rest_part[i];
  return part;
}

}  // namespace

PartitionMethod partition_method(std::string_view name) {
  if (name == "block") return PartitionMethod::block;
  if (name == "round-robin") return PartitionMethod::round_robin;
  return PartitionMethod::metis;
}

std::vector<u32> partition(const Graph& graph, u32 parts, PartitionMethod method) {
  const u32 vertices = static_cast<u32>(graph.offsets.size() - 1);
  if (parts == 1) return std::vector<u32>(vertices, 0);
  if (method == PartitionMethod::round_robin) {
    std::vector<u32> part(vertices);
    for (u32 v = 0; v < vertices; ++v) part[v] = v % parts;
    return part;
  }
  const bool nothing_to_go_by = graph.edges.empty() && graph.vertex_weights.empty();
  if (method == PartitionMethod::metis && vertices > parts && !nothing_to_go_by) {
    if (!fits_metis({vertices, graph.edges.size()})) {
      throw ConfigError(
          fmt::format("the network is too large for METIS ({} routers with {} links, which it counts in {} bits); use "
                      "parallel.partition = \"block\"",
                      vertices, graph.edges.size() / 2, 8 * sizeof(idx_t)));
    }
    std::vector<u32> part = metis_beside_heavy(graph, parts);
    if (every_part_used(part, parts)) return part;
  }
  return blocks(vertices, parts);
}

bool fits_metis(GraphSize size) { return size.vertices <= most_weight && size.edges <= most_weight; }

std::vector<u32> metis_weights(std::span<const u32> weights) {
  std::vector<u32> fitting(weights.begin(), weights.end());
  const u64 sum = std::accumulate(weights.begin(), weights.end(), u64{0});
  if (sum <= most_weight) return fitting;
  WEFT_ASSERT(weights.size() <= most_weight);
  const u64 room = most_weight - weights.size();
  for (u32& weight : fitting) weight = static_cast<u32>(1 + static_cast<u128>(weight) * room / sum);
  return fitting;
}

}  // namespace weft::engine
