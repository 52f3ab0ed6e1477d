// Members of ProgramHost: jobs that stand still for a checkpoint of their own, fail, and go on from it. The run says
// when (tools/run/job_restarts.hpp).
#include <algorithm>
#include <array>
#include <utility>

#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {

template <class F>
void ProgramHost::each_task(u32 job, F&& f) {
  for (u32 entity = 0; entity < node_of_entity_.size(); ++entity) {
    if (node_of_entity_[entity] == none) continue;
    const Node& node = node_at(entity);
    for (u32 slot = 0; slot < node.count; ++slot) {
      if (TaskRun& task = tasks_[node.first + slot]; task.id != none && task.job == job) f(task, entity, slot);
    }
  }
}

void ProgramHost::stand(u32 job, Standing how) {
  standing_[job] = how;
  if (how != Standing::failed) return;
  each_task(job, [&](const TaskRun& task, u32 entity, u32 slot) {
    const u32 node = node_of_entity_[entity];
    for (u32 number = 0; number < (packet_nics_.empty() ? 0 : nics_of_packets()); ++number) {
      PacketNic& nic = packet_nic(node, number);
      queue(nic, slot) = {};
      nic.wanting &= ~(u64{1} << slot);
      if (resends_.empty()) continue;
      std::erase_if(resends_[static_cast<std::size_t>(&nic - packet_nics_.data())],
                    [&](const LostPacket& lost) { return lost.packet.source_task == task.id; });
    }
  });
}

u64 ProgramHost::under_way(u32 job) const {
  u64 all = in_flight_[job];
  for (const PacketNic& nic : packet_nics_) {
    for (u32 slot = 0; slot < nic.count; ++slot) {
      const TaskRun& task = tasks_[nodes_[nic.node].first + slot];
      if (task.id != none && task.job == job && (nic.wanting >> slot & 1) != 0) ++all;
    }
  }
  for (const std::vector<LostPacket>& waiting : resends_) {
    all += static_cast<u64>(
        std::ranges::count_if(waiting, [&](const LostPacket& lost) { return job_of(lost.packet.source_task) == job; }));
  }
  return all;
}

/// The task is looked at in tick `at`, and what it was at ends later.
void ProgramHost::shift(TaskRun& task, u32 entity, u32 slot, Tick at, Tick late) {
  const auto wake = [&](Tick tick) {
    network_->schedule(tick, Event{.entity = entity, .slot = static_cast<u8>(slot)});
  };
  const auto shift_stream = [&](ComputeStream& stream) {
    if (!stream.busy) return;
    stream.until = std::max(at, stream.until + late);
    wake(stream.until);
  };
  shift_stream(task.first_stream);
  for (ComputeStream& stream : task.more_streams) shift_stream(stream);
  for (Tick* const time : {&task.earliest, &task.next_send, &task.path_out, &task.path_in}) {
    if (*time != 0) *time += late;
  }
  task.wake = never;
  if (!task.done) wake(at);
}

void ProgramHost::go_on(u32 job, Tick at, Tick late) {
  standing_[job] = Standing::goes_on;
  each_task(job, [&](TaskRun& task, u32 entity, u32 slot) { shift(task, entity, slot, at, late); });
}

void ProgramHost::keep(u32 job) {
  each_task(job, [&](TaskRun& task, u32 /*entity*/, u32 /*slot*/) {
    engine::ByteWriter to;
    to.put_list(task.arrivals);
    to.put_list(task.over);
    to.put(task.starting);
    task.save(to);
    save_tables(task, to);
    kept_[place_of(task)] = to.take();
  });
}

void ProgramHost::restore(u32 job, Tick at, Tick late) {
  standing_[job] = Standing::goes_on;
  each_task(job, [&](TaskRun& task, u32 entity, u32 slot) {
    partial_.forget(task.id);
    forget_tables(task);
    // Traffic counts as it was; all else is as if the task had just been opened.
    const TaskRun before = std::exchange(task, TaskRun());
    task.id = before.id;
    task.job = before.job;
    task.recorded = before.recorded;
    if (before.done) ++running_[job];
    task.open(*jobs_[job].program, TaskId(task.id - jobs_[job].first_task));
    if (!task.graph.ops.empty()) reset(task.graph);
    const std::vector<std::byte>& kept = kept_[place_of(task)];
    if (!kept.empty()) {
      engine::ByteReader from(kept);
      from.get_list(task.arrivals);
      from.get_list(task.over);
      task.starting = from.get<bool>();
      task.load(from);
      load_tables(task, from);
      from.finish();
      if (task.done) --running_[job];
    }
    task.begin = before.begin;
    task.packets = before.packets;
    task.latency = before.latency;
    task.latency_max = before.latency_max;
    task.last_delivery = before.last_delivery;
    task.handed = before.handed;
    task.in_flight = before.in_flight;
    task.arrived = before.arrived;
    task.arrived_bytes = before.arrived_bytes;
    node_at(entity).ready &= ~(u64{1} << slot);
    if (!kept.empty()) return shift(task, entity, slot, at, late);
    network_->schedule(at, Event{.entity = entity, .slot = static_cast<u8>(slot), .kind = Event::Kind::start});
  });
}

/// What comes to tasks that stand still, and what is kept of them.
void ProgramHost::save_standing(const TaskRun& task, engine::ByteWriter& to) const {
  to.put_list(task.arrivals);
  to.put_list(task.over);
  to.put(task.starting);
  to.put_list(kept_[place_of(task)]);
}

void ProgramHost::load_standing(TaskRun& task, engine::ByteReader& from) {
  from.get_list(task.arrivals);
  from.get_list(task.over);
  task.starting = from.get<bool>();
  from.get_list(kept_[place_of(task)]);
}

/// The task there is here no more. Packets of its messages are not forgotten: by its number, a record that is loaded
/// may have put them elsewhere before.
void ProgramHost::vacate(u32 place) {
  TaskRun& task = tasks_[place];
  if (!task.done) --running_[task.job];
  in_flight_[task.job] -= task.in_flight;
  forget_tables(task);
  Node& node = nodes_[node_of_run_[place]];
  node.ready &= ~(u64{1} << (place - node.first));
  task = TaskRun();
  task.id = task.job = none;
  kept_[place].clear();
}

void ProgramHost::occupy(u32 number, u32 place, u32 node) {
  open(number, place, node);
  if (!tasks_[place].graph.ops.empty()) reset(tasks_[place].graph);
}

void ProgramHost::leave(std::span<const u32> tasks, engine::ByteWriter& to) {
  for (u32 place = 0; place < tasks_.size(); ++place) {
    const TaskRun& task = tasks_[place];
    if (task.id == none || std::ranges::find(tasks, task.id) == tasks.end()) continue;
    to.put(task.id);
    to.put(task.begin);
    to.put(std::array{task.packets, task.latency, task.latency_max, task.last_delivery, task.handed, task.in_flight,
                      task.arrived, task.arrived_bytes});
    to.put_list(kept_[place]);
    partial_.forget(task.id);
    vacate(place);
  }
}

void ProgramHost::arrive(std::span<const std::byte> tasks) {
  engine::ByteReader from(tasks);
  while (from.left() != 0) {
    const u32 id = from.get<u32>();
    TaskRun there;
    there.begin = from.get<Tick>();
    std::array<u64, 8> counts = from.get<std::array<u64, 8>>();
    std::vector<std::byte> kept;
    from.get_list(kept);
    const u32 entity = network_->layout().entity_of(placement_.node_of_task[id]);
    if (entity == models::Layout::none) continue;
    const u32 node = node_of_entity_[entity], place = nodes_[node].first + slot_of_task_[id];
    WEFT_ASSERT(tasks_[place].id == none);
    occupy(id, place, node);
    TaskRun& task = tasks_[place];
    task.begin = there.begin;
    task.packets = counts[0];
    task.latency = counts[1];
    task.latency_max = counts[2];
    task.last_delivery = counts[3];
    task.handed = counts[4];
    task.in_flight = counts[5];
    task.arrived = counts[6];
    task.arrived_bytes = counts[7];
    in_flight_[task.job] += task.in_flight;
    kept_[place] = std::move(kept);
  }
}

}  // namespace weft::workloads
