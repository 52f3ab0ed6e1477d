// Checks the node counts of the bit permutations.
#include "workloads/traffic/pattern/permutation.hpp"

#include <bit>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/sizes.hpp"

namespace weft::workloads {

u32 node_bits(const std::string& pattern, u32 nodes, u32 least_bits) {
  const u32 least = u32{1} << least_bits;
  if (!std::has_single_bit(nodes) || nodes < least) {
    throw ConfigError(
        fmt::format("workload.pattern \"{}\" is not defined on {} nodes (it permutes the bits of a node number, so the "
                    "count must be a "
                    "power of two from {} on); use {} nodes",
                    pattern, nodes, least, nearest_powers_of(2, nodes, least)));
  }
  return static_cast<u32>(std::countr_zero(nodes));
}

u32 even_node_bits(const std::string& pattern, u32 nodes) {
  if (!std::has_single_bit(nodes) || std::countr_zero(nodes) % 2 != 0) {
    throw ConfigError(
        fmt::format("workload.pattern \"{}\" is not defined on {} nodes (it swaps the halves of a node number, so the "
                    "count must be a "
                    "power of four); use {} nodes",
                    pattern, nodes, nearest_powers_of(4, nodes, 4)));
  }
  return static_cast<u32>(std::countr_zero(nodes));
}

}  // namespace weft::workloads
