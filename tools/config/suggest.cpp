// Finds the nearest known key by meaning first (same quantity, other unit) and by spelling second.
#include "tools/config/suggest.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "engine/nearest.hpp"
#include "tools/config/settings.hpp"

namespace weft::tools {

namespace {

/// The one key above all tables that is no setting.

/// The key without the unit it ends in: link.latency_ns -> link.latency. Units are part of names, so that a key with
/// the wrong unit names the right quantity.
std::string without_unit(const std::string& key) {
  static constexpr std::array<std::string_view, 22> units{
      "_cycles",   "_ticks",   "_ps",    "_ns",    "_us",    "_ms",   "_s",    "_seconds",
      "_minutes",  "_packets", "_phits", "_flits", "_bytes", "_bits", "_gbps", "_mbps",
      "_fraction", "_percent", "_kb",    "_kib",   "_gbit",  "_load"};
  for (const std::string_view unit : units) {
    if (key.ends_with(unit)) return key.substr(0, key.size() - unit.size());
  }
  return key;
}

std::string did_you_mean(const Setting& setting) {
  return fmt::format("did you mean {}{}?", setting.key, setting.unit.empty() ? "" : " (" + setting.unit + ")");
}

}  // namespace

std::string key_suggestion(const std::string& key) {
  for (const Setting& setting : settings()) {
    if (without_unit(setting.key) == without_unit(key)) return did_you_mean(setting);
  }
  const std::string name = key.substr(key.find('.') + 1);
  for (const Setting& setting : settings()) {
    if (setting.name() == name) return did_you_mean(setting);
  }
  std::vector<std::string> keys{include_key};
  for (const Setting& setting : settings()) {
    if (without_unit(setting.name()) == without_unit(name)) return did_you_mean(setting);
    keys.push_back(setting.key);
  }
  const std::string best = nearest(key, keys);
  return best == include_key ? "did you mean include?" : did_you_mean(*find_setting(best));
}

std::string table_suggestion(const std::string& table) {
  std::vector<std::string> names;
  for (const SettingTable& known : setting_tables()) names.push_back(known.name);
  return fmt::format("did you mean [{}]?", nearest(table, names));
}

std::string word_suggestion(const std::string& word, const std::vector<std::string>& words) {
  return words.empty() ? "there is none" : fmt::format("did you mean \"{}\"?", nearest(word, words));
}

}  // namespace weft::tools
