// What a network will take in memory, and whether its routers can be simulated at all: from its shape, before it is
// built.
#pragma once

#include "models/routing/settings.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Throws ConfigError for what these routers cannot be: too many nodes to address, too many channels. Takes no memory.
void check_capacity(const Topology& topology, const RouterSettings& settings);

/// Bytes of all routers and NICs of a network, on however many processes: exact for their blocks, an estimate for what
/// the kernel and the sources keep for each. `packet_bytes`: size of the host's packets. The network must pass
/// `check_capacity`.
[[nodiscard]] u64 network_bytes(const Topology& topology, const RouterSettings& settings, u32 packet_bytes);

/// Bytes that the process needs which partitions the graph of a network by METIS: an estimate.
[[nodiscard]] u64 graph_bytes(const Topology& topology);

}  // namespace weft::models
