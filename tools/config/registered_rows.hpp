// Rows of the settings that topologies and routers declare where they register.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/registry.hpp"
#include "engine/setting.hpp"

namespace weft::tools {

/// A kind, and the rows that it declares.
struct DeclaredRows {
  std::string kind;
  std::vector<Setting> settings;
};
/// All of them, a key once: its help says for each kind, or for those that say the same together, what it is. Throws
/// Bug if two kinds declare a key with different type, range or default.
[[nodiscard]] std::vector<Setting> joined_rows(const std::vector<DeclaredRows>& declared);

/// The same for all kinds of a registry.
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

/// Which kinds of a registry declare a key; empty: it is everybody's.
template <class Entry>
[[nodiscard]] std::vector<std::string> kinds_with(const std::string& key) {
  std::vector<std::string> kinds;
  for (const std::string& name : Registry<Entry>::instance().names()) {
    const std::vector<Setting>& own = Registry<Entry>::instance().find(name)->settings;
    if (std::ranges::any_of(own, [&](const Setting& setting) { return setting.key == key; })) kinds.push_back(name);
  }
  return kinds;
}

}  // namespace weft::tools
