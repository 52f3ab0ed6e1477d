// Asks which settings name files, and writes answers; see the header.
#include "tools/cli/command_files.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/standard_output.hpp"
#include "tools/run/config/frozen.hpp"
#include "tools/run/plugin/plugins.hpp"

namespace weft::tools {

void reads_config(files::CommandFiles& files, const Config& config) {
  for (const std::string& path : config.files()) files.reads("the config", path);
  for (const Plugin& plugin : plugins()) files.reads("a plug-in", plugin.path);
  for (const std::string& key : keys_of_files(config)) files.reads(key, config.resolve_path(config.text(key)));
}

void write_answer(const std::string& json_path, const nlohmann::json& json, const std::string& text) {
  if (json_path.empty()) return files::print(text);
  const std::string answer = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (json_path == "-") return files::print(answer);
  files::write_file_atomically(json_path, answer, files::Streams::allowed);
  files::print(text);
}

}  // namespace weft::tools
