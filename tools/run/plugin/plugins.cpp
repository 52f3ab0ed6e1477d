// Loading of plug-ins. All that can be checked is checked before the library is loaded, since loading runs its code.
#include "tools/run/plugin/plugins.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/base/error.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/plugin/stamp_of_file.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

std::vector<Plugin>& loaded_plugins() {
  static std::vector<Plugin> all;
  return all;
}

std::vector<fs::path> plugin_folders() {
  std::vector<fs::path> folders;
  const char* const variable = std::getenv("WEFT_PLUGIN_PATH");
  for (std::string rest = variable == nullptr ? "" : variable; !rest.empty();) {
    const auto colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.emplace_back(rest.substr(0, colon));
    rest.erase(0, colon + 1);
  }
  return folders;
}

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed) && !fs::is_directory(path, failed);
}

/// Throws unless the file is a plug-in that was compiled as this program was.
void check_stamp(const std::string& path) {
  const plugin::FileStamp file = plugin::stamp_of_file(path);
  if (!file.is_library) {
    throw ConfigError(fmt::format(
        "'{}' is no shared library (of 64-bit ELF); build a plug-in by weft_add_plugin(), see docs/plugins.md",
        shown(path)));
  }
  if (!file.whole) {
    throw ConfigError(fmt::format("'{}' is cut short (parts of it are missing); copy or build it again", shown(path)));
  }
  if (file.stamp.empty()) {
    throw ConfigError(fmt::format(
        "'{}' is no plug-in of weft (it has no stamp); build it by weft_add_plugin(), or compile one of its files with "
        "-include tools/run/plugin/stamp.hpp",
        shown(path)));
  }
  const std::string difference = plugin::stamp_difference(file.stamp, plugin::own_stamp());
  if (difference.empty()) return;
  throw ConfigError(
      fmt::format("'{}' was built for another weft ({}); build it again with the headers of this one, see "
                  "docs/plugins.md",
                  shown(path), difference));
}

/// The library that is being loaded, for end_at_exception.
std::string loading;

/// An exception of a static initialiser cannot leave the dynamic linker: the program is told why and ends here.
[[noreturn]] void end_at_exception() {
  std::string why = "an unknown exception";
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    why = error.what();
  } catch (...) {
  }
  spdlog::error("'{}' cannot be loaded (its initialisation throws: {}); mend the plug-in", shown(loading),
                shown(why, 400));
  std::_Exit(static_cast<int>(ExitCode::config));
}

/// dlopen, which runs the library's registrations.
void open_library(const Plugin& plugin) {
  set_registrant(plugin.name);
  loading = plugin.path;
  const std::terminate_handler before = std::set_terminate(end_at_exception);
  const bool loaded = ::dlopen(plugin.path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;
  std::set_terminate(before);
  set_registrant("");
  if (loaded) return;
  throw ConfigError(fmt::format(
      "'{}' cannot be loaded ({}); build it against this weft, and link it with the libraries that it needs",
      shown(plugin.path), shown(::dlerror(), 400)));
}

std::string find_plugin(const std::string& file, const std::string& folder) {
  const fs::path wanted(file);
  std::vector<fs::path> places{fs::path(folder) / wanted};
  if (wanted.is_relative()) {
    for (const fs::path& one : plugin_folders()) places.push_back(one / wanted.filename());
  }
  std::string tried;
  for (const fs::path& place : places) {
    if (is_file(place)) return fs::absolute(place).lexically_normal().string();
    tried += fmt::format("{}'{}'", tried.empty() ? "" : ", ", shown(place.lexically_normal().string()));
  }
  throw ConfigError(fmt::format(
      "there is no plug-in {} (not found: {}); give its path as seen from the folder of the config, or add its folder "
      "to the environment variable WEFT_PLUGIN_PATH",
      shown(file), tried));
}

std::string whose(const std::string& owner) { return owner.empty() ? "weft itself has" : owner + " has registered"; }

void check_registrations(const Plugin& plugin) {
  for (const Registration& one : plugin.added) {
    if (!one.taken) continue;
    throw ConfigError(fmt::format("'{}' registers the {} \"{}\", a name that {}; give it another one",
                                  shown(plugin.path), one.what, shown(one.name), whose(one.instead)));
  }
  if (!plugin.added.empty()) return;
  throw ConfigError(fmt::format(
      "'{}' registers nothing (files that register themselves are dropped from static libraries); add its files to "
      "weft_add_plugin() itself",
      shown(plugin.path)));
}

}  // namespace

void load_plugin(const std::string& file, const std::string& folder) {
  Plugin plugin;
  plugin.path = find_plugin(file, folder);
  plugin.name = fs::path(plugin.path).filename().string();
  const auto same = [&](const Plugin& one) {
    std::error_code failed;
    return one.path == plugin.path || fs::equivalent(one.path, plugin.path, failed);
  };
  if (std::ranges::any_of(loaded_plugins(), same)) return;
  check_stamp(plugin.path);
  const std::optional<u64> hash = hash_file(plugin.path);
  if (!hash) throw ConfigError(fmt::format("cannot read '{}' to its end; copy it anew", shown(plugin.path)));
  plugin.hash = *hash;
  const std::size_t before = registrations().size();
  open_library(plugin);
  plugin.added.assign(registrations().begin() + static_cast<std::ptrdiff_t>(before), registrations().end());
  check_registrations(plugin);
  loaded_plugins().push_back(std::move(plugin));
}

const std::vector<Plugin>& plugins() { return loaded_plugins(); }

std::vector<std::string> plugin_lines() {
  std::vector<std::string> lines;
  for (const Plugin& plugin : plugins()) lines.push_back(fmt::format("{} {}", plugin.name, hex_digits(plugin.hash)));
  return lines;
}

std::string plugin_text() { return fmt::format("{}", fmt::join(plugin_lines(), "\n")); }

}  // namespace weft::tools
