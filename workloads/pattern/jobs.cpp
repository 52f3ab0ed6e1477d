// Which job a place belongs to, and what it sends.
#include "workloads/pattern/jobs.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

/// The pattern of a job; what is wrong with it is said of that job.
std::unique_ptr<Pattern> pattern_of(const JobSpec& job, const PatternSpec& own, std::size_t number) {
  try {
    return make_pattern(job.pattern, own);
  } catch (const ConfigError& error) {
    throw ConfigError(
        fmt::format("workload.job_patterns: job {}, of {} nodes of its own: {}", number, job.nodes, error.what()));
  }
}

}  // namespace

Jobs::Jobs(const std::vector<JobSpec>& jobs, const PatternSpec& spec) {
  u64 first = 0;
  for (const JobSpec& job : jobs) {
    if (first + job.nodes > spec.nodes) {
      throw ConfigError(fmt::format(
          "workload.job_nodes asks for more than the {} nodes of the network; use smaller jobs, or a larger topology",
          spec.nodes));
    }
    PatternSpec own;
    own.nodes = job.nodes;
    own.seed = spec.seed + jobs_.size();
    own.keys = spec.keys;
    jobs_.push_back({static_cast<u32>(first), job.nodes, job.load_percent, pattern_of(job, own, jobs_.size())});
    first += job.nodes;
  }
}

u32 Jobs::job_of(NodeId place) const {
  for (u32 j = 0; j < jobs_.size(); ++j) {
    if (place.value() < jobs_[j].first + jobs_[j].nodes) return j;
  }
  return idle;
}

NodeId Jobs::destination(NodeId source, u64 random_bits) const {
  constexpr u64 thinning = 0x6a6f6273;  // among the draws made of the same bits
  const Job& job = jobs_[job_of(source)];
  if (engine::scale_to(engine::remix(random_bits, thinning), 100) >= job.load_percent) return source;
  return NodeId(job.first + job.pattern->destination(NodeId(source.value() - job.first), random_bits).value());
}

bool Jobs::sends(NodeId source) const {
  const u32 number = job_of(source);
  if (number == idle) return false;
  const Job& job = jobs_[number];
  return job.load_percent > 0 && job.pattern->sends(NodeId(source.value() - job.first));
}

}  // namespace weft::workloads
