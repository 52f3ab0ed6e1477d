// From keys to factors and pauses of the processors of tasks.
#pragma once

#include <memory>

#include "tools/run/context.hpp"
#include "workloads/program/job.hpp"

namespace weft::tools {

/// What [workload] says of the processors of `tasks` tasks; null if nothing. Where work takes less than its time, ranks
/// of ideal networks may not run ahead of each other as far: context.router.link_ticks. Throws ConfigError (pauses
/// shorter than a tick, no length of a cycle) and InputError (the files).
[[nodiscard]] std::shared_ptr<const workloads::Processors> processors(Context& context, const Config& config,
                                                                      u32 tasks);

/// Throws ConfigError if a job has such keys, and nothing in it takes a processor any time.
void check_processors_work(const Config& config, const workloads::ProgramJob& job);

}  // namespace weft::tools
