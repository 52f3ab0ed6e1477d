// Files that commands read and write: those that a config names, and answers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/base/file/output_path.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools {

/// Notes as read the config file, those that it includes, and every file that one of its settings names.
void reads_config(files::CommandFiles& files, const Config& config);

/// An answer as JSON to standard output ("-") instead of the text, or to a file beside it. Bytes of names that are no
/// UTF-8 are replaced.
void write_answer(const std::string& json_path, const nlohmann::json& json, const std::string& text);

}  // namespace weft::tools
