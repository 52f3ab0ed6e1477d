// Which settings name files that a run writes.
#pragma once

#include <array>

namespace weft::tools {

/// Relative to the working directory. Whatever else names a file names one that is read (Setting::is_path).
inline constexpr std::array output_keys{"statistics.events", "statistics.matches", "statistics.timeline",
                                        "checkpoint.path"};

}  // namespace weft::tools
