// Makes networks of each kind, and keeps those that are near; see the header.
#include "tools/cli/topology_find.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <tuple>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "models/topology/shapes_near.hpp"
#include "models/topology/topology.hpp"
#include "tools/cli/topology_check.hpp"
#include "tools/report/cost/cost_outputs.hpp"

namespace weft::tools {
namespace {

using models::SizeWish;
using models::Topology;

constexpr std::size_t most_of_a_kind = 2;
/// Where these give uniform traffic all that it asks for, so much of that is enough for a cheaper one beside them, of
/// at most so many times the ports.
constexpr double all_load = 0.99, enough_load = 0.3, fewer_ports = 0.9;
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
  std::optional<cost::NetworkCost> cost = {};  ///< none if nobody asked, or the prices have no such switch or cable

  [[nodiscard]] double ports_of_node() const { return static_cast<double>(ports) / static_cast<double>(nodes); }
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
std::optional<FoundNetwork> made(const std::string& name, const Parameters& shape, const SizeWish& wish,
                                 const cost::CostTable* prices) {
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
  if (prices == nullptr) return found;
  try {
    found.cost = cost::cost_of(*topology, *prices);
  } catch (const ConfigError&) {
    found.cost.reset();  // the table has no such switch or cable
  }
  return found;
}

/// Keeps, of networks in the order of their rank, the first ones, and the one of fewest ports a node where these are
/// wider than need be.
void keep_best(std::vector<FoundNetwork>& all) {
  if (all.size() <= most_of_a_kind) return;
  const auto kept = all.begin() + most_of_a_kind;
  const bool full = std::all_of(all.begin(), kept, [](const auto& one) { return one.load_bound >= all_load; });
  const double ports = std::ranges::min(std::vector{all[0].ports_of_node(), all[1].ports_of_node()});
  const auto cheapest = std::min_element(kept, all.end(), [](const auto& a, const auto& b) {
    return std::pair(a.load_bound < enough_load, a.ports_of_node()) <
           std::pair(b.load_bound < enough_load, b.ports_of_node());
  });
  const bool cheaper = full && cheapest->load_bound >= enough_load && cheapest->ports_of_node() < fewer_ports * ports;
  if (cheaper) std::iter_swap(kept, cheapest);
  all.erase(kept + (cheaper ? 1 : 0), all.end());
}

/// The networks of a kind that come closest to the wanted number of nodes; of two that are as close, the wider one; of
/// two that are as wide, that of fewer ports.
std::vector<FoundNetwork> best_of(const std::string& kind, const SizeWish& wish, const cost::CostTable* prices) {
  std::vector<FoundNetwork> all;
  for (const Parameters& shape : models::ShapesNearRegistry::instance().find(kind)->shapes(wish)) {
    auto found = made(kind, shape, wish, prices);
    const bool known =
        found && std::ranges::any_of(all, [&](const auto& one) { return one.settings == found->settings; });
    if (found && !known) all.push_back(*std::move(found));
  }
  const auto rank = [](const FoundNetwork& one) {
    return std::tuple(std::round(one.off * 50), -std::round(one.load_bound * 50), one.ports);
  };
  std::ranges::stable_sort(all, {}, rank);
  keep_best(all);
  return all;
}

std::vector<FoundNetwork> networks_near(const SizeWish& wish, const cost::CostTable* prices) {
  std::vector<FoundNetwork> all;
  for (const std::string& kind : models::ShapesNearRegistry::instance().names()) {
    for (FoundNetwork& found : best_of(kind, wish, prices)) all.push_back(std::move(found));
  }
  return all;
}

std::string text_of(const std::vector<FoundNetwork>& networks, const cost::CostTable* prices) {
  TextTable rows{{"kind", "nodes", "routers", "ports", "links", "diameter", "mean", "load bound", "ports/node"}};
  if (prices != nullptr) {
    const std::string currency = prices->currency.empty() ? "price" : prices->currency;
    rows.front().insert(rows.front().end(), {currency + "/node", "W/node"});
  }
  for (const FoundNetwork& one : networks) {
    rows.push_back({one.kind, grouped(one.nodes), grouped(one.routers), std::to_string(one.radix), grouped(one.links),
                    std::to_string(one.diameter), significant(one.mean_distance, 3), significant(one.load_bound, 3),
                    significant(one.ports_of_node(), 3)});
    if (prices == nullptr) continue;
    const auto of_node = [&one](double all) { return significant(all / static_cast<double>(one.nodes), 3); };
    rows.back().push_back(one.cost ? of_node(one.cost->price()) : "n/a");
    rows.back().push_back(one.cost ? of_node(one.cost->watts()) : "n/a");
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
    if (one.cost) all.back()["cost"] = cost::cost_json(*one.cost, one.nodes);
  }
  return all;
}

}  // namespace

void find_topologies(const FindOptions& options) {
  const SizeWish wish{options.nodes, options.radix};
  std::optional<cost::CostTable> table;
  if (!options.cost.empty()) table = cost::load_cost_table(options.cost);
  const cost::CostTable* prices = table ? &*table : nullptr;
  const std::vector<FoundNetwork> found = networks_near(wish, prices);
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
      text_of(found, prices) +
      "\nPorts are those of the largest router, its nodes' included; distances count links, those of nodes "
      "too where nodes have links;\nthe load bound is that of uniform traffic, phits/node/cycle. To look closer: weft "
      "topology CONFIG --set topology.kind=KIND --set ...\n");
}

}  // namespace weft::tools
