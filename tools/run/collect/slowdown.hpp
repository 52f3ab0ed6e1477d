// By how much jobs are slower together than alone.
#pragma once

#include <functional>
#include <string>

#include "engine/transport.hpp"
#include "tools/result/run_result.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools {

/// Runs one job alone, by its name, from the cycle on in which it began in company: so it has the same draws that go by
/// time. The result has a row for it.
using RunAlone = std::function<RunResult(const std::string& job, double start_cycle)>;

/// Runs each job that is no background and was over alone, and puts the ratio of its durations into its row.
/// Collective; the result is that of rank 0.
void add_slowdowns(RunResult& result, const Config& config, engine::Transport& transport, const RunAlone& alone);

}  // namespace weft::tools
