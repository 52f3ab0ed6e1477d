// What happens to ProgramHost during a run: events, messages and ticks of tasks. Its other members of a tick are
// inline in headers that this file alone includes, so that they are compiled into these: programs on ideal networks
// take a tenth less time.
#include <algorithm>

#include "workloads/program/host/program_host_class.hpp"
#include "workloads/program/host/program_messages.hpp"
#include "workloads/program/host/program_requests.hpp"
#include "workloads/program/host/program_steps.hpp"

namespace weft::workloads {

/// What happens to tasks that stand still is kept until they go on.
void ProgramHost::act_those_that_go_on(Tick tick, u32 entity, Node& node) {
  for (u64 left = node.ready; left != 0; left &= left - 1) {
    const auto slot = static_cast<u32>(std::countr_zero(left));
    TaskRun& task = tasks_[node.first + slot];
    const Standing how = task.id == none ? Standing::failed : standing_[task.job];
    if (how == Standing::stands) continue;
    node.ready &= ~(u64{1} << slot);
    if (how == Standing::goes_on) {
      step(tick, entity, node, slot);
      continue;
    }
    task.arrivals.clear();
    task.over.clear();
    task.starting = false;
  }
}

/// A packet has come, whole at that tick, to where the tasks of its node are.
void ProgramHost::receive_packet(Tick at, u32 entity, u32 slot, const Message& message) {
  if (!network_->carries_messages() && !is_control(message.kind) && message.packets > 1) {
    const u32 apart = message.kind == MessageKind::combined ? PartialMessages::from_switch : 0;
    const u32 task = tasks_[node_at(entity).first + slot].id;
    if (!partial_.completes({task, message.source | apart, message.number}, [&] { return message.packets; })) return;
  }
  receive_message(at, entity, slot, message);
}

/// A message, or what stands for it, has come.
void ProgramHost::receive_message(Tick at, u32 entity, u32 slot, const Message& message) {
  Node& node = node_at(entity);
  TaskRun& task = tasks_[node.first + slot];
  count_arrival(at, task, message);
  task.arrivals.push_back(message);
  node.ready |= u64{1} << slot;
  network_->touch(entity);
}

/// A packet has come to a NIC that is not the first of its node.
void ProgramHost::received_by(Tick tick, u32 node, u32 slot, const Packet& packet) {
  network_->schedule(tick + spec_.nic_latency, Event{.entity = packet_nic(node, 0).entity,
                                                     .slot = static_cast<u8>(slot),
                                                     .kind = Event::Kind::packet_received,
                                                     .message = carried(packet)});
}

void ProgramHost::absorb(Tick tick, const Event& event) {
  if (event.kind == Event::Kind::packet_received) return receive_packet(tick, event.entity, event.slot, event.message);
  if (event.kind == Event::Kind::resend) return network_->touch(event.entity);
  if (node_of_entity_[event.entity] == none) {
    if (event.kind == Event::Kind::handed_over) {
      handed_[nic_of_entity_[event.entity]].emplace_back(event.slot, event.message);
      packet_nics_[nic_of_entity_[event.entity]].handed = true;
    }
    return network_->touch(event.entity);
  }
  Node& node = node_at(event.entity);
  TaskRun& task = tasks_[node.first + event.slot];
  switch (event.kind) {
    case Event::Kind::wake:
    case Event::Kind::handed_over:
    case Event::Kind::packet_received:
    case Event::Kind::resend:
      break;
    case Event::Kind::start:
      task.starting = true;
      break;
    case Event::Kind::sent:
      part_sent(task, event.message);
      break;
    case Event::Kind::acknowledged:
      on_acknowledged(task, event.message.number);
      break;
    case Event::Kind::met:
      task.over.push_back(event.message.operation);
      break;
    case Event::Kind::local:
      count_travel(task, true);
      count_arrival(tick, task, event.message);
      task.arrivals.push_back(event.message);
      break;
  }
  node.ready |= u64{1} << event.slot;
  network_->touch(event.entity);
}

void ProgramHost::absorb(const Signal& signal) {
  Node& node = node_at(signal.entity);
  TaskRun& task = tasks_[node.first + signal.slot];
  if (signal.group == Signal::no_group) {
    on_acknowledged(task, signal.number);
  } else {
    Message message;
    message.source = signal.group;
    message.tag = message.number = signal.number;
    message.communicator = GraphOp::by_switch;
    message.bytes = signal.bytes;
    message.kind = MessageKind::combined;
    message.nic = signal.nic;
    task.arrivals.push_back(message);
  }
  node.ready |= u64{1} << signal.slot;
  network_->touch(signal.entity);
}

void ProgramHost::act_tasks(Tick tick, u32 entity, Node& node) {
  if (!standing_.empty()) [[unlikely]]
    return act_those_that_go_on(tick, entity, node);
  for (; node.ready != 0; node.ready &= node.ready - 1)
    step(tick, entity, node, static_cast<u32>(std::countr_zero(node.ready)));
}

}  // namespace weft::workloads
