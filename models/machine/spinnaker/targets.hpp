// To which nodes each node's multicast packets go: drawn at random, or from a file.
#pragma once

#include <string>
#include <vector>

#include "models/routing/settings.hpp"
#include "models/topology/topology.hpp"

namespace weft::models::spinnaker {

/// Nodes that each node's multicast packets go to, the same on every process. Throws ConfigError if there are not so
/// many nodes to draw; InputError with file and line.
class Targets {
 public:
  Targets(const Topology& topology, const RouterSettings& settings);

  /// Ascending; replaces what `targets` holds. None for nodes that have failed and for those that the file does not
  /// name.
  void of(u32 source, std::vector<u32>& targets) const;

 private:
  void read(const std::string& path);
  void find_neighbourhood(const Topology& topology, u32 radius);
  [[nodiscard]] std::vector<u32> candidates(u32 source) const;

  u64 seed_;
  u32 nodes_, count_, radius_;
  std::vector<bool> works_;
  std::vector<u32> working_;              ///< ascending
  std::vector<u32> dims_;                 ///< of the grid
  std::vector<u32> neighbourhood_;        ///< nodes up to `radius_` from node 0, without it
  std::vector<std::vector<u32>> listed_;  ///< [source], if there is a file
};

}  // namespace weft::models::spinnaker
