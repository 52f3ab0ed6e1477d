// Typed access to the settings of a run, and the forms in which they are written: JSON, canonical TOML, hash.
#include "tools/config/config.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "engine/text_file.hpp"
#include "tools/config/load.hpp"
#include "tools/config/resolve.hpp"
#include "tools/config/toml_text.hpp"
#include "tools/hash/hash.hpp"

namespace weft::tools {

namespace {

const Setting& known(const std::string& key) {
  const Setting* setting = find_setting(key);
  if (setting == nullptr) throw Bug("setting " + key + " is asked for but not in the settings table");
  return *setting;
}

/// The value as a T, or T{} where there is none.
template <class T>
T value_as(const SettingValue& value, const std::string& key) {
  if (std::holds_alternative<std::monostate>(value)) return T{};
  if (const T* typed = std::get_if<T>(&value)) return *typed;
  throw Bug("setting " + key + " is asked for as another type than it has");
}

nlohmann::json json_of(const SettingValue& value) {
  return std::visit(
      [](const auto& typed) -> nlohmann::json {
        if constexpr (std::is_same_v<std::decay_t<decltype(typed)>, std::monostate>) {
          return nullptr;
        } else {
          return typed;
        }
      },
      value);
}

}  // namespace

Config Config::load(const std::string& path, const std::vector<std::string>& overrides, const ReadFile& read) {
  static const ReadFile from_disk = [](const std::string& file) {
    return read_text_file<ConfigError>(file, most_toml_bytes, "config file");
  };
  ReadFiles files = read_config_files(path, read ? read : from_disk);
  Config config;
  config.path_ = path;
  config.files_ = std::move(files.paths);
  for (ReadValue& one : files.values) config.in_files_[one.key] = {std::move(one.value), std::move(one.place), one.by};
  config = config.of_files().with(overrides);
  if (!config.given("format")) {
    throw ConfigError(shown(path) +
                      ": format is missing (the version of the config language); add the line format = 1 on top");
  }
  return config;
}

Config Config::with(const std::vector<std::string>& overrides) const {
  Config config = *this;
  for (const std::string& text : overrides) {
    ReadValue read = read_override(text);
    config.given_[read.key] = {std::move(read.value), std::move(read.place), read.by};
  }
  config.settle();
  return config;
}

Config Config::of_files() const {
  Config config = *this;
  config.given_ = in_files_;
  config.settle();
  return config;
}

void Config::settle() {
  usual_.clear();
  std::map<std::string, SettingValue> usual = usual_values(*this);
  usual_ = std::move(usual);
}

GivenBy Config::given_by(const std::string& key) const {
  const auto it = given_.find(key);
  if (it == given_.end()) throw Bug("setting " + key + " was not given");
  return it->second.by;
}

const SettingValue& Config::value(const std::string& key) const {
  const Setting& setting = known(key);
  if (const auto it = given_.find(key); it != given_.end()) return it->second.value;
  const auto it = usual_.find(key);
  return it == usual_.end() ? setting.fallback : it->second;
}

i64 Config::integer(const std::string& key) const { return value_as<i64>(value(key), key); }
double Config::real(const std::string& key) const { return value_as<double>(value(key), key); }
std::string Config::text(const std::string& key) const { return value_as<std::string>(value(key), key); }
bool Config::flag(const std::string& key) const { return value_as<bool>(value(key), key); }
std::vector<i64> Config::integers(const std::string& key) const { return value_as<std::vector<i64>>(value(key), key); }

bool Config::given(const std::string& key) const {
  known(key);
  return given_.contains(key);
}

std::string Config::place(const std::string& key) const {
  known(key);
  const auto it = given_.find(key);
  return it == given_.end() ? shown(path_) : it->second.place;
}

nlohmann::json Config::to_json() const {
  std::vector<const Setting*> all;
  for (const Setting& setting : settings()) all.push_back(&setting);
  return to_json(all);
}

nlohmann::json Config::to_json(const std::vector<const Setting*>& some) const {
  nlohmann::json json = nlohmann::json::object();
  for (const Setting* const setting : some) {
    std::string pointer = "/" + setting->key;  // nested at each dot
    std::ranges::replace(pointer, '.', '/');
    json[nlohmann::json::json_pointer(pointer)] = json_of(value(setting->key));
  }
  return json;
}

std::string Config::canonical_text(const std::vector<std::string>& left_out_tables) const {
  std::string text;
  std::string open_table;
  for (const Setting& setting : settings()) {
    const std::string table = setting.table();
    if (std::find(left_out_tables.begin(), left_out_tables.end(), table) != left_out_tables.end()) continue;
    const SettingValue& current = value(setting.key);
    if (std::holds_alternative<std::monostate>(current)) continue;
    if (table != open_table) text += fmt::format("\n[{}]\n", table);
    open_table = table;
    text += fmt::format("{} = {}\n", setting.name(), value_text(current));
  }
  return text;
}

std::string Config::toml() const { return canonical_text({}); }

u64 Config::hash() const { return fnv1a(canonical_text({"parallel", "checkpoint"})); }

std::string Config::directory() const {
  const std::string directory = std::filesystem::path(path_).parent_path().string();
  return directory.empty() ? "." : directory;
}

std::string Config::resolve_path(const std::string& relative) const {
  // Appending an absolute path to another one yields the absolute path.
  return (std::filesystem::path(directory()) / relative).lexically_normal().string();
}

}  // namespace weft::tools
