// `weft topology --find`: networks of each kind of about so many nodes.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "engine/error.hpp"
#include "models/topology/shapes_near.hpp"
#include "models/topology/topology.hpp"
#include "tools/files/atomic_file.hpp"
#include "tools/files/standard_output.hpp"
#include "tools/text/numbers.hpp"
#include "tools/text/table.hpp"
#include "tools/weft/commands.hpp"
#include "tools/weft/topology_check.hpp"

namespace weft::tools {
namespace {

using models::SizeWish;
using models::Topology;

constexpr std::size_t most_of_a_kind = 2;
/// Networks that miss the number of nodes by more are no answer.
constexpr double most_off = 0.35;

/// A network that is about what was asked for.
struct FoundNetwork {
  std::string kind, settings;  ///< settings as for --set, "topology.dims=[8, 8]", one after the other
  std::string name;
  u64 nodes = 0, routers = 0, links = 0;
  u32 radix = 0;     ///< most ports of a router, those to nodes included
  u64 ports = 0;     ///< of all routers
  u32 diameter = 0;  ///< as Topology::diameter
  double mean_distance = 0, load_bound = 0, off = 0;
};

/// "[8,8]": what a shell hands on as one word.
std::string one_word(std::string value) {
  std::erase(value, ' ');
  return value;
}

/// The shape as the kind is made from it: with the defaults of keys that it does not name.
Parameters with_defaults(const models::TopologyKind& kind, const Parameters& shape, std::string& settings) {
  Parameters all;
  for (const Setting& setting : kind.settings) {
    if (setting.table() != "topology") continue;
    const std::string name = setting.name();
    if (!shape.has(name)) {
      if (setting.fallback.index() != 0) all.set(name, setting.fallback);
      continue;
    }
    const SettingValue value =
        setting.type == SettingType::integers ? SettingValue(shape.integers(name)) : SettingValue(shape.integer(name));
    all.set(name, value);
    settings += fmt::format("{}{}={}", settings.empty() ? "" : " ", setting.key, one_word(value_text(value)));
  }
  return all;
}

/// The network of a shape; none if it cannot be made or is not what was asked for.
std::optional<FoundNetwork> made(const std::string& name, const Parameters& shape, const SizeWish& wish) {
  const models::TopologyKind& kind = *models::TopologyRegistry::instance().find(name);
  FoundNetwork found;
  found.kind = name;
  std::unique_ptr<Topology> topology;
  try {
    topology = kind.make(with_defaults(kind, shape, found.settings));
  } catch (const ConfigError&) {
    return {};  // a candidate, not a promise
  }
  const PortCounts ports = count_ports(*topology);
  const u32 inside = topology->direct() ? topology->nodes() / topology->routers() : 0;  // nodes have ports there too
  found.name = topology->name();
  found.nodes = topology->nodes();
  found.routers = topology->routers();
  found.links = topology->router_links();
  found.radix = ports.most + inside;
  found.ports = ports.total + u64{inside} * topology->routers();
  found.off = std::abs(std::log(static_cast<double>(found.nodes) / static_cast<double>(wish.nodes)));
  if (found.off > most_off || (wish.radix > 0 && found.radix > wish.radix)) return {};
  found.diameter = topology->diameter();
  found.mean_distance = topology->mean_distance();
  found.load_bound = topology->uniform_load_bound();
  return found;
}

/// Of a kind: those that come closest to the wanted number of nodes; of two that are as close, the wider one.
std::vector<FoundNetwork> best_of(const std::string& kind, const SizeWish& wish) {
  std::vector<FoundNetwork> all;
  for (const Parameters& shape : models::ShapesNearRegistry::instance().find(kind)->shapes(wish)) {
    auto found = made(kind, shape, wish);
    const bool known =
        found && std::ranges::any_of(all, [&](const auto& one) { return one.settings == found->settings; });
    if (found && !known) all.push_back(*std::move(found));
  }
  const auto rank = [](const FoundNetwork& one) { return std::pair(std::round(one.off * 50), -one.load_bound); };
  std::ranges::stable_sort(all, {}, rank);
  if (all.size() > most_of_a_kind) all.resize(most_of_a_kind);
  return all;
}

std::vector<FoundNetwork> networks_near(const SizeWish& wish) {
  std::vector<FoundNetwork> all;
  for (const std::string& kind : models::ShapesNearRegistry::instance().names()) {
    for (FoundNetwork& found : best_of(kind, wish)) all.push_back(std::move(found));
  }
  return all;
}

std::string text_of(const std::vector<FoundNetwork>& networks) {
  TextTable rows{{"kind", "nodes", "routers", "ports", "links", "diameter", "mean", "load bound", "ports/node"}};
  for (const FoundNetwork& one : networks) {
    rows.push_back({one.kind, grouped(one.nodes), grouped(one.routers), std::to_string(one.radix), grouped(one.links),
                    std::to_string(one.diameter), significant(one.mean_distance, 3), significant(one.load_bound, 3),
                    significant(static_cast<double>(one.ports) / static_cast<double>(one.nodes), 3)});
  }
  // Settings are long and of different lengths: they follow their line as they are.
  std::string text;
  std::istringstream lines(aligned(rows));
  std::string line;
  for (std::size_t ix = 0; std::getline(lines, line); ++ix) {
    text += fmt::format("{}  {}\n", line, ix == 0 ? "settings" : networks[ix - 1].settings);
  }
  return text;
}

nlohmann::json json_of(const std::vector<FoundNetwork>& networks) {
  nlohmann::json all = nlohmann::json::array();
  for (const FoundNetwork& one : networks) {
    all.push_back({{"kind", one.kind},
                   {"name", one.name},
                   {"settings", one.settings},
                   {"nodes", one.nodes},
                   {"routers", one.routers},
                   {"radix", one.radix},
                   {"router_links", one.links},
                   {"ports", one.ports},
                   {"diameter", one.diameter},
                   {"mean_distance", one.mean_distance},
                   {"uniform_load_bound", one.load_bound}});
  }
  return all;
}

}  // namespace

void find_topologies(const FindOptions& options) {
  const SizeWish wish{options.nodes, options.radix};
  const std::vector<FoundNetwork> found = networks_near(wish);
  if (found.empty()) {
    throw ConfigError(fmt::format(
        "--find {}{}: no kind of network has a shape of about that size; give another number of nodes, or routers of "
        "more ports",
        wish.nodes, wish.radix > 0 ? fmt::format(" --radix {}", wish.radix) : ""));
  }
  const std::string json = json_of(found).dump(2) + "\n";
  if (options.json == "-") return files::print(json);
  if (!options.json.empty()) files::write_file_atomically(options.json, json, files::Streams::allowed);
  files::print(
      text_of(found) +
      "\nPorts are those of the largest router, its nodes' included; distances count links, those of nodes "
      "too where nodes have links;\nthe load bound is that of uniform traffic, phits/node/cycle. To look closer: weft "
      "topology CONFIG --set topology.kind=KIND --set ...\n");
}

}  // namespace weft::tools
