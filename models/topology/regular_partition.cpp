// When a regular partition is taken, and what is said where it does not fit.
#include "models/topology/regular_partition.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include "engine/base/error.hpp"

namespace weft::models {

namespace {

/// Whether some kind of topology is shared out by this method.
bool is_regular(const std::string& method) {
  const auto& registry = TopologyRegistry::instance();
  const std::vector<std::string> names = registry.names();
  return std::ranges::any_of(names, [&](const std::string& name) { return registry.find(name)->partition == method; });
}

}  // namespace

RegularPartition even_partition(const Topology& topology, u32 parts) {
  constexpr double most_imbalance = 1.005;
  RegularPartition regular = topology.regular_partition(parts);
  if (topology.joins_all()) return regular;  // no other is better
  if (!regular.even) regular.part_of = {};
  if (!regular.part_of) return regular;
  std::vector<u64> work(parts, 0);
  for (u32 r = 0; r < topology.routers(); ++r) work[regular.part_of(r)] += topology.work(RouterId(r));
  const u64 all = std::accumulate(work.begin(), work.end(), u64{0});
  const double most = static_cast<double>(*std::ranges::max_element(work));
  if (most * parts > most_imbalance * static_cast<double>(all)) regular.part_of = {};
  return regular;
}

RegularPartition named_partition(const Topology& topology, u32 parts, const std::string& method) {
  if (method == "auto") return even_partition(topology, parts);
  if (!is_regular(method)) return {};
  const std::string blocks = "block";  // of ids: they fit all networks, by arithmetic or from a table
  const std::string problem = fmt::format("parallel.partition = \"{}\" does not fit a {}", method, topology.name());
  RegularPartition partition = topology.regular_partition(parts);
  if (method == blocks && partition.method != blocks) return {};
  if (partition.method.empty()) {
    throw ConfigError(fmt::format("{} (it is shared out as a graph); use \"metis\"", problem));
  }
  if (method != partition.method) {
    throw ConfigError(fmt::format("{} (its regular parts are {}); use \"{}\" or \"metis\"", problem, partition.method,
                                  partition.method));
  }
  if (!partition.part_of) {
    throw ConfigError(
        fmt::format("{} on {} ranks ({}); use \"metis\" or fewer ranks", problem, parts, partition.impossible_because));
  }
  return partition;
}

}  // namespace weft::models
