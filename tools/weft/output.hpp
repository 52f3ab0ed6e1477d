// Standard output as the commands use it: text that really arrives, and labelled lines of one shape.
#pragma once

#include <string>

#include "tools/config/config.hpp"
#include "tools/progress/progress.hpp"
#include "tools/result/output_path.hpp"

namespace weft::tools {

/// Writes `text` to standard output and flushes. Throws SystemError if that fails (disk full, pipe closed): a script
/// must not take half an answer for a whole one.
void print(const std::string& text);

/// "label       text\n", texts of all lines one below the other.
[[nodiscard]] std::string labelled(const std::string& label, const std::string& text);

/// Whether people see standard output in colours: a terminal that can, and NO_COLOR (no-color.org) not set.
[[nodiscard]] bool colour_wanted();

/// What a word of --progress means: auto, always or never.
[[nodiscard]] Progress::Mode progress_mode(const std::string& word);

/// Notes as read the config file, those that it includes, and every file that one of its settings names.
void reads_config(CommandFiles& files, const Config& config);

}  // namespace weft::tools
