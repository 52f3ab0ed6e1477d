// Walks the tables of a config file, finds each key's row and hands the value to the conversion.
#include "tools/config/load.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <toml++/toml.h>

#include "engine/error.hpp"
#include "tools/config/convert.hpp"
#include "tools/config/suggest.hpp"

namespace weft::tools {

namespace {

std::string file_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw ConfigError(path + ": is a directory; give the config file in it");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  // An empty file sets failbit on the stream that it is copied to, which is no failure to read.
  if (!file.is_open() || file.bad()) {
    throw ConfigError(path + ": cannot read the config file (" + std::strerror(errno) + "); check the path");
  }
  return text.str();
}

std::string at_line(const std::string& path, const toml::source_region& source) {
  return path + ":" + std::to_string(source.begin.line);
}

toml::table parsed(const std::string& text, const std::string& path) {
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw ConfigError(path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": not valid TOML (" +
                      std::string(error.description()) + "); correct the line");
  }
}

/// The one row of the values at `node`, a key that the file gives.
const Setting& row_of(const std::string& key, const std::string& place) {
  const Setting* setting = find_setting(key);
  if (setting == nullptr) throw ConfigError(place + ": unknown key " + key + "; " + key_suggestion(key));
  return *setting;
}

bool is_table(const std::string& name) {
  for (const SettingTable& table : setting_tables()) {
    if (table.name == name) return true;
  }
  return false;
}

/// The table that a top-level node stands for: itself, or the only element of [[workload]].
const toml::table* table_at(const std::string& name, const toml::node& node, const std::string& place) {
  if (const toml::table* table = node.as_table()) return table;
  const toml::array* array = node.as_array();
  if (array == nullptr || !array->is_array_of_tables()) return nullptr;
  if (name != "workload") {
    throw ConfigError(place + ": [[" + name + "]] is a list of tables (there is one " + name + "); write [" + name +
                      "]");
  }
  if (array->size() > 1) {
    throw ConfigError(place + ": " + std::to_string(array->size()) +
                      " [[workload]] tables (this version runs one workload per run); keep one of them");
  }
  return array->get_as<toml::table>(0);
}

void read_table(const std::string& name, const toml::table& table, const std::string& path,
                std::vector<ReadValue>& values) {
  for (const auto& [key, node] : table) {
    const std::string full = name + "." + std::string(key.str());
    const std::string place = at_line(path, key.source());
    values.push_back({full, converted(row_of(full, place), node, place), place});
  }
}

}  // namespace

std::vector<ReadValue> read_config_file(const std::string& path) {
  const toml::table root = parsed(file_text(path), path);
  std::vector<ReadValue> values;
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    const std::string place = at_line(path, key.source());
    if (is_table(name)) {
      const toml::table* table = table_at(name, node, place);
      if (table == nullptr) {
        throw ConfigError(place + ": " + name + " is a table of settings, not a value; write [" + name +
                          "] and its keys below");
      }
      read_table(name, *table, path, values);
    } else if (node.is_table() || (node.is_array() && node.as_array()->is_array_of_tables())) {
      throw ConfigError(place + ": unknown table [" + name + "]; " + table_suggestion(name));
    } else {
      values.push_back({name, converted(row_of(name, place), node, place), place});
    }
  }
  return values;
}

ReadValue read_override(const std::string& text) {
  const std::string place = "--set " + text;
  const auto equals = text.find('=');
  const auto trimmed = [](std::string part) {
    part.erase(0, part.find_first_not_of(" \t"));
    part.erase(part.find_last_not_of(" \t") + 1);
    return part;
  };
  const std::string key = trimmed(text.substr(0, equals));
  if (equals == std::string::npos || key.empty()) {
    throw ConfigError(place + ": not of the form table.key=value; write for example --set router.virtual_channels=2");
  }
  const std::string table = key.substr(0, key.find('.'));
  if (table != key && !is_table(table)) {
    throw ConfigError(place + ": unknown table [" + table + "] in " + key + "; " + table_suggestion(table));
  }
  const Setting& setting = row_of(key, place);
  const std::string word = trimmed(text.substr(equals + 1));
  const bool wants_text = setting.type == SettingType::text || setting.type == SettingType::choice;
  if (word.empty()) throw ConfigError(place + ": no value for " + key + "; give one after the =");
  try {
    const toml::table root = toml::parse("value = " + word);
    const toml::node* node = root.get("value");
    // A word of digits is text where text is wanted; a second line in the word would be another key.
    if (root.size() == 1 && node != nullptr && (!wants_text || node->is_string())) {
      return {key, converted(setting, *node, place), place};
    }
  } catch (const toml::parse_error&) {
    // A bare word, which TOML does not have.
  }
  return {key, converted(setting, toml::value<std::string>(word), place), place};
}

}  // namespace weft::tools
