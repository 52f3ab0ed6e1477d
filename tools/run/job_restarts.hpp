// Jobs that stop for checkpoints of their own, fail with a node, and go on from the last checkpoint.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/base/types.hpp"
#include "tools/run/config/jobs.hpp"
#include "tools/run/context.hpp"
#include "tools/run/simulation.hpp"
#include "workloads/program/host/program_host.hpp"

namespace weft::tools {

/// Says when each job stands still, fails and goes on: at ticks that all ranks know, where the run stops. What is saved
/// is what the tasks were at when they stood still, once nothing of the job is in flight any more. Larger than
/// others: one job goes through all of it.
class JobRestarts {
 public:
  /// What it is given must outlive it. None if no job restarts. Throws ConfigError for those
  /// that cannot.
  [[nodiscard]] static std::optional<JobRestarts> of(Context& context, workloads::ProgramHost& host,
                                                     const std::vector<Job>& jobs,
                                                     const std::vector<workloads::ProgramJob>& programs,
                                                     const workloads::Placement& placement);

  /// When something is to be done next, after `now`; never if that is not known.
  [[nodiscard]] Tick next_after(Tick now) const;
  /// Does what is due; `failures`: parts of the network have changed. Whether tasks go on. Collective. Throws
  /// StuckError if a job waits for a repair that never comes.
  bool apply(Tick now, Simulation& simulation, bool failures);
  /// Whether a job stands still, which goes on later.
  [[nodiscard]] bool any_stands() const;
  /// Whether all jobs of the run are over, as was seen when something was due last.
  [[nodiscard]] bool all_over() const;

  void put(engine::ByteWriter& to) const;
  void get(engine::ByteReader& from);
  /// Tells the rows of the jobs what became of them until `end`. On rank 0.
  void collect(Tick end) const;

 private:
  enum class Phase : u32 { not_begun, runs, saves, waits, restarts, over };
  /// Plain data: it lies in checkpoints.
  struct Course {
    Phase phase = Phase::not_begun;
    u32 quiet = 0;         ///< nothing was in flight when that was last asked
    Tick since = 0;        ///< when the phase began
    Tick due = never;      ///< when it is to be looked at
    Tick kept_at = never;  ///< when the tasks stood still for the last checkpoint that is whole
    Tick begin = never;    ///< of the job
    Tick work = 0;         ///< done since the last checkpoint, in phases that are over
    u64 checkpoints = 0, failures = 0;
    Tick saving = 0, lost = 0, waiting = 0, restarting = 0;  ///< ticks in all
  };
  struct JobAt {
    u32 number = 0;  ///< in the list of jobs
    bool moves = false;
    Tick interval = never, save_ticks = 0, restart_ticks = 0;
    std::vector<NodeId> nodes;  ///< [task] where it stands, or is to when it goes on
    Course course;
  };

  JobRestarts(Context& context, workloads::ProgramHost& host, const std::vector<Job>& jobs,
              const std::vector<workloads::ProgramJob>& programs)
      : context_(context), host_(host), jobs_(jobs), programs_(programs) {}

  [[nodiscard]] bool works(NodeId node) const;
  [[nodiscard]] NodeId broken_node(const JobAt& job) const;
  [[nodiscard]] bool is_over(const JobAt& job);
  [[nodiscard]] bool nothing_under_way(const JobAt& job, Simulation& simulation);
  void enter(JobAt& job, Phase phase, Tick now, Tick due);
  void stand_until(JobAt& job, Tick now, Tick ticks);
  void fail(JobAt& job, Tick now);
  void find_nodes(JobAt& job, Tick now);
  bool look(JobAt& job, Tick now, Simulation& simulation);
  void go_on(JobAt& job, Tick now);
  void move(const JobAt& job);

  Context& context_;
  workloads::ProgramHost& host_;
  const std::vector<Job>& jobs_;
  const std::vector<workloads::ProgramJob>& programs_;
  std::vector<JobAt> all_;
  std::vector<NodeId> node_of_task_;  ///< of all jobs, as the host has them
  std::map<NodeId, u32> places_;      ///< for how many tasks there is room at a node, where jobs may move
  Tick settle_ = 0;                   ///< from the last packet of a job on nothing of it happens any more after so long
};

/// Nodes that have no task, where jobs may move; empty if none does.
[[nodiscard]] std::vector<NodeId> vacant_nodes(const Context& context, const std::vector<Job>& jobs,
                                               const workloads::Placement& placement);
/// For how many tasks there is room at each of them.
[[nodiscard]] u32 places_of_vacant_nodes(const std::vector<Job>& jobs);
/// Whether a job restarts.
[[nodiscard]] bool any_restarts(const std::vector<Job>& jobs);

}  // namespace weft::tools
