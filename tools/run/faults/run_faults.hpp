// What [faults] says of the time of the run, as models want it.
#pragma once

#include <memory>

#include "models/faults/live_faults.hpp"
#include "tools/run/context.hpp"

namespace weft::tools {

/// What fails and comes back; null if nothing does. Throws ConfigError for events that cannot be, and for machines that
/// know none.
[[nodiscard]] std::unique_ptr<models::LiveFaults> live_faults(const Context& context);

/// Whether lost packets are sent again.
[[nodiscard]] bool resends(const Context& context);
/// faults.resend_ns, at least a cycle. Throws ConfigError where a cycle has no stated length.
[[nodiscard]] Tick resend_ticks(const Context& context);

}  // namespace weft::tools
