// Members of ProgramHost: packets of messages, and whose turn it is to hand one to a NIC.
#pragma once

#include <algorithm>
#include <tuple>

#include "workloads/program/program_host.hpp"

namespace weft::workloads {

/// A message, or a part of a rendezvous, goes to the NIC that it leaves by, or to all of them.
inline void ProgramHost::line_up(const TaskContext& context, const Message& message, u32 to) {
  const u32 node = node_of_entity_[context.entity];
  const bool striped = message.nic == Work::all_nics && !is_control(message.kind);
  const u32 only = message.nic == Work::all_nics ? 0 : message.nic;
  for (u32 number = striped ? 0 : only; number <= (striped ? nics_of_packets() - 1 : only); ++number) {
    if (striped && stripe(message.packets, number) == 0) return;
    PacketNic& nic = packet_nic(node, number);
    if (number == 0) {
      put_in_line(nic, context.slot, message, to);
      continue;
    }
    if (begins_message(message.kind)) context.task.next_send = context.now + context.job.send_gap_cycles * cycle_;
    Event event{.entity = nic.entity,
                .slot = static_cast<u8>(context.slot),
                .kind = Event::Kind::handed_over,
                .message = message};
    event.message.source = to;
    context.net.schedule(context.now + spec_.nic_latency, event);
  }
}

/// Takes what it was handed in this tick, and sends a packet of the task whose turn it is.
inline void ProgramHost::act_nic(Tick tick, PacketNic& nic) {
  // In an order that does not depend on how they came.
  if (nic.handed.size() > 1) {
    std::ranges::sort(nic.handed, {}, [](const std::pair<u8, Message>& of) {
      return std::tuple(of.first, of.second.number, of.second.source, of.second.kind);
    });
  }
  for (const auto& [slot, message] : nic.handed) put_in_line(nic, slot, message, message.source);
  nic.handed.clear();
  // While the NIC is taken, the event of the packet that took it is still to come.
  if ((nic.wanting & ~nic.refused) != 0 && tick >= nic.free_from)
    take_turns(nic, [&](u32 slot) { return send_packet(tick, nic, slot); });
}

/// The NIC by which a message comes, or all of them.
inline u32 ProgramHost::arrival_nic(u32 peer, const Message& message) const {
  const bool by_one = message.nic < spec_.nics && message.kind != MessageKind::given;
  if (!spec_.nic_of_receiver || !by_one) return message.nic;
  return slot_of_task_[peer] % (spec_.nics / spec_.planes) * spec_.planes + message.nic % spec_.planes;
}

/// A packet of a message to another node, by the NIC of that number of its source.
inline ProgramHost::Packet ProgramHost::packet_of(const TaskRun& task, u32 peer, const Message& message,
                                                  u32 nic) const {
  // Networks without NICs of their own know them by the message alone.
  const bool are_nodes = nics_of_packets() > 1;
  const u32 arrival = arrival_nic(peer, message);
  const u32 to = are_nodes ? message.nic < spec_.nics ? arrival : nic : 0, from = are_nodes ? nic : 0;
  Packet packet;
  packet.to = network_->encode(NodeId(placement_.node_of_task[peer].value() + spec_.nic_offsets[to]));
  packet.from = network_->encode(NodeId(placement_.node_of_task[task.id].value() + spec_.nic_offsets[from]));
  packet.set(message);
  packet.nic = static_cast<u8>(arrival);
  packet.target = slot_of_task_[peer];
  packet.job_class = jobs_[task.job].traffic_class;
  return packet;
}

/// False if there is no free space for it.
inline bool ProgramHost::send_packet(Tick tick, PacketNic& nic, u32 slot) {
  TaskRun& task = tasks_[nodes_[nic.node].first + slot];
  NicQueue& lines = queue(nic, slot);
  Fifo<Outgoing>& from = lines.controls.empty() ? lines.data : lines.controls;
  Outgoing& out = from.front();
  const Message message = out.message;
  Packet packet = packet_of(task, out.to, message, nic.number);
  if (message.kind == MessageKind::given) [[unlikely]]
    give_to_switches(packet, task, out);
  // As TaskHost draws, but for the packets of a rendezvous, which are further ones of the same message.
  const u32 number = network_->layout().node(nic.entity).value();
  const u64 drawn =
      engine::random_bits(spec_.seed, slot << Packet::address_bits | number,
                          static_cast<u64>(message.number) << 32 | out.left, engine::Use::source_destination);
  const u64 bits =
      message.kind == MessageKind::eager ? drawn : engine::remix(drawn, 8 + static_cast<u64>(message.kind));
  packet.ties = static_cast<u8>(engine::remix(bits, 1));
  if (!network_->inject(nic.entity, packet, tick, bits, cells_of_next(out))) return false;
  ++task.handed;
  if (!packet.is_for_switches()) [[likely]]
    count_travel(task, false);
  const bool with_tasks = nic.number == 0;
  if (with_tasks && out.left == out.packets && begins_message(message.kind))
    task.next_send = tick + jobs_[task.job].send_gap_cycles * cycle_;
  nic.free_from = tick + cycle_;
  const bool last = --out.left == 0, whole = last && !is_control(message.kind);
  if (last) {
    from.pop();
    if (lines.controls.empty() && lines.data.empty()) nic.wanting &= ~(u64{1} << slot);
  } else if (jobs_[task.job].takes_turns) {
    from.rotate();
  }
  Event event{.entity = nic.entity, .slot = static_cast<u8>(slot)};
  if (whole) {
    const Event sent{
        .entity = packet_nic(nic.node, 0).entity, .slot = event.slot, .kind = Event::Kind::sent, .message = message};
    if (!with_tasks) network_->schedule(nic.free_from + spec_.nic_latency, sent);
    if (with_tasks) event = sent;
  }
  network_->schedule(nic.free_from, event);
  return true;
}

}  // namespace weft::workloads
