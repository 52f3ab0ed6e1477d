// Standard output as the commands use it: text that really arrives.
#pragma once

#include <string>

namespace weft::files {

/// Writes `text` to standard output and flushes. Throws SystemError if that fails (disk full, pipe closed): a script
/// must not take half an answer for a whole one.
void print(const std::string& text);

/// Whether people see standard output in colours: a terminal that can, and NO_COLOR (no-color.org) not set.
[[nodiscard]] bool colour_wanted();

}  // namespace weft::files
