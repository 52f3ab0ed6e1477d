// By how much jobs are slower together than alone.
#pragma once

#include <functional>

#include "engine/transport.hpp"
#include "tools/config/config.hpp"
#include "tools/progress/progress.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

/// Runs one job alone, by its name; the result has a row for it.
using RunAlone = std::function<RunResult(const std::string& job)>;

/// Runs each job that is no background alone and puts the ratio of its durations into its row. Collective; the result
/// is that of rank 0. Jobs that were not over in one of the runs have none.
void add_slowdowns(RunResult& result, const Config& config, const RunAlone& alone);
/// The same with simulate_job.
void add_slowdowns(RunResult& result, const Config& config, engine::Transport& transport, Progress* progress);

}  // namespace weft::tools
