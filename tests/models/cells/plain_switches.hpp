// Switches of cells with the usual values of all keys but a few, for tests of single mechanisms.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/router_kind.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {

using Keys = std::vector<std::pair<std::string, SettingValue>>;

/// Switches with links of one cell time and latency, of which nothing else is asked.
inline Case plain_switches(const TopologySpec& topology, u32 channels, u32 phits, Tick cell, Tick latency,
                           const Keys& keys) {
  Case setup{topology, packets_of(phits, latency, 0, cell)};
  RouterSettings& s = setup.router;
  s.kind = "switch";
  s.virtual_channels = channels;
  for (const Setting& row : router_kind("switch").settings) s.own.set(row.name(), row.fallback);
  s.own.set("routing_cycles", i64{0});
  s.own.set("injection_queue_packets", i64{100'000});
  constexpr std::string_view table = "congestion.";
  for (const auto& [name, value] : keys) {
    if (name.starts_with(table)) {
      s.congestion.set(name.substr(table.size()), value);
    } else {
      s.own.set(name, value);
    }
  }
  return setup;
}

/// When packets were delivered, ascending.
inline std::vector<Tick> ticks_of(const Result& result) {
  std::vector<Tick> ticks;
  for (const Delivery& delivery : result.deliveries) ticks.push_back(delivery.at);
  std::ranges::sort(ticks);
  return ticks;
}

}  // namespace weft::models::testing
