// Which files a command reads because its config says so.
#pragma once

#include "engine/base/file/output_path.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools {

/// Notes as read the config file, those that it includes, and every file that one of its settings names.
void reads_config(files::CommandFiles& files, const Config& config);

}  // namespace weft::tools
