// The choice between boxes and subtrees, and when they are even.
#include "models/topology/regular_partition.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include "engine/error.hpp"
#include "models/topology/boxes.hpp"
#include "models/topology/subtrees.hpp"

namespace weft::models {

RegularPartition regular_partition(const Topology& topology, u32 parts) {
  if (topology.cube() != nullptr) return {"boxes", box_partition(*topology.cube(), parts)};
  WEFT_ASSERT(topology.tree() != nullptr);  // what is no cube has levels of switches
  return {"subtrees", subtree_partition(*topology.tree(), parts)};
}

RegularPartition even_partition(const Topology& topology, u32 parts) {
  constexpr double most_imbalance = 1.005;
  if (topology.tree() != nullptr && topology.nodes() / topology.tree()->down[0] % parts != 0) return {};
  RegularPartition regular = regular_partition(topology, parts);
  if (!regular.part_of) return regular;
  std::vector<u64> work(parts, 0);
  for (u32 r = 0; r < topology.routers(); ++r) {
    work[regular.part_of(r)] += topology.cube() != nullptr ? 1 : topology.ports(RouterId(r));
  }
  const u64 all = std::accumulate(work.begin(), work.end(), u64{0});
  const double most = static_cast<double>(*std::ranges::max_element(work));
  if (most * parts > most_imbalance * static_cast<double>(all)) regular.part_of = {};
  return regular;
}

RegularPartition named_partition(const Topology& topology, u32 parts, const std::string& method) {
  if (method == "auto") return even_partition(topology, parts);
  if (method != "boxes" && method != "subtrees") return {};
  const std::string problem = fmt::format("parallel.partition = \"{}\" does not fit a {}", method, topology.name());
  RegularPartition partition = regular_partition(topology, parts);
  if (method != partition.method) {
    throw ConfigError(fmt::format("{} (it is no {}); use \"{}\" or \"metis\"", problem,
                                  method == "boxes" ? "mesh or torus" : "tree", partition.method));
  }
  if (!partition.part_of) {
    throw ConfigError(fmt::format("{} on {} ranks {}", problem, parts,
                                  method == "boxes" ? "(its dimensions cannot be cut into so many); use \"metis\""
                                                    : "(it has fewer leaf switches); use \"metis\" or fewer ranks"));
  }
  return partition;
}

}  // namespace weft::models
