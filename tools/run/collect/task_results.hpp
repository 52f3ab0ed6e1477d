// What became of the tasks of a run: when they were done, what they got, what they wait for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/run/config/jobs.hpp"
#include "tools/run/context.hpp"
#include "workloads/program/host/task_run.hpp"
#include "workloads/program/job.hpp"
#include "workloads/program/program.hpp"

namespace weft::tools {

/// A program, and the number of its first task among those of all jobs.
struct ProgramTasks {
  const workloads::Program* program = nullptr;
  u32 first_task = 0;
};

/// Throws StuckError naming the waiting operations if any rank has some, and where recordings have them. `programs`: in
/// the order of their tasks. `drops`: what is to be said of dropped packets, if any were. Collective.
void report_stuck(Context& context, std::vector<workloads::StuckOperation> mine,
                  const std::vector<ProgramTasks>& programs, const std::string& drops);

/// Ticks after their last operations of the tasks of this rank, into context.result on rank 0. Collective.
void collect_finish(Context& context, const std::vector<std::pair<u32, Tick>>& mine, u32 tasks);

/// What the tasks got, from when they finished; on rank 0, of kinds that say what each receives.
void collect_bandwidth(Context& context, const workloads::Program& program);

/// What the tasks of a job did, if they have lanes; job after job, after collect_finish. Of programs that know their
/// least waits a task waits until the last one is over. `number`: of the job; 0 without jobs. Collective.
void collect_activities(Context& context, const workloads::ProgramJob& job,
                        const std::vector<workloads::ActivityCounts>& mine, u32 number);

/// The bandwidths of a workload that is one operation.
void collect_bus(Context& context, const workloads::Program& program);

/// A row for each job, from the counts of all ranks. `dropped`: [job], packets, as long as needed. Collective.
void collect_jobs(Context& context, const std::vector<Job>& jobs, const std::vector<workloads::JobCounts>& mine,
                  const std::vector<u64>& dropped);

/// Warns if messages of any rank were never received. Collective.
void warn_of_unreceived(Context& context, u64 mine);

/// Cycle of the last of all ranks. Collective.
[[nodiscard]] Tick last_finish_cycle(Context& context, const std::vector<std::pair<u32, Tick>>& mine);

}  // namespace weft::tools
