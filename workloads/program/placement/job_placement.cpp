// Jobs take their nodes one after the other.
#include "workloads/program/placement/job_placement.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::workloads {
namespace {

/// Who has a node: the job and the first of its tasks there.
struct Tenant {
  u32 job = none, task = 0;
  static constexpr u32 none = ~u32{0};
};

class NodesOfJobs {
 public:
  NodesOfJobs(std::span<const JobPlacement> jobs, u32 nodes) : jobs_(jobs), tenant_(nodes) {}

  Placement in_order(u32 job) {
    const JobTasks& of = jobs_[job].job;
    WEFT_ASSERT(of.tasks_per_node > 0 && jobs_[job].order.size() == tenant_.size());
    Placement placement;
    placement.node_of_task.reserve(of.tasks);
    for (const NodeId node : jobs_[job].order) {
      const u32 first = static_cast<u32>(placement.node_of_task.size());
      if (first == of.tasks) break;
      if (tenant_[node.value()].job != Tenant::none) continue;
      tenant_[node.value()] = {job, first};
      placement.node_of_task.resize(std::min<u64>(of.tasks, u64{first} + of.tasks_per_node), node);
    }
    if (placement.node_of_task.size() < of.tasks) fail_no_room(of, job);
    return placement;
  }

  Placement among_free(u32 job) {
    const JobTasks& of = jobs_[job].job;
    std::vector<NodeId> free;
    for (u32 node = 0; node < tenant_.size(); ++node) {
      if (tenant_[node].job == Tenant::none) free.emplace_back(node);
    }
    if (free.size() * u64{of.tasks_per_node} < of.tasks) fail_no_room(of, job);
    Placement placement = jobs_[job].among_free(free);
    for (u32 task = 0; task < of.tasks; ++task) {
      Tenant& tenant = tenant_[placement.node_of_task[task].value()];
      if (tenant.job == Tenant::none) tenant = {job, task};
    }
    return placement;
  }

  Placement by_file(u32 job) {
    const Placement& placement = jobs_[job].file.placement;
    WEFT_ASSERT(placement.node_of_task.size() == jobs_[job].job.tasks);
    for (u32 task = 0; task < placement.node_of_task.size(); ++task) {
      Tenant& tenant = tenant_[placement.node_of_task[task].value()];
      if (tenant.job == Tenant::none) {
        tenant = {job, task};
      } else if (tenant.job != job && !same_file(tenant.job, job)) {
        fail_taken(job, task, tenant);
      }
    }
    return placement;
  }

 private:
  [[nodiscard]] bool same_file(u32 a, u32 b) const {
    return jobs_[a].order.empty() && !jobs_[a].among_free && jobs_[a].file.file == jobs_[b].file.file;
  }

  [[noreturn]] void fail_no_room(const JobTasks& of, u32 job) const {
    const auto mine = [job](const Tenant& tenant) { return tenant.job == job; };
    const auto free = [](const Tenant& tenant) { return tenant.job == Tenant::none; };
    const u64 left = static_cast<u64>(std::ranges::count_if(tenant_, mine) + std::ranges::count_if(tenant_, free));
    const u64 needed = (of.tasks + u64{of.tasks_per_node} - 1) / of.tasks_per_node;
    const u64 fitting = left == 0 ? most_tasks_per_node + u64{1} : (of.tasks + left - 1) / left;
    throw ConfigError(fmt::format(
        "job \"{}\" needs {} nodes ({} tasks, {} on a node), and {} of {} are left by the jobs before it; "
        "use {}fewer workload.tasks in the jobs, so that they share the nodes, or a topology of at least {} nodes",
        shown(of.name), needed, of.tasks, of.tasks_per_node, left, tenant_.size(),
        fitting <= most_tasks_per_node ? fmt::format("tasks_per_node = {}, or ", fitting) : "",
        tenant_.size() + needed - left));
  }

  [[noreturn]] void fail_taken(u32 job, u32 task, const Tenant& tenant) const {
    const FilePlacement& file = jobs_[job].file;
    const JobPlacement& before = jobs_[tenant.job];
    const std::string there = before.order.empty() && !before.among_free
                                  ? fmt::format("{}:{}", shown(before.file.file), before.file.line_of_task[tenant.task])
                                  : std::string("by its placement.policy");
    throw InputError(
        fmt::format("{}:{}: line places task {} of job \"{}\" on node {} (job \"{}\" before it has task {} there, {}); "
                    "choose another "
                    "node",
                    shown(file.file), file.line_of_task[task], task, shown(jobs_[job].job.name),
                    file.placement.node_of_task[task].value(), shown(before.job.name), tenant.task, there));
  }

  std::span<const JobPlacement> jobs_;
  std::vector<Tenant> tenant_;  ///< [node]
};

}  // namespace

JobPlacement policy_of_job(const std::string& policy, const PlacementSpec& spec, std::span<const JobTasks> jobs,
                           u32 job) {
  JobPlacement placement{.job = jobs[job]};
  if (placement_kind(policy).among_free)
    placement.among_free = [policy, spec, of = jobs[job]](std::span<const NodeId> free) {
      return place_among(policy, spec, of, free);
    };
  else if (placement_kind(policy).of_job)
    placement.file = file_of_job(policy, spec, jobs, job);
  else
    placement.order = fill_order(policy, spec);
  return placement;
}

std::vector<Placement> place_jobs(std::span<const JobPlacement> jobs, u32 nodes) {
  NodesOfJobs taken(jobs, nodes);
  std::vector<Placement> placements;
  for (u32 job = 0; job < jobs.size(); ++job) {
    if (jobs[job].among_free)
      placements.push_back(taken.among_free(job));
    else
      placements.push_back(jobs[job].order.empty() ? taken.by_file(job) : taken.in_order(job));
  }
  return placements;
}

}  // namespace weft::workloads
