// Standard output as the commands use it: text that really arrives, and labelled lines of one shape.
#pragma once

#include <string>

namespace weft::tools {

/// Writes `text` to standard output and flushes. Throws SystemError if that fails (disk full, pipe closed): a script
/// must not take half an answer for a whole one.
void print(const std::string& text);

/// "label       text\n", texts of all lines one below the other.
[[nodiscard]] std::string labelled(const std::string& label, const std::string& text);

/// Whether people see standard output in colours: a terminal that can, and NO_COLOR (no-color.org) not set.
[[nodiscard]] bool colour_wanted();

/// Fails before work is done for nothing: throws ConfigError if a file to be written is `input`, which is read, and
/// SystemError if it cannot be written. An empty path passes.
void check_output(const std::string& path, const std::string& input);

}  // namespace weft::tools
