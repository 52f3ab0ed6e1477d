// Rows of the settings that topologies and routers declare where they register.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/base/registry.hpp"
#include "engine/base/setting.hpp"

namespace weft::tools {

/// A kind, and the rows that it declares.
struct DeclaredRows {
  std::string kind;
  std::vector<Setting> settings;
};
/// All of them, a key once: its help says for each kind, or for those that say the same together, what it is; without a
/// default where kinds have different ones. Throws Bug if two kinds declare a key with different type or range.
[[nodiscard]] std::vector<Setting> joined_rows(const std::vector<DeclaredRows>& declared);

/// The rows of all kinds of a registry, joined by joined_rows.
template <class Entry>
[[nodiscard]] std::vector<Setting> registered_rows() {
  std::vector<DeclaredRows> declared;
  for (const std::string& name : Registry<Entry>::instance().names()) {
    declared.push_back({name, Registry<Entry>::instance().find(name)->settings});
  }
  return joined_rows(declared);
}

/// The kinds of a registry that have a property.
template <class Entry>
[[nodiscard]] std::vector<std::string> kinds_that(bool Entry::*property) {
  std::vector<std::string> kinds = Registry<Entry>::instance().names();
  std::erase_if(kinds, [&](const std::string& kind) { return !(Registry<Entry>::instance().find(kind)->*property); });
  return kinds;
}

/// Which kinds of a registry declare a key, in the order of their names; empty: it is everybody's. Asked for each key
/// of each point of a study, so it is looked up in a table made once: after main() has begun no kind is added.
template <class Entry>
[[nodiscard]] const std::vector<std::string>& kinds_with(const std::string& key) {
  static const std::map<std::string, std::vector<std::string>> owners = [] {
    std::map<std::string, std::vector<std::string>> found;
    for (const std::string& name : Registry<Entry>::instance().names()) {
      for (const Setting& setting : Registry<Entry>::instance().find(name)->settings) {
        std::vector<std::string>& kinds = found[setting.key];
        if (kinds.empty() || kinds.back() != name) kinds.push_back(name);
      }
    }
    return found;
  }();
  static const std::vector<std::string> everybody;
  const auto found = owners.find(key);
  return found == owners.end() ? everybody : found->second;
}

}  // namespace weft::tools
