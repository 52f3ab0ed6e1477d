// Members of ProgramHost: what tasks give to the switches of a network, and get back from there.
#include <algorithm>

#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {

void ProgramHost::find_reductions() {
  u32 trees = 0;
  for (u32 job = 0; job < jobs_.size(); ++job) {
    for (u32 group = 0; group < jobs_[job].program->switch_groups(); ++group) {
      const SwitchGroup of = jobs_[job].program->switch_group(group);
      reductions_.push_back({job, group, trees, of.channels, of.in_flight, packets_of(of.chunk_bytes)});
      trees += of.channels;
    }
  }
}

std::vector<models::ReductionGroup> ProgramHost::reductions() const {
  std::vector<models::ReductionGroup> all;
  for (const Reduction& r : reductions_) {
    const SwitchGroup of = jobs_[r.job].program->switch_group(r.group);
    models::ReductionGroup group;
    for (u32 rank = 0; rank < of.size; ++rank) {
      const u32 task = jobs_[r.job].first_task + of.task(rank);
      group.members.push_back({placement_.node_of_task[task].value(), slot_of_task_[task]});
    }
    group.giver = of.root;
    group.combines = of.combines;
    group.channels = r.channels;
    group.places = static_cast<u32>(r.in_flight * r.packets);
    all.push_back(std::move(group));
  }
  return all;
}

const ProgramHost::Reduction& ProgramHost::reduction_of(u32 job, u32 group) const {
  const auto found = std::ranges::lower_bound(reductions_, std::pair(job, group), {},
                                              [](const Reduction& r) { return std::pair(r.job, r.group); });
  WEFT_ASSERT(found != reductions_.end() && found->job == job && found->group == group);
  return *found;
}

/// The group that a tree of switches works for.
u32 ProgramHost::group_of_tree(u32 tree) const {
  const auto after = std::ranges::upper_bound(reductions_, tree, {}, &Reduction::first_tree);
  WEFT_ASSERT(after != reductions_.begin());
  return (after - 1)->group;
}

/// The packet of a chunk that goes next: it says which tree of switches it goes by, and where in it.
void ProgramHost::give_to_switches(Packet& packet, const TaskRun& task, const Outgoing& out) const {
  const Reduction& r = reduction_of(task.job, out.packet.order);
  const u32 channel = out.packet.tag % r.channels;
  const u64 chunk = out.packet.tag / r.channels;
  packet.communicator = r.first_tree + channel;
  packet.order = static_cast<u32>(chunk % r.in_flight) * r.packets + out.first + (out.packets - out.left);
}

/// Whether what has come from the switches has something in it that the task gave: a message of its own is through
/// then.
bool ProgramHost::gave(const TaskRun& task, const Message& result) const {
  const ProgramJob& job = jobs_[task.job];
  const SwitchGroup of = job.program->switch_group(result.source);
  return of.combines || job.first_task + of.task(of.root) == task.id;
}

}  // namespace weft::workloads
