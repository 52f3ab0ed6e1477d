// The plug-ins that are loaded, as text and as JSON.
#include "tools/run/config/describe_plugins.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/hash.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/plugin/plugins.hpp"

namespace weft::tools {

std::string describe_plugins() {
  std::string text;
  for (const Plugin& plugin : plugins()) {
    text += fmt::format("{}{}\n  {}\n  hash {}\n", text.empty() ? "" : "\n", plugin.name, shown(plugin.path),
                        hex_digits(plugin.hash));
    std::string before;
    for (const Registration& one : plugin.added) {
      std::string line = fmt::format("  {} \"{}\"\n", one.what, one.name);
      if (line != before) text += line;  // an event loop is one for each kind of host
      before = std::move(line);
    }
  }
  return text;
}

nlohmann::json plugins_json() {
  nlohmann::json list = nlohmann::json::array();
  for (const Plugin& plugin : plugins()) {
    nlohmann::json registers = nlohmann::json::array();
    for (const Registration& one : plugin.added) registers.push_back({{"what", one.what}, {"name", one.name}});
    list.push_back({{"name", plugin.name},
                    {"path", plugin.path},
                    {"hash", hex_digits(plugin.hash)},
                    {"registers", std::move(registers)}});
  }
  return list;
}

}  // namespace weft::tools
