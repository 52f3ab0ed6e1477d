// Shared libraries that add topologies, routers, patterns... to the registries: found, checked, loaded, listed.
#pragma once

#include <string>
#include <vector>

#include "engine/base/registration.hpp"
#include "engine/base/types.hpp"

namespace weft::tools {

/// A library that has been loaded.
struct Plugin {
  std::string name;                 ///< of its file: "libmy_router.so"
  std::string path;                 ///< absolute
  u64 hash = 0;                     ///< of the file's content
  std::vector<Registration> added;  ///< what it registered
};

/// Loads a library unless it is loaded already; its static initialisers register what it has. A relative path is as
/// seen from `folder`, or else its file name in one of the folders of the environment variable WEFT_PLUGIN_PATH
/// (separated by colons). It stays until the program ends. Throws ConfigError for what is nowhere, is no plug-in of
/// this weft, cannot be loaded, registers nothing, or registers a name that is taken.
void load_plugin(const std::string& file, const std::string& folder);

/// Plug-ins that were loaded, in that order.
[[nodiscard]] const std::vector<Plugin>& plugins();

/// A line for each with its name and hash: what results depend on. Empty without plug-ins.
[[nodiscard]] std::vector<std::string> plugin_lines();
/// These lines, one below the other.
[[nodiscard]] std::string plugin_text();

}  // namespace weft::tools
