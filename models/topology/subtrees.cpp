// Walk over the switches of a tree, level by level.
#include "models/topology/subtrees.hpp"

#include "models/topology/tree_math.hpp"

namespace weft::models {

std::vector<u32> subtree_partition(const TreeGeometry& tree, u32 parts) {
  const TreeMath math(tree);
  const u32 leaves = math.switches_at(0);
  if (parts > leaves) return {};
  std::vector<u32> part;
  part.reserve(math.switches());
  for (u32 level = 0; level < math.levels(); ++level) {
    const u64 leaves_below = math.nodes_below(level) / math.nodes_below(0), tops = math.tops(level);
    for (u64 subtree = 0; subtree < leaves / leaves_below; ++subtree) {
      for (u64 index = 0; index < tops; ++index) {
        const u64 leaf = subtree * leaves_below + index * leaves_below / tops;
        part.push_back(static_cast<u32>(leaf * parts / leaves));
      }
    }
  }
  return part;
}

}  // namespace weft::models
