// The files that a config names above all its tables: what it includes, and its plug-ins.
#pragma once

#include <string>
#include <toml++/toml.h>
#include <vector>

namespace weft::tools {

/// The file names at `include` or `plugins`: a text or a list of them. Throws ConfigError with `wrong` for anything
/// else.
[[nodiscard]] std::vector<std::string> file_names(const toml::node& node, const std::string& place,
                                                  const std::string& wrong);

/// Loads the plug-ins that a file names itself. Throws ConfigError with file:line.
void load_plugins(const toml::table& root, const std::string& path);

/// Loads the plug-ins of a config and of what it includes, and reads nothing else of it: keys that they bring are known
/// then. Whatever else is wrong with the files is told by who reads them.
void load_plugins_of(const std::string& path);

}  // namespace weft::tools
