// Partitions that follow from the dimensions of a network: every rank works them out for itself, and nobody builds a graph.
#pragma once

#include <string>

#include "models/topology/part_of.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Who simulates which router.
struct RegularPartition {
  const char* method = "";  ///< as in parallel.partition: "boxes" of meshes and tori, "subtrees" of trees
  PartOf part_of;           ///< empty if the routers cannot be shared out over so many parts
};

/// Boxes of a mesh or torus, subtrees of a tree (a crossbar is one of one switch).
[[nodiscard]] RegularPartition regular_partition(const Topology& topology, u32 parts);

/// The same where it is as good as what a partitioner of graphs finds: no part has over 0.5 % more to do than the mean (routers
/// of cubes, ports of trees), and of a tree all have equally many leaf switches. Else no parts.
[[nodiscard]] RegularPartition even_partition(const Topology& topology, u32 parts);

/// What parallel.partition = `method` gives from the dimensions: the even partition for "auto", that of its name for "boxes" and
/// "subtrees", none for others. Throws ConfigError if boxes or subtrees do not fit the network or so many parts.
[[nodiscard]] RegularPartition named_partition(const Topology& topology, u32 parts, const std::string& method);

}  // namespace weft::models
