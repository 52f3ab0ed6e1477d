// What happens to ProgramHost during a run: events, free space, packets and ticks. Its other members of a tick are
// inline in headers that this file alone includes, so that they are compiled into these: programs on ideal networks
// take a tenth less time.
#include <algorithm>

#include "workloads/program/program_host.hpp"
#include "workloads/program/program_messages.hpp"
#include "workloads/program/program_nic.hpp"
#include "workloads/program/program_requests.hpp"
#include "workloads/program/program_steps.hpp"

namespace weft::workloads {

void ProgramHost::delivered(Tick tick, Tick whole, u32 entity, const Packet& packet) {
  u32 node = node_of_entity_[entity];
  const bool first_nic = node != none;
  if (!first_nic) node = packet_nics_[nic_of_entity_[entity]].node;
  const u32 slot = packet.target;
  TaskRun& task = tasks_[nodes_[node].first + slot];
  const Tick latency = packet.age(whole);
  ++task.packets;
  task.latency += latency;
  task.latency_max = std::max(task.latency_max, latency);
  task.last_delivery = std::max(task.last_delivery, whole);
  if (!packet.is_for_switches()) [[likely]]
    count_travel(task, true);
  if (first_nic) return receive_packet(whole, entity, slot, packet.carried());
  network_->schedule(tick + spec_.nic_latency, Event{.entity = packet_nic(node, 0).entity,
                                                     .slot = static_cast<u8>(slot),
                                                     .kind = Event::Kind::packet_received,
                                                     .message = packet.carried()});
}

void ProgramHost::space(u32 entity) {
  const u32 here = nic_of_entity_[entity];
  if (here == none || packet_nics_[here].refused == 0) return;
  packet_nics_[here].refused = 0;
  network_->touch(entity);
}

void ProgramHost::absorb(Tick tick, const Event& event) {
  if (event.kind == Event::Kind::packet_received) return receive_packet(tick, event.entity, event.slot, event.message);
  if (node_of_entity_[event.entity] == none) {
    if (event.kind == Event::Kind::handed_over)
      packet_nics_[nic_of_entity_[event.entity]].handed.emplace_back(event.slot, event.message);
    return network_->touch(event.entity);
  }
  Node& node = node_at(event.entity);
  TaskRun& task = tasks_[node.first + event.slot];
  switch (event.kind) {
    case Event::Kind::wake:
    case Event::Kind::handed_over:
    case Event::Kind::packet_received:
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

/// Runs the tasks of an entity as far as they get in this tick, and lets one of them hand over a packet.
void ProgramHost::act(Tick tick, u32 entity) {
  if (node_of_entity_[entity] != none) {
    Node& node = node_at(entity);
    for (; node.ready != 0; node.ready &= node.ready - 1)
      step(tick, entity, node, static_cast<u32>(std::countr_zero(node.ready)));
  }
  if (!network_->carries_messages()) {
    if (nic_of_entity_[entity] != none) act_nic(tick, packet_nics_[nic_of_entity_[entity]]);
  }
}

}  // namespace weft::workloads
