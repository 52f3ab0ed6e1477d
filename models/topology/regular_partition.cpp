// The choice between boxes and subtrees, and when they are even.
#include "models/topology/regular_partition.hpp"

#include <algorithm>
#include <numeric>

#include "models/topology/boxes.hpp"
#include "models/topology/subtrees.hpp"

namespace weft::models {

RegularPartition regular_partition(const Topology& topology, u32 parts) {
  if (topology.cube() != nullptr) return {"boxes", box_partition(*topology.cube(), parts)};
  return {"subtrees", subtree_partition(*topology.tree(), parts)};
}

RegularPartition even_partition(const Topology& topology, u32 parts) {
  constexpr double most_imbalance = 1.005;
  if (topology.tree() != nullptr && topology.nodes() / topology.tree()->down[0] % parts != 0) return {};
  RegularPartition regular = regular_partition(topology, parts);
  std::vector<u64> work(parts, 0);
  for (u32 r = 0; r < regular.part.size(); ++r) {
    work[regular.part[r]] += topology.cube() != nullptr ? 1 : topology.ports(RouterId(r));
  }
  const u64 all = std::accumulate(work.begin(), work.end(), u64{0});
  const double most = static_cast<double>(*std::ranges::max_element(work));
  if (most * parts > most_imbalance * static_cast<double>(all)) regular.part.clear();
  return regular;
}

}  // namespace weft::models
