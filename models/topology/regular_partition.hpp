// Partitions that follow from the dimensions of a network: every rank works them out for itself, and nobody builds a
// graph.
#pragma once

#include <string>

#include "models/topology/topology.hpp"

namespace weft::models {

/// The regular partition of a topology where it is as good as what a partitioner of graphs finds: it is even, and no
/// part has over 0.5 % more to do than the mean (Topology::work). Else no parts.
[[nodiscard]] RegularPartition even_partition(const Topology& topology, u32 parts);

/// What parallel.partition = `method` gives by arithmetic: the even partition for "auto", that of its name for the
/// method of this topology, none for methods of graph partitioners and files. Throws ConfigError for a method of
/// another topology, or too many parts.
[[nodiscard]] RegularPartition named_partition(const Topology& topology, u32 parts, const std::string& method);

}  // namespace weft::models
