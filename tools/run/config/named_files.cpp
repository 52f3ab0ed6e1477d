// Names of files in configs; see the header.
#include "tools/run/config/named_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/run/config/toml_text.hpp"
#include "tools/run/plugin/plugins.hpp"

namespace weft::tools {
namespace {

/// `seen`: files that have been looked at.
void load_plugins_below(const std::string& path, std::set<std::string>& seen) {
  if (!seen.insert(path).second) return;
  const FileText file = file_text(path, most_toml_bytes);
  if (file.status != FileText::Status::whole) return;
  std::vector<std::string> included;
  toml::table root;
  try {
    root = parse_toml(file.text, path);
    if (const toml::node* const node = root.get(include_key)) included = file_names(*node, path, "");
  } catch (const ConfigError&) {
    return;
  }
  load_plugins(root, path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const std::string& name : included) load_plugins_below((folder / name).lexically_normal().string(), seen);
}

}  // namespace

std::vector<std::string> file_names(const toml::node& node, const std::string& place, const std::string& wrong) {
  std::vector<std::string> names;
  const auto take = [&names](const toml::node& one) {
    const auto* text = one.as_string();
    if (text == nullptr || text->get().empty()) return false;
    names.push_back(text->get());
    return true;
  };
  const toml::array* array = node.as_array();
  const bool fits = array == nullptr ? take(node) : !array->empty() && std::all_of(array->begin(), array->end(), take);
  if (!fits) {
    throw ConfigError(fmt::format("{}: {}", place, wrong));
  }
  return names;
}

void load_plugins(const toml::table& root, const std::string& path) {
  const toml::node* const node = root.get(plugins_key);
  if (node == nullptr) return;
  const std::string place = at_line(path, node->source());
  const std::string wrong =
      "plugins are no shared libraries (wanted a list of names in quotes); write plugins = [\"./libmy_router.so\"]";
  for (const std::string& name : file_names(*node, place, wrong)) {
    try {
      load_plugin(name, std::filesystem::path(path).parent_path().string());
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("{}: plugins: {}", place, error.what()), error.detail());
    }
  }
}

void load_plugins_of(const std::string& path) {
  std::set<std::string> seen;
  load_plugins_below(path, seen);
}

}  // namespace weft::tools
