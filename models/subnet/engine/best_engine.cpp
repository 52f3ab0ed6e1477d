// Ranks engines by what their routes can carry; see the header.
#include "models/subnet/engine/best_engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "models/subnet/engine/virtual_layers.hpp"
#include "models/subnet/routes.hpp"
#include "models/subnet/speeds.hpp"

namespace weft::models {
namespace {

constexpr std::array<const char*, 5> order_of_equals{"dmodk", "minhop", "updn", "sssp", "dor"};
/// Bounds that differ by less are alike.
constexpr double alike = 0.01;

/// Engines in the order in which equals are taken.
std::vector<std::string> engines() {
  std::vector<std::string> names(order_of_equals.begin(), order_of_equals.end());
  for (const std::string& name : RoutingEngineRegistry::instance().names()) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::erase_if(names, [](const auto& name) { return RoutingEngineRegistry::instance().find(name) == nullptr; });
  return names;
}

struct Candidate {
  BestRouting made;
  u64 unrouted = 0;
  double bound = 0;
};

/// Whether less can be had from an engine than from the best so far, whatever its layers are.
bool falls_behind(const Candidate& found, const std::optional<Candidate>& best) {
  if (!best) return false;
  if (found.unrouted != best->unrouted) return found.unrouted > best->unrouted;
  return found.bound < best->bound * (1 - alike);
}

/// Nothing if the engine cannot route the fabric, or not without credit loops, or not as well as the best.
std::optional<Candidate> try_engine(const Subnet& subnet, const std::string& engine, u32 most_layers,
                                    const std::optional<Candidate>& best) {
  try {
    Candidate found{{engine, route_subnet(subnet, engine, {.most_layers = most_layers})}};
    FabricRouting& routing = found.made.routing;
    found.unrouted = unrouted_pairs(subnet, routing.tables).pairs;
    found.bound = uniform_bound(subnet, routing.tables);
    if (falls_behind(found, best)) return {};  // layers take longest
    // Else the engine has shared its routes out itself.
    if (routing.layers.used == 1) routing.layers = break_cycles(subnet, routing.tables, most_layers);
    return found;
  } catch (const ConfigError&) {
    return {};
  }
}

/// Hash of all that an engine looks at.
u64 wiring_key(const Subnet& subnet, u32 most_layers) {
  u64 key = engine::remix(most_layers, subnet.hosts());
  for (u32 s = 0; s < subnet.switches(); ++s) {
    key = engine::remix(key, subnet.switch_at(s).lid);
    for (u32 port = 1; port <= subnet.switch_at(s).ports; ++port) {
      const Peer far = subnet.next(s, port);
      key = engine::remix(key, u64{far.id} << 16 | u64{far.port} << 2 | static_cast<u64>(far.kind));
      key = engine::remix(key, std::bit_cast<u64>(subnet.speed(subnet.channel(s, port)).rate));
    }
  }
  for (u32 h = 0; h < subnet.hosts(); ++h) key = engine::remix(key, subnet.host_at(h).lid);
  return key;
}

bool better(const Candidate& a, const Candidate& b) {
  if (a.unrouted != b.unrouted) return a.unrouted < b.unrouted;
  if (a.bound < b.bound * (1 - alike) || b.bound < a.bound * (1 - alike)) return a.bound > b.bound;
  return a.made.routing.layers.used < b.made.routing.layers.used;
}

}  // namespace

double uniform_bound(const Subnet& subnet, const ForwardingTables& tables) {
  const RouteSurvey routes = survey_routes(subnet, tables);
  const std::vector<double> rates = relative_rates(subnet);
  double most = 0;
  for (u32 c = 0; c < subnet.switch_channels(); ++c) {
    const Peer owner = subnet.owner(c);
    if (subnet.next(owner.id, owner.port).kind != Peer::Kind::router) continue;
    most = std::max(most, static_cast<double>(routes.routes_through[c]) / (rates.empty() ? 1 : rates[c]));
  }
  // Each host has a route to every target of all others.
  const double to_send = static_cast<double>(routes.routes) / std::max<u64>(1, subnet.host_links());
  return most <= to_send ? 1 : to_send / most;
}

BestRouting best_routing(const Subnet& subnet, u32 most_layers, bool one_layer) {
  if (one_layer) most_layers = 1;
  // A run asks several times, and trying takes several times as long as routing.
  static std::mutex guard;
  static std::map<u64, std::string> chosen;
  const u64 key = wiring_key(subnet, most_layers);
  const std::lock_guard lock(guard);
  const auto known = chosen.find(key);
  const bool small = u64{subnet.switches()} * subnet.hosts() <= most_entries_tried;
  std::optional<Candidate> best;
  if (known != chosen.end()) {
    best = try_engine(subnet, known->second, most_layers, {});
  } else if (small) {
    for (const std::string& engine : engines()) {
      std::optional<Candidate> found = try_engine(subnet, engine, most_layers, best);
      if (found && (!best || better(*found, *best))) best = std::move(found);
    }
  }
  if (best) {
    chosen.insert_or_assign(key, best->made.engine);
    return std::move(best->made);
  }
  const std::string last_resort = subnet.one_way() ? "dor" : "updn";
  BestRouting made{last_resort, route_subnet(subnet, last_resort, {.most_layers = most_layers})};
  if (one_layer)
    made.routing.layers = {};
  else if (made.routing.layers.used == 1)
    made.routing.layers = break_cycles(subnet, made.routing.tables, most_layers);
  return made;
}

}  // namespace weft::models
