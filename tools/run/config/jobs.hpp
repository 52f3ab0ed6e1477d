// Several jobs on one network: [[job]].
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"
#include "tools/run/config/config.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools {

/// One of several jobs.
struct Job {
  std::string name;
  std::string place;        ///< in the config: "file.toml:12"
  Config config;            ///< of a run in which it is the only workload: [workload] and [placement] are the job's
  double start_ns = 0;      ///< when it begins, if that is not given in cycles
  u64 start_cycles = 0;     ///< when it begins; 0 where start_ns says it
  std::string after;        ///< it begins when this job is over; or empty
  bool background = false;  ///< it begins anew until all jobs that are none are over
  bool restarts = false;    ///< it goes on from its last checkpoint when one of its nodes has failed
  bool moves = false;       ///< on other nodes, if that does not work
  double checkpoint_interval_s = 0, checkpoint_cost_s = 0, restart_cost_s = 0;
  u32 traffic_class = 0;
  u32 nodes = 0;  ///< of independent sources; 0: all of the network

  /// Tick from which on it may begin. Throws ConfigError for a time in ns where a cycle has no length.
  [[nodiscard]] Tick start_tick(const TimeScale& time) const;
};

/// The jobs of [[job]] in the order of the file; empty if there is none.
[[nodiscard]] std::vector<Job> jobs_of(const Config& config);

/// What `f()` returns; a ConfigError that it throws says which job it is about.
template <class F>
decltype(auto) of_job(const Job& job, F&& f) {
  try {
    return f();
  } catch (const ConfigError& error) {
    const std::string name = "job \"" + job.name + "\"", said = error.what();
    if (said.find(name) != std::string::npos) throw;
    throw ConfigError(name + ": " + said, error.detail());
  }
}

/// The settings that a run goes by, nested by table; those of jobs as a list "job", each with a name, a [workload] and
/// a [placement].
[[nodiscard]] nlohmann::json json_in_use(const Config& config);

}  // namespace weft::tools
