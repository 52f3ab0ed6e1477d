// Members of ProgramHost: which tasks live here, and when their programs start.
#pragma once

#include "workloads/program/program_host.hpp"

namespace weft::workloads {

template <class Net>
void ProgramHost::prepare(Net& net) {
  node_of_entity_.assign(net.layout().entities(), none);
  cycle_ = net.settings().cycle_ticks;
  const auto each_local = [&](auto&& f) {
    for (u32 t = 0; t < placement_.node_of_task.size(); ++t) {
      const u32 entity = net.layout().entity_of(placement_.node_of_task[t]);
      if (entity != models::Layout::none) f(t, entity);
    }
  };
  each_local([this](u32 /*task*/, u32 entity) {
    u32& node = node_of_entity_[entity];
    if (node == none) {
      node = static_cast<u32>(nodes_.size());
      nodes_.emplace_back();
    }
    ++nodes_[node].count;
  });
  u32 first = 0;
  for (Node& node : nodes_) {
    node.first = first;
    first_of_node_.push_back(first);
    first += node.count;
  }
  tasks_.resize(first);
  node_of_run_.resize(first);
  sides_.resize(nodes_.size() * spec_.nics);
  each_local([this](u32 t, u32 entity) { open(t, node_of_entity_[entity]); });
}

template <class Net>
void ProgramHost::start(Net& net) {
  prepare(net);
  for (u32 job = 0; job < jobs_.size(); ++job) {
    if (!jobs_[job].waits) begin_job(net, job, jobs_[job].start);
  }
}

template <class Net>
void ProgramHost::begin_job(Net& net, u32 job, Tick tick) {
  for (u32 entity = 0; entity < node_of_entity_.size(); ++entity) {
    if (node_of_entity_[entity] == none) continue;
    const Node& node = node_at(entity);
    for (u32 slot = 0; slot < node.count; ++slot) {
      if (tasks_[node.first + slot].job != job) continue;
      net.kernel().schedule(tick, Event{.entity = entity, .slot = static_cast<u8>(slot), .kind = Event::Kind::start});
    }
  }
}

}  // namespace weft::workloads
