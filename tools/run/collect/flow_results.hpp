// What became of flows: completion times and slowdowns by size.
#pragma once

#include <utility>
#include <vector>

#include "tools/run/context.hpp"
#include "workloads/program/host/task_run.hpp"
#include "workloads/program/job.hpp"
#include "workloads/program/placement/placement.hpp"

namespace weft::tools {

/// Fills in context.result.flows from the messages that came to the tasks of this process (ProgramHost::arrived), of
/// jobs whose programs are flows. `begins`: [job], tick, or `never`. Figures do not depend on how many processes there
/// are. Collective.
/// Slow-downs are over what FlowAlone says.
void collect_flows(Context& context, const std::vector<workloads::ProgramJob>& jobs,
                   const workloads::Placement& placement, const std::vector<Tick>& begins,
                   std::vector<std::pair<u32, workloads::ArrivedMessage>> mine);

}  // namespace weft::tools
