// All registered routers with all registered topologies that they fit, as parameters of tests.
#pragma once

#include <algorithm>
#include <cctype>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "models/routing/router_kind.hpp"
#include "tests/models/network/scripted_network.hpp"
#include "tests/models/topology/shapes.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::models::testing {

/// A kind of topology (its example), a kind of router that fits, and one of its modes; all of [router] is as by default
/// but for the virtual channels. Small, since tests are told of it by copies, in each process anew.
struct Pairing {
  TopologySpec topology;
  std::string router, mode;
  std::string routing = {}, routing_mode = {};  ///< of switches: whose routes they take, if not the usual ones
  std::vector<i64> channels = {};               ///< the least two numbers of virtual channels that the kind accepts
  std::string refused = {};                     ///< if it accepts none: why
};

/// All defaults of [router], the kind's own settings included.
inline const Parameters& router_defaults() {
  static const Parameters keys = [] {
    const std::set<std::string> tables{"router", "nic", "deadlock", "ideal"};
    Parameters all;
    for (const Setting& setting : tools::settings()) {
      if (tables.contains(setting.table())) all.set(setting.name(), setting.fallback);
    }
    return all;
  }();
  return keys;
}

/// All of [router] by default, but for the routes of switches.
inline Parameters router_keys(const Pairing& pairing) {
  Parameters keys = router_defaults();
  if (!pairing.routing.empty()) keys.set("routing", pairing.routing + ":" + pairing.routing_mode);
  return keys;
}

/// A pairing with all of [router] by default; a mode that goes by output occupancy as the routes of a switch.
inline Pairing pairing(const std::string& topology, const std::string& router, const std::string& mode) {
  Pairing found{sample_of(topology), router, mode};
  if (goes_by_occupancy(router_kind(router), mode)) {
    found = {found.topology, "switch", router_kind("switch").modes.front().name, router, mode};
  }
  const RouterKind& kind = router_kind(found.router);
  RouterChoice choice{router_keys(found), found.mode, topology, found.topology.keys};
  for (i64 channels = 1; channels <= 16 && found.channels.size() < 2; ++channels) {
    choice.keys.set("virtual_channels", channels);
    const auto complaint = kind.check ? kind.check(choice) : std::nullopt;
    if (!complaint) found.channels.push_back(channels);
    if (complaint && found.channels.empty()) found.refused = complaint->key + " " + complaint->why;
  }
  return found;
}

inline const std::vector<Pairing>& all_pairings() {
  static std::vector<Pairing> all;
  if (!all.empty()) return all;
  const auto& topologies = TopologyRegistry::instance();
  const auto& routers = RouterRegistry::instance();
  for (const std::string& topology : topologies.names()) {
    for (const std::string& router : routers.names()) {
      const RouterKind& kind = router_kind(router);
      const std::string& family = topologies.find(topology)->family;
      if (!fits_family(kind, family) || machine_of(router) != router) continue;  // the machine's own kind is tried
      for (const RouterMode& mode : kind.modes) all.push_back(pairing(topology, router, mode.name));
    }
  }
  return all;
}

/// All pairings that some number of channels fits.
inline std::vector<Pairing> accepted_pairings() {
  std::vector<Pairing> all = all_pairings();
  std::erase_if(all, [](const Pairing& pairing) { return pairing.channels.empty(); });
  return all;
}

/// A pairing as a case to run, with the lengths and latencies of `timing`.
inline Case setup_of(const Pairing& pairing, const RouterSettings& timing, i64 channels) {
  Case setup{pairing.topology, timing};
  setup.router.kind = pairing.router;
  setup.router.mode = pairing.mode;
  setup.router.own = router_keys(pairing);
  setup.router.own.set("virtual_channels", channels);
  setup.router.queue_packets = static_cast<u32>(setup.router.own.integer("queue_packets"));
  setup.router.virtual_channels = static_cast<u32>(channels);
  return setup;
}

/// Enough packets at once to fill the network of a case for a while; all cycles begin together.
inline std::vector<Send> busy_traffic(const Topology& topology, const Case& setup) {
  std::vector<Send> script = random_traffic(topology.nodes(), 12, 60, 5);
  for (Send& send : script) send.tick *= setup.router.cycle_ticks;
  return script;
}

inline void PrintTo(const Pairing& pairing, std::ostream* out) {
  *out << make_topology(pairing.topology)->name() << ", " << pairing.router << " router, mode " << pairing.mode
       << (pairing.routing.empty() ? "" : ", routes " + pairing.routing + " " + pairing.routing_mode);
}

/// A name for a test.
inline std::string test_name(const Pairing& pairing) {
  std::string name = pairing.topology.kind + "_" + pairing.router + "_" + pairing.mode;
  if (!pairing.routing.empty()) name += "_" + pairing.routing + "_" + pairing.routing_mode;
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

}  // namespace weft::models::testing
