// Members of ProgramHost: what lines up at NICs, and what packets carry.
#include <algorithm>
#include <tuple>

#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {

/// A message, or a part of a rendezvous, goes to the NIC that it leaves by, or to all of them.
void ProgramHost::line_up(const TaskContext& context, const Message& message, u32 to) {
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

/// The NIC by which a message comes, or all of them.
u32 ProgramHost::arrival_nic(u32 peer, const Message& message) const {
  const bool by_one = message.nic < spec_.nics && message.kind != MessageKind::given;
  if (!spec_.nic_of_receiver || !by_one) return message.nic;
  return slot_of_task_[peer] % (spec_.nics / spec_.planes) * spec_.planes + message.nic % spec_.planes;
}

/// A packet of a message to another node, by the NIC of that number of its source.
ProgramHost::Packet ProgramHost::packet_of(const TaskRun& task, u32 peer, const Message& message, u32 nic) const {
  // Networks without NICs of their own know them by the message alone.
  const bool are_nodes = nics_of_packets() > 1;
  const u32 arrival = arrival_nic(peer, message);
  const u32 to = are_nodes ? message.nic < spec_.nics ? arrival : nic : 0, from = are_nodes ? nic : 0;
  Packet packet;
  packet.to = network_->encode(NodeId(placement_.node_of_task[peer].value() + spec_.nic_offsets[to]));
  packet.from = network_->encode(NodeId(placement_.node_of_task[task.id].value() + spec_.nic_offsets[from]));
  packet.set(message);
  packet.source_task = task.id & ((u32{1} << Packet::task_bits) - 1);  // whatever a message on its way to a NIC says
  packet.nic = static_cast<u8>(arrival);
  packet.target = slot_of_task_[peer];
  packet.job_class = jobs_[task.job].class_of(message.bytes);
  return packet;
}

/// The next message, or part of one, of a task at a NIC.
void ProgramHost::put_in_line(PacketNic& nic, u32 slot, const Message& message, u32 to) {
  const bool control = is_control(message.kind);
  const TaskRun& task = tasks_[nodes_[nic.node].first + slot];
  Outgoing out;
  out.packet = packet_of(task, to, message, nic.number);
  out.operation = message.operation;
  out.whole = message.packets;
  out.packets = control ? 1 : message.packets;
  if (!control && message.nic == Work::all_nics) {
    out.first = nic.number * static_cast<u32>(stripe(message.packets, 0));
    out.packets = static_cast<u32>(stripe(message.packets, nic.number));
  }
  out.left = out.packets;
  NicQueue& lines = queue(nic, slot);
  (control ? lines.controls : lines.data).push(out);
  nic.wanting |= u64{1} << slot;
}

/// In an order that does not depend on how they came.
void ProgramHost::take_handed(PacketNic& nic) {
  std::vector<std::pair<u8, Message>>& handed = handed_[static_cast<std::size_t>(&nic - packet_nics_.data())];
  nic.handed = false;
  if (handed.size() > 1) {
    std::ranges::sort(handed, {}, [](const std::pair<u8, Message>& of) {
      return std::tuple(of.first, of.second.number, of.second.source, of.second.kind);
    });
  }
  for (const auto& [slot, message] : handed) put_in_line(nic, slot, message, message.source);
  handed.clear();
}

/// What a packet says of its message.
Message ProgramHost::carried(const Packet& packet) const {
  Message message;
  message.bytes = packet.bytes();
  message.packets = packets_of(message.bytes);
  message.kind = packet.kind;
  message.tag = packet.tag;
  if (packet.kind == MessageKind::combined) {
    message.source = group_of_tree(packet.communicator);
    message.number = packet.tag;
    message.communicator = GraphOp::by_switch;
    return message;
  }
  message.source = packet.source_task;
  message.communicator = packet.communicator;
  message.number = packet.message;
  message.order = packet.order;
  message.rendezvous = packet.rendezvous != 0;
  message.nic = packet.nic;
  const bool by_tree = packet.kind == MessageKind::given && packet.communicator != GraphOp::by_switch;
  if (by_tree) {  // else the network carries messages whole
    message.order = group_of_tree(packet.communicator);
    message.communicator = GraphOp::by_switch;
  }
  return message;
}

}  // namespace weft::workloads
