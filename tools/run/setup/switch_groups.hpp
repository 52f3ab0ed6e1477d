// Programs that leave work to switches: which networks do it, and how much at a time.
#pragma once

#include "tools/run/context.hpp"
#include "workloads/program/program.hpp"

namespace weft::tools {

/// Prepares a network for the switch groups of a program, if it has some; `config`: its [workload]. Throws ConfigError
/// for what the network does not do, naming what would fit.
void resolve_switches(Context& context, const Config& config, const workloads::Program& program);

/// Between nodes and the switch of a program on the ideal network, in ticks.
[[nodiscard]] Tick switch_latency(const Context& context, const workloads::Program& program);

}  // namespace weft::tools
