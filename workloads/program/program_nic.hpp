// Members of ProgramHost: packets of messages, and whose turn it is to hand one to the NIC.
#pragma once

#include "workloads/program/program_host.hpp"

namespace weft::workloads {

template <class Net>
void ProgramHost::space(Net& net, Tick /*tick*/, u32 entity) {
  const u32 here = node_of_entity_[entity];
  if (here == none || nodes_[here].refused == 0) return;
  nodes_[here].refused = 0;
  net.kernel().touch(entity);
}

template <class Net>
void ProgramHost::line_up(const Site<Net>& site, const Outgoing& out) {
  const bool control =
      out.kind != static_cast<u8>(MessageKind::eager) && out.kind != static_cast<u8>(MessageKind::payload);
  (control ? site.task.controls : site.task.data).push(out);
  site.node.wanting |= u64{1} << site.slot;
}

/// A packet of a message to another node.
template <class Net>
ProgramHost::Packet ProgramHost::packet_of(Net& net, const TaskRun& task, u32 peer, const Message& message) const {
  Packet packet;
  packet.to = net.policy().encode(placement_.node_of_task[peer]);
  packet.from = net.policy().encode(placement_.node_of_task[task.id]);
  packet.set(message);
  packet.target = slot_of_task_[peer];
  packet.job_class = jobs_[task.job].traffic_class;
  return packet;
}

/// False if there is no free space for it.
template <class Net>
bool ProgramHost::send_packet(Net& net, Tick tick, u32 entity, Node& node, u32 slot) {
  TaskRun& task = tasks_[node.first + slot];
  Fifo<Outgoing>& from = task.controls.empty() ? task.data : task.controls;
  Outgoing& out = from.front();
  const auto kind = static_cast<MessageKind>(out.kind);
  Message message{task.id,
                  out.tag,
                  out.communicator,
                  out.message_packets,
                  out.bytes,
                  out.number,
                  out.order,
                  out.operation,
                  kind,
                  false,
                  false,
                  0};
  Packet packet = packet_of(net, task, out.to, message);
  // As TaskHost draws, but for the packets of a rendezvous, which are further ones of the same message.
  const u32 number = net.layout().node(entity).value();
  const u64 drawn = engine::random_bits(spec_.seed, slot << Packet::address_bits | number,
                                        static_cast<u64>(out.number) << 32 | out.left, engine::Use::source_destination);
  const u64 bits = kind == MessageKind::eager ? drawn : engine::remix(drawn, 8 + out.kind);
  packet.ties = static_cast<u8>(engine::remix(bits, 1));
  if (!inject(net, entity, packet, tick, bits, [&] { return cells_of_next(out); })) return false;
  const bool first = out.left == out.packets;
  if (first && kind != MessageKind::clear && kind != MessageKind::payload)
    task.next_send = tick + jobs_[task.job].send_gap_cycles * cycle_;
  node.nic_free = tick + cycle_;
  Event event{.entity = entity, .slot = static_cast<u8>(slot)};
  if (--out.left == 0) {
    if (kind == MessageKind::eager || kind == MessageKind::payload) {
      event.kind = Event::Kind::sent;
      event.message.operation = out.operation;
    }
    from.pop();
    if (task.controls.empty() && task.data.empty()) node.wanting &= ~(u64{1} << slot);
  }
  net.kernel().schedule(node.nic_free, event);
  return true;
}

}  // namespace weft::workloads
