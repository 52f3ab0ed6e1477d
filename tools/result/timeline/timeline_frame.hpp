// What a timeline is besides its records: whose, by which clock.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "workloads/program/program.hpp"

namespace weft::tools::timeline {

/// The tasks of a job, or of all of the run.
struct TimelineJob {
  std::string name;                               ///< of the job; empty: there are none
  std::string program;                            ///< what it runs: "allreduce (ring) of 16"
  std::vector<workloads::Activity> regions = {};  ///< TimelineRecord::Kind::region by number
  u32 first_task = 0, tasks = 0;
  bool linear = true;        ///< one list of operations a task
  u64 rendezvous_bytes = 0;  ///< longer messages are sent by rendezvous; 0: none is
};

struct TimelineFrame {
  std::string title;
  double tick_ns = 0;  ///< 0: a cycle has no length
  Tick ticks_per_cycle = 1;
  Tick end = 0;      ///< of the run
  Tick cut = never;  ///< from then on nothing was recorded
  std::vector<TimelineJob> jobs;

  /// Nanoseconds, or cycles where these have no length.
  [[nodiscard]] double time(Tick tick) const {
    if (tick_ns > 0) return static_cast<double>(tick) * tick_ns;
    return static_cast<double>(tick) / static_cast<double>(ticks_per_cycle);
  }
  [[nodiscard]] u64 whole_time(Tick tick) const { return static_cast<u64>(std::llround(time(tick))); }
  [[nodiscard]] const char* unit() const { return tick_ns > 0 ? "ns" : "cycles"; }
  [[nodiscard]] const TimelineJob& job_of(u32 task) const {
    const auto after = std::ranges::upper_bound(jobs, task, {}, &TimelineJob::first_task);
    return *(after - 1);
  }
  /// "task 5", or "train: task 1" of a job.
  [[nodiscard]] std::string name_of(u32 task) const {
    const TimelineJob& job = job_of(task);
    const std::string number = "task " + std::to_string(task - job.first_task);
    return job.name.empty() ? number : job.name + ": " + number;
  }
};

}  // namespace weft::tools::timeline
