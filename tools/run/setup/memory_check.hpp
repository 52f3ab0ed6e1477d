// Refuses runs that would not fit into memory, before anything large is built.
#pragma once

#include "tools/run/context.hpp"

namespace weft::tools {

/// Compares what the network will take, all ranks of a host together, with what is available there. Collective; throws
/// SystemError on every rank, naming both, unless parallel.check_memory is off. Needs topology and router settings.
void check_memory(Context& context);

}  // namespace weft::tools
