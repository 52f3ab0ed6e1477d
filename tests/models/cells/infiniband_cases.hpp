// InfiniBand switches with the usual values of all keys but a few.
#pragma once

#include <algorithm>
#include <string>

#include "models/routing/router_kind.hpp"
#include "tests/models/cells/plain_switches.hpp"
#include "tests/models/network/every_router.hpp"

namespace weft::models::testing {

/// All of [router] as it is for them.
inline Parameters infiniband_keys(const Keys& keys) {
  Parameters own = router_defaults();
  own.set("kind", std::string("infiniband"));
  const std::string table = "router.";
  for (const DefaultValue& usual : router_kind("infiniband").defaults("")) {
    if (usual.key.starts_with(table)) own.set(usual.key.substr(table.size()), usual.value);
  }
  for (const auto& [name, value] : keys) own.set(name, value);
  return own;
}

/// Packets of at most so many cells, one tick each; nodes have free space for all packets of a script.
inline Case infiniband_case(const TopologySpec& topology, u32 phits, Tick latency, const Keys& keys) {
  Case setup{topology, packets_of(phits, latency)};
  RouterSettings& s = setup.router;
  s.kind = "infiniband";
  s.own = infiniband_keys(keys);
  const bool space_given =
      std::ranges::any_of(keys, [](const auto& key) { return key.first == "injection_queue_packets"; });
  if (!space_given) s.own.set("injection_queue_packets", i64{100'000});
  s.virtual_channels = static_cast<u32>(s.own.integer("virtual_channels"));
  s.switch_ticks = static_cast<Tick>(s.own.integer("switch_latency_cycles"));
  router_kind("infiniband").resolve(s, topology.kind);
  return setup;
}

}  // namespace weft::models::testing
