// How the work of a run grows with the network, from the sizes that were measured; and what a partition does to a
// network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/partition.hpp"
#include "models/topology/topology.hpp"
#include "tools/run/config/config.hpp"
#include "tools/study/scaling/points.hpp"

namespace weft::tools {

/// A network with the figures that its work depends on; mean distance and links in links between routers.
struct NetworkFigures {
  std::unique_ptr<models::Topology> topology;
  double nodes = 0, distance = 0, links = 0;
};

/// Throws ConfigError for a topology that cannot be.
[[nodiscard]] NetworkFigures network_figures(const Config& config);

/// How work grows with the network, from the sizes measured.
struct WorkLaw {
  double per_node = 0, per_distance = 0;  ///< events / node = per_node + per_distance * mean distance
  double messages = 0;                    ///< messages between ranks / (events * cut links / links)
  double windows = 0;                     ///< of the measured network nearest in nodes
  std::size_t networks = 0;               ///< that it was taken from
  double events_error = 0;                ///< mean, on each of them when it is left out of the fit

  [[nodiscard]] double events(const NetworkFigures& network) const {
    return network.nodes * (per_node + per_distance * network.distance);
  }
};

/// `nodes`: of the network that is asked about.
[[nodiscard]] WorkLaw work_law(const ScalingStudy& study, const std::vector<ScalingPoint>& points, double nodes);

/// What a partition does to a network.
struct PartitionCut {
  u64 cut = 0;  ///< links between ranks
  double imbalance = 1;
};

/// `graph` is models::router_graph of the topology; `partition` a word of parallel.partition.
[[nodiscard]] PartitionCut partition_cut(const models::Topology& topology, const engine::Graph& graph, u32 ranks,
                                         const std::string& partition);

}  // namespace weft::tools
