// Writes the given settings of a config with what depends on its place resolved.
#include "tools/config/frozen.hpp"

#include <filesystem>
#include <fmt/format.h>

#include "models/routing/router_kind.hpp"
#include "models/topology/topology.hpp"
#include "tools/config/application.hpp"
#include "tools/config/resolve.hpp"
#include "workloads/placement/policy.hpp"

namespace weft::tools {
namespace {

std::string absolute(const Config& config, const std::string& path) {
  return std::filesystem::absolute(config.resolve_path(path)).lexically_normal().string();
}

/// Inside a comment, which ends with its line.
std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return text;
}

bool names_a_file(const Config& config, const Setting& setting) {
  return setting.is_path && !config.text(setting.key).empty();
}

}  // namespace

std::vector<std::string> network_files(const Config& config) {
  std::vector<std::string> keys;
  const auto add = [&](const std::vector<Setting>& settings) {
    for (const Setting& setting : settings) {
      if (names_a_file(config, setting)) keys.push_back(setting.key);
    }
  };
  if (const auto* topology = models::TopologyRegistry::instance().find(config.text("topology.kind"))) {
    add(topology->settings);
    for (const std::string& name : router_kinds_in_use(config)) {
      if (const auto* router = models::RouterRegistry::instance().find(name)) add(router->settings);
    }
  }
  return keys;
}

std::vector<std::string> placement_files(const Config& config) {
  std::vector<std::string> keys;
  for (const Setting& setting : workloads::placement_kind(config.text("placement.policy")).settings) {
    if (names_a_file(config, setting)) keys.push_back(setting.key);
  }
  return keys;
}

std::vector<std::string> input_files(const Config& config) {
  std::vector<std::string> files;
  const auto add = [&](bool used, const std::string& key) {
    if (used && !config.text(key).empty()) files.push_back(absolute(config, config.text(key)));
  };
  for (const std::string& key : workload_files(config)) add(true, key);
  for (const std::string& key : placement_files(config)) add(true, key);
  for (const std::string& key : network_files(config)) add(true, key);
  return files;
}

std::vector<std::string> absolute_paths(const Config& config) {
  std::vector<std::string> overrides;
  for (const Setting& setting : settings()) {
    if (!names_a_file(config, setting)) continue;
    overrides.push_back(fmt::format("{}={}", setting.key, value_text(absolute(config, config.text(setting.key)))));
  }
  return overrides;
}

std::string frozen_toml(const Config& config) {
  std::string text = fmt::format("# {} as it was when it was frozen, with what it includes and what --set gave.\n",
                                 on_one_line(config.path()));
  for (const std::string& file : input_files(config)) text += fmt::format("# input: {}\n", on_one_line(file));
  std::string open_table;
  for (const Setting& setting : settings()) {
    if (!config.given(setting.key)) continue;
    if (setting.table() != open_table) text += fmt::format("\n[{}]\n", setting.table());
    open_table = setting.table();
    const std::string value = names_a_file(config, setting) ? value_text(absolute(config, config.text(setting.key)))
                                                            : value_text(config.value(setting.key));
    text += fmt::format("{} = {}  # {}\n", setting.name(), value, on_one_line(config.place(setting.key)));
  }
  return text;
}

}  // namespace weft::tools
