// Asks which settings name files; see the header.
#include "tools/cli/config_files.hpp"

#include <string>

#include "tools/run/config/frozen.hpp"
#include "tools/run/plugin/plugins.hpp"

namespace weft::tools {

void reads_config(files::CommandFiles& files, const Config& config) {
  for (const std::string& path : config.files()) files.reads("the config", path);
  for (const Plugin& plugin : plugins()) files.reads("a plug-in", plugin.path);
  for (const std::string& key : keys_of_files(config)) files.reads(key, config.resolve_path(config.text(key)));
}

}  // namespace weft::tools
