// Runs each job alone; see the header.
#include "tools/simulate/slowdown.hpp"

#include <algorithm>

#include "tools/config/jobs.hpp"
#include "tools/simulate/simulate.hpp"

namespace weft::tools {

void add_slowdowns(RunResult& result, const Config& config, const RunAlone& alone) {
  for (const Job& job : jobs_of(config)) {
    if (job.background) continue;
    const RunResult by_itself = alone(job.name);
    const auto together = std::ranges::find(result.jobs, job.name, &JobRow::name);
    const auto single = std::ranges::find(by_itself.jobs, job.name, &JobRow::name);
    if (together == result.jobs.end() || single == by_itself.jobs.end() || single->duration() <= 0) continue;
    together->slowdown = together->duration() / single->duration();
  }
}

void add_slowdowns(RunResult& result, const Config& config, engine::Transport& transport, Progress* progress) {
  add_slowdowns(result, config, [&](const std::string& job) { return simulate_job(config, job, transport, progress); });
}

}  // namespace weft::tools
