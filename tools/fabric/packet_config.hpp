// The config by which the patterns of weft fabric ebb are simulated packet by packet.
#pragma once

#include <string>
#include <vector>

#include "models/subnet/forwarding.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/run/config/config.hpp"
#include "tools/run/simulate.hpp"

namespace weft::tools {

/// What every pair of a round sends.
struct PairMessages {
  u64 bytes = 65536;
  u32 messages = 8;
  bool both_ways = false;
};

/// A network that packets are sent over: a config without pairs, and what makes the network if the config does not.
struct PacketNetwork {
  Config config;
  NetworkMaker network;
  std::vector<u32> node_of_host;  ///< [host of the subnet]
  bool takes_tables = false;      ///< packets go by the tables of the flows, not by routes of the config
};

/// The network of a config, of which what it says of [topology], [link], [router], [packet], [faults] and of the times
/// of tasks and ticks is kept; a fabric file gets InfiniBand switches as they are by default. `overrides` come last.
/// Packets of a config go as it says, unless `by_tables`; those of a fabric file always go by `tables`, and so do
/// virtual channels: as many as these routes need layers to be free of deadlock. Throws ConfigError for what
/// contradicts itself, and for overrides of other settings.
[[nodiscard]] PacketNetwork packet_network(const std::string& path, const std::vector<std::string>& overrides,
                                           const Fabric& fabric, const models::ForwardingTables& tables, bool by_tables,
                                           const PairMessages& messages);

}  // namespace weft::tools
