// Thresholds of congestion control that no queue can reach: nothing fails, but sources never hear of congestion.
#pragma once

namespace weft::tools {

struct Context;

/// Warns if no output of a switch can have as many cells waiting for it as marks need.
void check_marking_thresholds(Context& context);

}  // namespace weft::tools
