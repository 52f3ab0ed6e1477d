// Names of files for runs that are some of many; see the header.
#include "tools/run/config/output_keys.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <string_view>

#include "tools/run/config/toml_text.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

/// Whether it is a device, pipe or terminal, which several runs may write to one after the other.
bool is_stream(const std::string& path) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// Without the slashes that the name of a folder may end with.
fs::path without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

std::string path_of_run(const std::string& path, const std::string& run) {
  if (path.empty() || is_stream(path)) return path;
  const fs::path whole = without_slashes(path);
  return (whole.parent_path() / fmt::format("{}-{}{}", whole.stem().string(), run, whole.extension().string()))
      .string();
}

std::vector<std::string> record_paths(const Config& config, const std::string& key) {
  const std::string path = config.text(key);
  if (path.empty()) return {};
  const i64 seeds = config.integer("measure.seeds"), first = config.integer("simulation.seed");
  if (seeds == 1 || is_stream(path)) return {path};
  std::vector<std::string> paths;
  for (i64 seed = first; seed < first + seeds; ++seed) paths.push_back(path_of_run(path, fmt::format("seed-{}", seed)));
  return paths;
}

std::vector<std::string> records_beside(const Config& config, const std::string& stem) {
  std::vector<std::string> settings;
  for (const std::string_view key : record_keys) {
    const std::string path = config.text(std::string(key));
    if (path.empty() || is_stream(path)) continue;
    const std::string name(key.substr(key.find('.') + 1));
    settings.push_back(fmt::format(
        "{}={}", key, value_text(fmt::format("{}.{}{}", stem, name, without_slashes(path).extension().string()))));
  }
  return settings;
}

}  // namespace weft::tools
