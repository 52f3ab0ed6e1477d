// Routing engines: what fills the forwarding tables of a fabric, as a subnet manager would. Each registers itself in
// its own file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/registry.hpp"
#include "models/subnet/forwarding.hpp"

namespace weft::models {

struct RoutingOptions {
  u32 most_layers = 8;  ///< virtual layers that an engine may use
  /// Destinations are routed in the order of their LIDs, not switch by switch, and minhop and updn even out the targets
  /// of each port, not the routes on it: as OpenSM did in 2008.
  bool by_lid = false;
};

/// The virtual layer (service level) of every route, a route being told by the switch it starts at and its target.
class RouteLayers {
 public:
  /// All in layer 0.
  RouteLayers() = default;
  RouteLayers(u32 switches, u32 targets) : switches_(switches), of_(u64{switches} * targets) {}
  [[nodiscard]] u32 layer(u32 from_switch, u32 target) const {
    return of_.empty() ? 0 : of_[u64{target} * switches_ + from_switch];
  }
  void set_layer(u32 from_switch, u32 target, u32 layer) {
    of_[u64{target} * switches_ + from_switch] = static_cast<u8>(layer);
  }
  /// How many layers there are.
  u32 used = 1;

 private:
  u64 switches_ = 0;
  std::vector<u8> of_;  ///< [target][switch]; empty: all 0
};

/// What an engine makes of a fabric.
struct FabricRouting {
  explicit FabricRouting(const Subnet& subnet)
      : tables(subnet), to_switches(u64{subnet.switches()} * subnet.switches(), ForwardingTables::none) {}
  ForwardingTables tables;
  std::vector<u8> to_switches;  ///< port towards each switch, [destination][switch]; 0 at the destination itself
  RouteLayers layers;
};

/// An engine as it registers itself.
struct RoutingEngine {
  std::string help;  ///< one line: how it chooses
  /// Deterministic. There is an entry at every switch from which the engine's rules allow a path to the target. Throws
  /// ConfigError if the fabric is none that the engine can route.
  std::function<FabricRouting(const Subnet&, const RoutingOptions&)> route;
};
using RoutingEngineRegistry = Registry<RoutingEngine>;

/// Tables by the engine of this name. Throws ConfigError if there is none, with those that there are, and what the
/// engine throws.
[[nodiscard]] FabricRouting route_subnet(const Subnet& subnet, const std::string& engine,
                                         const RoutingOptions& options = {});

/// Pairs of different hosts, both cabled, for which the switch of the first has no entry for the second's first
/// address.
struct Unrouted {
  u64 pairs = 0;
  u32 from = 0, to = 0;  ///< hosts of the first such pair
};
[[nodiscard]] Unrouted unrouted_pairs(const Subnet& subnet, const ForwardingTables& tables);

}  // namespace weft::models
