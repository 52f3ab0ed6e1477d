// Members of ProgramHost: what checkpoints keep of tasks, their nodes and NICs.
#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {
namespace {

template <class Value>
void save_list(const TaskTable<Value>& table, const TaskList& list, engine::ByteWriter& to) {
  u64 count = 0;
  for (u32 entry = list.first; entry != TaskList::none; entry = table.after(entry)) ++count;
  to.put(count);
  for (u32 entry = list.first; entry != TaskList::none; entry = table.after(entry)) {
    to.put(table.key(entry));
    to.put(table[entry]);
    to.put(table.listed_only(entry));
  }
}

template <class Value>
void load_list(TaskTable<Value>& table, TaskList& list, engine::ByteReader& from) {
  for (u64 left = from.get<u64>(); left > 0; --left) {
    const auto key = from.get<TaskKey>();
    const auto value = from.get<Value>();
    table.push(list, key, value, from.get<bool>());
  }
}

}  // namespace

template <class Tables, class Task, class F>
void ProgramHost::each_table(Tables& host, Task& task, F&& f) {
  f(host.posted_, task.posted);
  f(host.unexpected_, task.unexpected);
  f(host.early_, task.early);
  f(host.awaited_, task.awaited);
  f(host.unfinished_, task.unfinished);
  f(host.stripes_, task.stripes);
  f(host.sent_count_, task.sent_count);
  f(host.received_count_, task.received_count);
  f(host.probes_, task.probes);
  f(host.given_, task.given);
  f(host.requests_, task.requests);
}

void ProgramHost::save_tables(const TaskRun& task, engine::ByteWriter& to) const {
  each_table(*this, task, [&to](const auto& table, const TaskList& list) { save_list(table, list, to); });
}

void ProgramHost::load_tables(TaskRun& task, engine::ByteReader& from) {
  each_table(*this, task, [&from](auto& table, TaskList& list) { load_list(table, list, from); });
}

void ProgramHost::forget_tables(TaskRun& task) {
  each_table(*this, task, [](auto& table, TaskList& list) {
    while (!list.empty()) table.remove(list, list.first);
  });
}

void ProgramHost::save(u32 entity, engine::ByteWriter& to) const {
  if (const u32 here = node_of_entity_[entity]; here != none) {
    const Node& node = nodes_[here];
    to.put(node.chosen);
    to.put(node.memory_free);
    to.put(node.ready);
    for (u32 nic = 0; nic < spec_.nics; ++nic) to.put(sides_[std::size_t{here} * spec_.nics + nic]);
    for (u32 slot = 0; slot < node.count; ++slot) {
      const TaskRun& task = tasks_[node.first + slot];
      if (spec_.restarts) {
        to.put(task.id);
        if (task.id == none) continue;
        save_standing(task, to);
      }
      task.save(to);
      if (task.recorded) timeline_.of(task.id).save(to);
      if (jobs_[task.job].program->meets()) to.put_list(meetings_[node.first + slot]);
      to.put_list(partial_.of_task(task.id));
      save_tables(task, to);
    }
  }
  if (packet_nics_.empty() || nic_of_entity_[entity] == none) return;
  const PacketNic& nic = packet_nics_[nic_of_entity_[entity]];
  to.put(nic.turn);
  to.put(nic.free_from);
  to.put(nic.wanting);
  to.put(nic.refused);
  for (u32 slot = 0; slot < nic.count; ++slot) {
    const NicQueue& lines = queue(nic, slot);
    lines.controls.save(to);
    lines.data.save(to);
  }
  if (spec_.resends) to.put_list(resends_.empty() ? std::vector<LostPacket>{} : resends_[nic_of_entity_[entity]]);
}

void ProgramHost::load(u32 entity, engine::ByteReader& from) {
  if (const u32 here = node_of_entity_[entity]; here != none) {
    Node& node = nodes_[here];
    node.chosen = from.get<u32>();
    node.memory_free = from.get<Tick>();
    node.ready = from.get<u64>();
    for (u32 nic = 0; nic < spec_.nics; ++nic) sides_[std::size_t{here} * spec_.nics + nic] = from.get<NicSides>();
    for (u32 slot = 0; slot < node.count; ++slot) {
      TaskRun& task = tasks_[node.first + slot];
      if (spec_.restarts) {
        const u32 id = from.get<u32>();  // tasks may have moved
        if (id != task.id && task.id != none) vacate(node.first + slot);
        if (id == none) continue;
        if (id != task.id) occupy(id, node.first + slot, here);
        load_standing(task, from);
      }
      task.load(from);
      if (task.recorded) timeline_.of(task.id).load(from);
      if (jobs_[task.job].program->meets()) {
        std::vector<TaskMeeting> waiting;
        from.get_list(waiting);
        for (const TaskMeeting& came : waiting) add_to_meeting(came, entity, slot);
      }
      if (task.done) --running_[task.job];
      in_flight_[task.job] += task.in_flight;
      std::vector<PartialMessages::Entry> partial;
      from.get_list(partial);
      for (const PartialMessages::Entry& entry : partial) partial_.add(entry);
      load_tables(task, from);
    }
  }
  if (packet_nics_.empty() || nic_of_entity_[entity] == none) return;
  PacketNic& nic = packet_nics_[nic_of_entity_[entity]];
  nic.turn = from.get<u32>();
  nic.free_from = from.get<Tick>();
  nic.wanting = from.get<u64>();
  nic.refused = from.get<u64>();
  for (u32 slot = 0; slot < nic.count; ++slot) {
    NicQueue& lines = queue(nic, slot);
    lines.controls.load(from);
    lines.data.load(from);
  }
  if (!spec_.resends) return;
  resends_.resize(packet_nics_.size());
  from.get_list(resends_[nic_of_entity_[entity]]);
}

}  // namespace weft::workloads
