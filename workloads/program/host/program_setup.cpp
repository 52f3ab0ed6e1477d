// Members of ProgramHost: which tasks live here, and when their programs start.
#include <algorithm>

#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {

void ProgramHost::prepare() {
  cycle_ = network_->cycle_ticks();
  // Vacant places come behind all tasks.
  Placement places = placement_;
  std::vector<u8> slots = slot_of_task_;
  for (const NodeId node : spec_.vacant) {
    for (u32 slot = 0; slot < spec_.vacant_places; ++slot) {
      places.node_of_task.push_back(node);
      slots.push_back(static_cast<u8>(slot));
    }
  }
  place_tasks(
      network_->layout(), places, slots, node_of_entity_, nodes_,
      [this](u32 count) {
        tasks_.resize(count);
        node_of_run_.resize(count);
      },
      [this](u32 number, u32 place, u32 node) {
        if (number < placement_.node_of_task.size()) return open(number, place, node);
        node_of_run_[place] = node;
        tasks_[place].id = tasks_[place].job = none;
      });
  if (spec_.restarts) {
    kept_.resize(tasks_.size());
    standing_.assign(jobs_.size(), Standing::goes_on);
    begins_.assign(jobs_.size(), never);
  }
  for (const Node& node : nodes_) first_of_node_.push_back(node.first);
  sides_.resize(nodes_.size() * spec_.nics);
  if (std::ranges::any_of(jobs_, [](const ProgramJob& job) { return job.program->meets(); }))
    meetings_.resize(tasks_.size());
  if (!network_->carries_messages()) prepare_nics();
}

/// Which entities send packets. All NICs of a node are on one process.
void ProgramHost::prepare_nics() {
  const u32 nics = nics_of_packets();
  nic_of_entity_.assign(node_of_entity_.size(), none);
  packet_nics_.resize(nodes_.size() * nics);
  handed_.resize(packet_nics_.size());
  queues_.resize(tasks_.size() * nics);
  for (u32 entity = 0; entity < node_of_entity_.size(); ++entity) {
    const u32 node = node_of_entity_[entity];
    if (node == none) continue;
    const u32 first = network_->layout().node(entity).value();
    for (u32 number = 0; number < nics; ++number) {
      PacketNic& nic = packet_nic(node, number);
      nic.node = node;
      nic.number = number;
      nic.count = nodes_[node].count;
      nic.address = first + spec_.nic_offsets[number];
      nic.entity = network_->layout().entity_of(NodeId(nic.address));
      WEFT_ASSERT(nic.entity != models::Layout::none && nic_of_entity_[nic.entity] == none);
      nic_of_entity_[nic.entity] = static_cast<u32>(&nic - packet_nics_.data());
    }
  }
}

void ProgramHost::start() {
  for (u32 job = 0; job < jobs_.size(); ++job) {
    if (!jobs_[job].waits) begin_job(job, jobs_[job].start);
  }
}

void ProgramHost::begin_job(u32 job, Tick tick) {
  if (!begins_.empty()) begins_[job] = tick;
  for (u32 entity = 0; entity < node_of_entity_.size(); ++entity) {
    if (node_of_entity_[entity] == none) continue;
    const Node& node = node_at(entity);
    for (u32 slot = 0; slot < node.count; ++slot) {
      if (tasks_[node.first + slot].job != job) continue;
      network_->schedule(tick, Event{.entity = entity, .slot = static_cast<u8>(slot), .kind = Event::Kind::start});
    }
  }
}

}  // namespace weft::workloads
