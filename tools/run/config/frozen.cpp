// Writes the given settings of a config with what depends on its place resolved.
#include "tools/run/config/frozen.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "engine/base/error.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/topology.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/effect.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/plugin/plugins.hpp"
#include "workloads/program/placement/policy.hpp"

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
  if (!config.text("faults.file").empty()) keys.push_back("faults.file");
  return keys;
}

std::vector<std::string> placement_files(const Config& config) {
  std::vector<std::string> keys;
  for (const GivenJob& job : config.jobs()) {
    for (const std::string& key : placement_files(config.of_job(job.name)))
      keys.push_back(fmt::format("job.{}.{}", job.name, key));
  }
  if (!config.jobs().empty()) return keys;
  for (const Setting& setting : workloads::placement_kind(config.text("placement.policy")).settings) {
    if (names_a_file(config, setting)) keys.push_back(setting.key);
  }
  return keys;
}

std::vector<std::string> files_behind(const Config& config) {
  std::vector<std::string> files;
  for (const GivenJob& job : config.jobs()) {
    for (std::string& file : files_behind(config.of_job(job.name))) files.push_back(std::move(file));
  }
  if (!config.jobs().empty()) return files;
  const workloads::WorkloadKind& kind = workload_kind(config);
  return kind.more_files ? kind.more_files(table_parameters(config, "workload")) : files;
}

std::vector<std::string> input_files(const Config& config) {
  std::vector<std::string> files;
  const auto add = [&](bool used, const std::string& key) {
    if (used && !config.text(key).empty()) files.push_back(absolute(config, config.text(key)));
  };
  for (const std::string& key : workload_files(config)) add(true, key);
  for (const std::string& key : placement_files(config)) add(true, key);
  for (const std::string& key : network_files(config)) add(true, key);
  try {
    for (const std::string& path : files_behind(config))
      files.push_back(std::filesystem::absolute(path).lexically_normal().string());
  } catch (const Error&) {
    // A trace that is not there, or no trace.
  }
  for (const Plugin& plugin : plugins()) files.push_back(plugin.path);
  std::set<std::string> seen;
  std::erase_if(files, [&seen](const std::string& path) { return !seen.insert(path).second; });
  return files;
}

std::vector<std::string> keys_of_files(const Config& config) {
  std::vector<std::string> keys;
  for (const Setting& setting : settings()) {
    if (names_a_file(config, setting)) keys.push_back(setting.key);
  }
  for (const GivenJob& job : config.jobs()) {
    for (const auto& [key, given] : job.values) {
      const std::string whole = fmt::format("job.{}.{}", job.name, key);
      const Setting* const setting = find_setting(key);
      if (setting != nullptr && setting->is_path && !config.text(whole).empty()) keys.push_back(whole);
    }
  }
  return keys;
}

std::vector<std::string> absolute_paths(const Config& config) {
  std::vector<std::string> overrides;
  for (const std::string& key : keys_of_files(config))
    overrides.push_back(fmt::format("{}={}", key, value_text(absolute(config, config.text(key)))));
  return overrides;
}

namespace {

/// The settings of some tables that have a value and an effect, with a heading for each table. `unused`: keys.
template <class Wanted>
std::string tables_text(const Config& config, const std::string& prefix, const std::set<std::string>& unused,
                        Wanted&& wanted) {
  std::string text, open_table;
  for (const Setting* const setting : settings_in_use(config)) {
    const SettingValue& value = config.value(setting->key);
    if (!wanted(setting->table()) || unused.contains(setting->key) || std::holds_alternative<std::monostate>(value))
      continue;
    if (setting->table() != open_table) text += fmt::format("\n[{}{}]\n", prefix, setting->table());
    open_table = setting->table();
    text +=
        fmt::format("{} = {}\n", setting->name(),
                    value_text(names_a_file(config, *setting) ? absolute(config, config.text(setting->key)) : value));
  }
  return text;
}

/// Keys that would have no effect were they all given with the values that they have.
std::set<std::string> unused_if_given(const Config& config) {
  std::vector<std::string> all;
  for (const Setting* const setting : settings_in_use(config)) {
    const SettingValue& value = config.value(setting->key);
    const bool beside_jobs = is_table_of_jobs(setting->table()) && !config.jobs().empty();
    if (!beside_jobs && !std::holds_alternative<std::monostate>(value))
      all.push_back(fmt::format("{}={}", setting->key, value_text(value)));
  }
  std::set<std::string> keys;
  for (const WithoutEffect& one : keys_without_effect(config.with(all))) keys.insert(one.key);
  return keys;
}

}  // namespace

std::string complete_toml(const Config& config) {
  const bool jobs = !config.jobs().empty();
  std::string text =
      plugins_line() + tables_text(config, "", unused_if_given(config),
                                   [jobs](const std::string& table) { return !jobs || !is_table_of_jobs(table); });
  for (const GivenJob& job : config.jobs()) {
    text += fmt::format("\n[[job]]\nname = {}\n", value_text(job.name));
    for (const Setting& setting : job_settings()) {
      const SettingValue& value = config.value(fmt::format("job.{}.{}", job.name, setting.name()));
      if (setting.name() != "name") text += fmt::format("{} = {}\n", setting.name(), value_text(value));
    }
    const Config alone = config.of_job(job.name);
    text += tables_text(alone, "job.", unused_if_given(alone), is_table_of_jobs);
  }
  return text;
}

std::string frozen_toml(const Config& config) {
  std::string text = fmt::format("# {} as it was when it was frozen, with what it includes and what --set gave.\n",
                                 on_one_line(config.path()));
  for (const std::string& file : input_files(config)) text += fmt::format("# input: {}\n", on_one_line(file));
  text += plugins_line();
  std::string open_table;
  const auto add = [&](const Setting& setting, const std::string& key) {
    const SettingValue& given = config.value(key);
    const bool file = setting.is_path && !config.text(key).empty();
    text += fmt::format("{} = {}  # {}\n", setting.name(),
                        value_text(file ? absolute(config, config.text(key)) : given), on_one_line(config.place(key)));
  };
  for (const Setting& setting : settings()) {
    if (!config.given(setting.key)) continue;
    if (setting.table() != open_table) text += fmt::format("\n[{}]\n", setting.table());
    open_table = setting.table();
    add(setting, setting.key);
  }
  for (const GivenJob& job : config.jobs()) {
    text += "\n[[job]]\n";
    for (const auto& [key, given] : job.values) {  // its own first: what follows a table belongs to that
      const auto dot = key.find('.');
      const std::string table = key.substr(0, dot), whole = fmt::format("job.{}.{}", job.name, key.substr(dot + 1));
      if (table == "job") add(*find_setting(whole), whole);
    }
    for (const char* const table : {"workload", "placement"}) {
      bool open = false;
      for (const auto& [key, given] : job.values) {
        if (!key.starts_with(std::string(table) + ".")) continue;
        if (!open) text += fmt::format("[job.{}]\n", table);
        open = true;
        add(*find_setting(key), fmt::format("job.{}.{}", job.name, key));
      }
    }
  }
  return text;
}

}  // namespace weft::tools
