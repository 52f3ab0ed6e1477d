// Failures and repairs as users write them: "20us link r0:2 down", "links mtbf 1000h mttr 2h".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/faults/fault_event.hpp"
#include "models/faults/fault_process.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools {

/// A time with its unit ("500cycles", "20us", "1.5h") in ticks. Throws ConfigError that begins with `place` for what is
/// none, and for units of time where a cycle has no stated length.
[[nodiscard]] double fault_ticks(std::string_view text, const TimeScale& time, const std::string& place);

/// So many ns in ticks, `shown` for messages. Throws likewise.
[[nodiscard]] double ticks_of_ns(double ns, const std::string& shown, const TimeScale& time, const std::string& place);

/// Events with ; between them. Throws ConfigError that begins with `place`.
[[nodiscard]] std::vector<models::GivenFault> fault_events(std::string_view text, const TimeScale& time,
                                                           const std::string& place);
/// Processes with ; between them. Throws ConfigError that begins with `place`.
[[nodiscard]] std::vector<models::FaultProcess> fault_processes(std::string_view text, const TimeScale& time,
                                                                const std::string& place);

}  // namespace weft::tools
