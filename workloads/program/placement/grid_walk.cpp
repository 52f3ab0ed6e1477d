// Sorts the nodes of a grid by keys made from their coordinates.
#include "workloads/program/placement/grid_walk.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace weft::workloads {
namespace {

u32 nodes_of_grid(const std::vector<u32>& grid) {
  return std::accumulate(grid.begin(), grid.end(), 1U, [](u32 nodes, u32 size) { return nodes * size; });
}

/// Steps to the next node of a grid.
void step(std::vector<u32>& coordinates, const std::vector<u32>& grid) {
  for (std::size_t d = 0; d < grid.size(); ++d) {
    if (++coordinates[d] < grid[d]) return;
    coordinates[d] = 0;
  }
}

std::vector<NodeId> numbered_nodes(u32 nodes) {
  std::vector<NodeId> order;
  order.reserve(nodes);
  for (u32 node = 0; node < nodes; ++node) order.emplace_back(node);
  return order;
}

}  // namespace

std::vector<NodeId> by_key(const std::vector<u32>& grid,
                           const std::function<u64(std::span<const u32> coordinates)>& key) {
  std::vector<NodeId> order = numbered_nodes(nodes_of_grid(grid));
  std::vector<u64> keys;
  keys.reserve(order.size());
  std::vector<u32> at(grid.size(), 0);
  for (std::size_t node = 0; node < order.size(); ++node, step(at, grid)) keys.push_back(key(at));
  std::ranges::stable_sort(order, {}, [&keys](NodeId node) { return keys[node.value()]; });
  return order;
}

std::vector<NodeId> along_curve(const std::vector<u32>& grid, void (*transpose)(std::span<u32> coordinates, u32 bits)) {
  std::vector<u32> sizes = grid;
  std::erase(sizes, 1U);
  std::vector<NodeId> order = numbered_nodes(nodes_of_grid(sizes));
  if (sizes.empty()) return order;
  const u32 bits = static_cast<u32>(std::bit_width(std::ranges::max(sizes) - 1));
  // Places may have more digits than fit 64 bits: words of them, the most significant first.
  const std::size_t words = (sizes.size() * bits + 63) / 64;
  std::vector<u64> places(order.size() * words, 0);
  std::vector<u32> at(sizes.size(), 0), turned(sizes.size());
  for (std::size_t node = 0; node < order.size(); ++node, step(at, sizes)) {
    std::ranges::reverse_copy(at, turned.begin());
    transpose(turned, bits);
    std::size_t left = sizes.size() * bits;
    for (u32 digit = bits; digit-- > 0;) {
      for (const u32 coordinate : turned) {
        --left;
        places[node * words + (words - 1 - left / 64)] |= u64{(coordinate >> digit) & 1} << (left % 64);
      }
    }
  }
  std::ranges::sort(order, [&](NodeId a, NodeId b) {
    const u64* const first = &places[a.value() * words];
    const u64* const second = &places[b.value() * words];
    return std::lexicographical_compare(first, first + words, second, second + words);
  });
  return order;
}

}  // namespace weft::workloads
