// Takes from a config what its network is, and gives a fabric the usual settings.
#include "tools/fabric/packet_config.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "models/routing/settings.hpp"
#include "models/routing/table_routes.hpp"
#include "models/subnet/speeds.hpp"
#include "models/subnet/subnet_topology.hpp"
#include "tools/run/config/check/validate.hpp"
#include "tools/run/config/frozen.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools {
namespace {

constexpr std::array kept_tables{"topology", "link", "router", "congestion", "nic", "deadlock", "packet", "faults"};
constexpr std::array kept_keys{"simulation.tick_ps",         "simulation.max_cycles",
                               "simulation.watchdog_cycles", "workload.local_latency_cycles",
                               "workload.turnaround_cycles", "workload.send_gap_cycles"};
/// What packets do not go by that go by tables.
constexpr std::array keys_of_routes{"router.engine", "router.routing"};
/// Layers at most that tables may need: as many as InfiniBand has virtual lanes for data.
constexpr u32 most_layers = 15;

bool is_kept(const Setting& setting) {
  return std::ranges::find(kept_tables, setting.table()) != kept_tables.end() ||
         std::ranges::find(kept_keys, setting.key) != kept_keys.end();
}

Config config_of_text(const std::string& name, const std::string& text, const std::vector<std::string>& overrides) {
  return Config::load(name, overrides, [&text](const std::string& /*path*/) { return text; });
}

/// The word before '=' of "table.key=value".
std::string key_of(const std::string& override_text) {
  const std::string key = override_text.substr(0, override_text.find('='));
  const std::size_t first = key.find_first_not_of(" \t"), last = key.find_last_not_of(" \t");
  return first == std::string::npos ? "" : key.substr(first, last - first + 1);
}

/// `by_tables`: packets go by the tables of the flows; `is_config`: the fabric is that of a config.
void check_overrides(const std::vector<std::string>& overrides, bool by_tables, bool is_config) {
  for (const std::string& one : overrides) {
    const Setting* const setting = find_setting(key_of(one));
    if (setting == nullptr) continue;
    const bool of_network = setting->table() == "topology" || setting->table() == "faults";
    if (of_network && !is_config) {
      throw ConfigError(
          fmt::format("--set {} has no effect (the network is that of a fabric file); leave it out", shown(one)));
    }
    if (by_tables && std::ranges::find(keys_of_routes, setting->key) != keys_of_routes.end()) {
      throw ConfigError(
          fmt::format("--set {} has no effect (packets go by the tables of the flows); use --engine or "
                      "--tables",
                      shown(one)));
    }
    if (is_kept(*setting)) continue;
    throw ConfigError(
        fmt::format("--set {} has no effect on patterns sent as packets (what is sent are the pairs of the pattern, to "
                    "the end); leave it out, or see --pattern, --messages, --bytes and --seed",
                    shown(one)));
  }
}

/// The network of a config as overrides of an empty one.
std::vector<std::string> network_settings(const Config& config) {
  std::vector<std::string> kept;
  for (const Setting& setting : settings()) {
    if (config.given(setting.key) && is_kept(setting))
      kept.push_back(fmt::format("{}={}", setting.key, value_text(config.value(setting.key))));
  }
  for (const std::string& one : absolute_paths(config)) {
    if (is_kept(*find_setting(key_of(one)))) kept.push_back(one);
  }
  return kept;
}

std::vector<std::string> workload_settings(const PairMessages& messages) {
  return {"workload.kind=\"exchange\"", "workload.name=\"pairs\"",
          fmt::format("workload.both_ways={}", messages.both_ways),
          fmt::format("workload.message_bytes={}", messages.bytes),
          fmt::format("workload.repetitions={}", messages.messages)};
}

/// Virtual layers that keep the routes of a fabric free of deadlock.
u32 layers_needed(const models::SubnetTopology& network) {
  models::RouterSettings settings;
  settings.own.set("engine", std::string("auto"));
  settings.virtual_channels = most_layers;
  return models::table_routes(network, settings).layers.used;
}

/// The config of a network whose packets go by tables.
Config by_tables(Config config) {
  for (const char* const key : keys_of_routes) {
    if (config.given(key)) config = config.with({fmt::format("{}=\"auto\"", key)});  // what fits a fabric
  }
  return config.with({"topology.kind=\"file\""});
}

/// The config of a network whose links have rates of their own as multiples of a node's, which [link] then tells.
Config with_rate_of_nodes(const Config& config, const Fabric& fabric) {
  const double gbps = config.real("link.rate_gbps");
  const double usual = models::usual_speed(fabric.subnet).rate / (gbps > 0 ? gbps : 1.0);
  return config.with({fmt::format("link.phits_per_cycle={}", real_text(usual)),
                      fmt::format("link.node.phits_per_cycle={}", real_text(usual))});
}

/// What a fabric file is simulated with.
constexpr const char* default_config = R"(format = 1
[topology]
kind = "file"
[router]
kind = "infiniband"
)";

}  // namespace

PacketNetwork packet_network(const std::string& path, const std::vector<std::string>& overrides, const Fabric& fabric,
                             const models::ForwardingTables& tables, bool tables_wanted, const PairMessages& messages) {
  const bool is_config = fabric.form == FabricForm::config;
  check_overrides(overrides, tables_wanted || !is_config, is_config);
  const std::string name = is_config ? path : "the settings of packets";
  Config config = config_of_text(name, is_config ? "format = 1\n" : default_config,
                                 is_config ? network_settings(Config::load(path, overrides)) : overrides);
  PacketNetwork made{std::move(config), {}, {}, tables_wanted || !is_config};
  made.node_of_host.resize(fabric.subnet.hosts());
  for (u32 host = 0; host < fabric.subnet.hosts(); ++host) made.node_of_host[host] = host;
  if (made.takes_tables) {
    made.config = by_tables(made.config);
    const models::SubnetTopology network(fabric.subnet, fabric.name, tables);
    if (is_config && !network.link_rates().empty()) made.config = with_rate_of_nodes(made.config, fabric);
    for (u32 node = 0; node < network.nodes(); ++node) made.node_of_host[network.host_of(NodeId(node))] = node;
    if (!made.config.given("router.virtual_channels"))
      made.config = made.config.with({fmt::format("router.virtual_channels={}", layers_needed(network))});
    made.network = [network] { return std::make_unique<models::SubnetTopology>(network); };
  }
  made.config = made.config.with(workload_settings(messages));
  // A config of its own is not given for patterns: what they make useless of it is no mistake.
  validate(made.config.with({"workload.pairs=[0, 1]"}), is_config ? UnusedKeys::noted : UnusedKeys::refused);
  return made;
}

}  // namespace weft::tools
