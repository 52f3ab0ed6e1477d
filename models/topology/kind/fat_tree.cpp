// How trees are shared out, and how routers get at them.
#include "models/topology/kind/fat_tree.hpp"

#include "engine/base/error.hpp"
#include "models/topology/subtrees.hpp"

namespace weft::models {

RegularPartition FatTree::regular_partition(u32 parts) const {
  const u32 leaves = nodes() / geometry_.down[0];
  return {"subtrees", subtree_partition(geometry_, parts), leaves % parts == 0, "it has fewer leaf switches"};
}

u64 FatTree::kind_routers(u32 level) const {
  u64 subtrees = nodes(), tops = 1;
  for (u32 l = 0; l <= level; ++l) {
    subtrees /= geometry_.down[l];
    if (l < level) tops *= geometry_.up[l];
  }
  return subtrees * tops;
}

const TreeGeometry& tree_geometry(const Topology& topology) {
  const auto* const tree = dynamic_cast<const FatTree*>(&topology.whole());
  WEFT_ASSERT(tree != nullptr);
  return tree->geometry();
}

}  // namespace weft::models
