// Asks the settings table which of them name files; see the header.
#include "tools/weft/config_files.hpp"

#include <string>

#include "tools/config/settings.hpp"

namespace weft::tools {

void reads_config(files::CommandFiles& files, const Config& config) {
  for (const std::string& path : config.files()) files.reads("the config", path);
  for (const Setting& setting : settings()) {
    if (!setting.is_path) continue;
    const std::string path = config.text(setting.key);
    if (!path.empty()) files.reads(setting.key, config.resolve_path(path));
  }
}

}  // namespace weft::tools
