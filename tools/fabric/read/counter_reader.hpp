// Counters of ports as perfquery and ibqueryerrors print them, told by the ports of a fabric.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/fabric_lines.hpp"

namespace weft::tools {

/// Counters of one port by their names of the InfiniBand architecture: PortXmitData (in 4 octets), PortXmitWait (in
/// ticks of the port), SymbolErrorCounter...
using PortCounters = std::map<std::string, u64, std::less<>>;

struct CounterReading {
  std::map<u32, PortCounters> ports;  ///< by the channel out of the port, of a switch or of a host
  u64 saturated = 0;  ///< data counters of 32 bits that stand at their end, and are left out: they count no further
};

/// Blocks of perfquery (basic and extended counters; where a port has both, the extended ones count), or lines of
/// ibqueryerrors, in any number one after the other. Sums over all ports of a node are left out. Throws InputError with
/// file and line for what is damaged, for a port that comes twice and for one that the fabric has not.
[[nodiscard]] CounterReading read_counters(FabricLines& lines, const Fabric& fabric);

}  // namespace weft::tools
