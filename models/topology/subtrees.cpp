// From the place of a switch to the leaf switch that it corresponds to.
#include "models/topology/subtrees.hpp"

#include "models/topology/tree_math.hpp"

namespace weft::models {

PartOf subtree_partition(const TreeGeometry& tree, u32 parts) {
  const TreeMath math(tree);
  const u32 leaves = math.switches_at(0);
  if (parts > leaves) return {};
  return [math, parts, leaves](u32 router) {
    const TreeMath::Place at = math.place(RouterId(router));
    const u64 leaves_below = math.nodes_below(at.level) / math.nodes_below(0);
    const u64 leaf = at.subtree * leaves_below + at.index * leaves_below / math.tops(at.level);
    return static_cast<u32>(leaf * parts / leaves);
  };
}

}  // namespace weft::models
