// What a run found, in about 25 lines for the person who started it.
#pragma once

#include <string>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// The summary as UTF-8 lines, each ended by a line break; `colour` adds ANSI escapes.
[[nodiscard]] std::string summary(const RunResult& result, bool colour);

}  // namespace weft::tools
