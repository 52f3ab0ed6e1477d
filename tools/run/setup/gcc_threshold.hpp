// How many packets in the network close the injection queues (congestion.kind = "gcc").
#pragma once

#include "engine/base/types.hpp"
#include "models/routing/settings.hpp"
#include "models/topology/topology.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools {

/// Packets that the queues of all routers hold together, those that links lead into: router.queue_packets for each
/// channel of each port that packets come through, of nodes too.
[[nodiscard]] u64 packets_of_all_queues(const models::Topology& topology, const models::RouterSettings& router);

/// congestion.gcc_packets, or congestion.gcc_fraction of those; 0: no control. Throws ConfigError if the fraction is
/// less than a packet.
[[nodiscard]] u64 gcc_threshold(const Config& config, const models::Topology& topology,
                                const models::RouterSettings& router);

}  // namespace weft::tools
