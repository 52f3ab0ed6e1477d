// Files of failures and repairs: an event in a line, or a list of objects in JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/faults/fault_event.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools {

/// The events of a file. Lines: as fault_events, with commas between words if wanted, # begins a comment. JSON, if its
/// name ends in .json or it begins with [ or {: a list of objects with the keys of [[faults.event]]. Throws ConfigError
/// with the file and the line, or the number of the object from 1.
[[nodiscard]] std::vector<models::GivenFault> fault_events_of_file(const std::string& path, const TimeScale& time);
/// Likewise those in `text`, which was read from a file called `path`.
[[nodiscard]] std::vector<models::GivenFault> fault_events_of_text(std::string_view text, const TimeScale& time,
                                                                   const std::string& path);

}  // namespace weft::tools
