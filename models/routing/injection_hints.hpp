// The face of a routing that says where new packets would rather start, for routers with several injection queues.
#pragma once

#include "engine/base/types.hpp"

namespace weft::models {

/// Ports of the Topology; `bits` are those of the packet's draws.
class InjectionHints {
 public:
  /// The direction (port) in which a new packet would rather start; any number.
  [[nodiscard]] virtual u32 first_port(NodeId /*from*/, NodeId /*to*/, u64 /*bits*/) const { return 0; }
  /// The port of the dimension in which it has most hops to go.
  [[nodiscard]] virtual u32 longest_port(NodeId from, NodeId to, u64 bits) const { return first_port(from, to, bits); }
  /// All ports through which it may start, bit mask; none: any.
  [[nodiscard]] virtual u64 profitable_ports(NodeId /*from*/, NodeId /*to*/, u64 /*bits*/) const { return 0; }

 protected:
  ~InjectionHints() = default;
};

}  // namespace weft::models
