// Patterns in which only the distance of a destination matters: local traffic, and measured distances.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {

/// The distance of a destination is drawn, and any of the nodes at that distance with the same probability. Exact: the
/// nodes at each distance are counted. The nodes around a source are sorted when it sends for the first time, so that a
/// process keeps 2 bytes for each node and source of its own.
class ByDistance final : public Pattern {
 public:
  enum class Weight : u8 { of_node, of_distance };

  /// `weights`: [distance], those beyond are 0; of each node at a distance, or of all nodes there together. Distances
  /// that a source has no node at leave their share to the others. Throws ConfigError if the distances of the network
  /// are not known, it has too many nodes, or no node has another at a distance with a weight.
  ByDistance(const PatternSpec& spec, const std::string& name, std::vector<double> weights, Weight weight);

  [[nodiscard]] NodeId destination(NodeId source, const PacketDraw& packet) const override;
  [[nodiscard]] bool sends(NodeId source) const override;

 private:
  /// Nodes at one distance: places of `Around::nodes`.
  struct Ring {
    u32 first = 0, count = 0;
  };
  /// What is around a source.
  struct Around {
    std::vector<u16> nodes;  ///< by distance
    std::vector<Ring> rings;
    std::vector<u64> shares;  ///< [ring]
  };

  [[nodiscard]] double weight_at(u32 distance) const { return distance < weights_.size() ? weights_[distance] : 0.0; }
  [[nodiscard]] const Around& around(u32 source) const;

  u32 nodes_;
  std::function<u32(u32, u32)> distance_;
  std::vector<double> weights_;
  Weight weight_;
  mutable std::vector<std::unique_ptr<const Around>> around_;  ///< [source]; a cache, filled as sources send
};

}  // namespace weft::workloads
