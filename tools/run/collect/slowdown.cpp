// Runs each job alone; see the header.
#include "tools/run/collect/slowdown.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tools/run/config/jobs.hpp"

namespace weft::tools {

void add_slowdowns(RunResult& result, const Config& config, engine::Transport& transport, const RunAlone& alone) {
  for (const Job& job : jobs_of(config)) {
    if (job.background) continue;
    const auto together = std::ranges::find(result.jobs, job.name, &JobRow::name);
    const bool was_over = together != result.jobs.end() && std::isfinite(together->duration());
    // Rank 0 knows; as bits, the largest of figures that are not negative is that of their numbers.
    u64 known[2] = {was_over ? 1U : 0U, was_over ? std::bit_cast<u64>(together->start_cycle) : 0};
    transport.max(known);
    if (known[0] == 0) continue;
    const RunResult by_itself = alone(job.name, std::bit_cast<double>(known[1]));
    const auto single = std::ranges::find(by_itself.jobs, job.name, &JobRow::name);
    if (!was_over || single == by_itself.jobs.end() || !(single->duration() > 0)) continue;
    together->slowdown = together->duration() / single->duration();
  }
}

}  // namespace weft::tools
