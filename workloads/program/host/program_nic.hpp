// Members of ProgramHost that are compiled into event loops: its NICs, packet by packet.
#pragma once

#include <algorithm>

#include "engine/kernel.hpp"
#include "workloads/program/host/inject.hpp"
#include "workloads/program/host/program_host_class.hpp"

namespace weft::workloads {

template <class Net>
void ProgramHost::act(Net& net, Tick tick, u32 entity) {
  if (const u32 here = node_of_entity_[entity]; here != none && nodes_[here].ready != 0)
    act_tasks(tick, entity, nodes_[here]);
  if constexpr (!CarriesMessages<Net>) {
    if (const u32 nic = nic_of_entity_[entity]; nic != none) act_nic(net, tick, packet_nics_[nic]);
  }
}

template <class Net>
void ProgramHost::space(Net& net, Tick /*tick*/, u32 entity) {
  const u32 here = nic_of_entity_[entity];
  if (here == none || (packet_nics_[here].refused == 0 && resends_.empty())) return;
  packet_nics_[here].refused = 0;
  net.kernel().touch(entity);
}

template <class Net>
void ProgramHost::delivered(Net& /*net*/, Tick tick, Tick whole, u32 entity, const Packet& packet) {
  u32 node = node_of_entity_[entity];
  const bool first_nic = node != none;
  if (!first_nic) node = packet_nics_[nic_of_entity_[entity]].node;
  TaskRun& task = tasks_[first_of_node_[node] + packet.target];
  const Tick latency = packet.age(whole);
  ++task.packets;
  task.latency += latency;
  task.latency_max = std::max(task.latency_max, latency);
  task.last_delivery = std::max(task.last_delivery, whole);
  if (!packet.is_for_switches()) [[likely]]
    count_travel(task, true);
  if (!first_nic) return received_by(tick, node, packet.target, packet);
  if constexpr (!CarriesMessages<Net>) {
    // Most packets are none of their messages' last.
    if (packet.kind == MessageKind::eager) {
      const bool of_several = packet.bytes() > spec_.packet_bytes;
      const auto packets = [&] { return packets_of(packet.bytes()); };
      if (of_several && !partial_.completes({task.id, packet.source_task, packet.message}, packets)) return;
      return receive_message(whole, entity, packet.target, carried(packet));
    }
  }
  receive_packet(whole, entity, packet.target, carried(packet));
}

/// Takes what it was handed in this tick, and sends a packet of the task whose turn it is.
template <class Net>
void ProgramHost::act_nic(Net& net, Tick tick, PacketNic& nic) {
  if (nic.handed) take_handed(nic);
  if (!resends_.empty() && tick >= nic.free_from) [[unlikely]]
    send_again(net, tick, nic);
  // While the NIC is taken, the tick that the packet which took it asked for is still to come.
  if (nic.asks() && tick >= nic.free_from) take_turns(nic, [&](u32 slot) { return send_packet(net, tick, nic, slot); });
}

/// A packet that was lost goes before others.
template <class Net>
void ProgramHost::send_again(Net& net, Tick tick, PacketNic& nic) {
  std::vector<LostPacket>& waiting = resends_[static_cast<std::size_t>(&nic - packet_nics_.data())];
  if (waiting.empty() || waiting.front().at > tick) return;
  Packet packet = waiting.front().packet;
  const u64 bits = engine::random_bits(spec_.seed, nic.address, tick, engine::Use::resends);
  packet.ties = static_cast<u8>(engine::remix(bits, 1));
  if (!inject(net, nic.entity, packet, tick, bits, [&] { return waiting.front().cells; })) return;
  TaskRun& task = tasks_[nodes_[nic.node].first + slot_of_task_[packet.source_task]];
  ++task.handed;
  count_travel(task, false);
  waiting.erase(waiting.begin());
  nic.free_from = tick + cycle_;
  net.kernel().schedule(nic.free_from, engine::Touch{nic.entity});
}

/// False if there is no free space for it.
template <class Net>
bool ProgramHost::send_packet(Net& net, Tick tick, PacketNic& nic, u32 slot) {
  TaskRun& task = tasks_[nodes_[nic.node].first + slot];
  NicQueue& lines = queue(nic, slot);
  Fifo<Outgoing>& from = lines.controls.empty() ? lines.data : lines.controls;
  Outgoing& out = from.front();
  const MessageKind kind = out.packet.kind;
  Packet packet = out.packet;
  if (kind == MessageKind::given) [[unlikely]]
    give_to_switches(packet, task, out);
  // Packets of a rendezvous draw as further ones of the same message.
  const u64 drawn =
      engine::random_bits(spec_.seed, slot << Packet::address_bits | nic.address,
                          static_cast<u64>(packet.message) << 32 | out.left, engine::Use::source_destination);
  const u64 bits = kind == MessageKind::eager ? drawn : engine::remix(drawn, 8 + static_cast<u64>(kind));
  packet.ties = static_cast<u8>(engine::remix(bits, 1));
  if (!inject(net, nic.entity, packet, tick, bits, [&] { return cells_of_next(out); })) return false;
  ++task.handed;
  if (!packet.is_for_switches()) [[likely]]
    count_travel(task, false);
  const bool with_tasks = nic.number == 0;
  if (with_tasks && out.left == out.packets && begins_message(kind))
    task.next_send = tick + jobs_[task.job].send_gap_cycles * cycle_;
  nic.free_from = tick + cycle_;
  const bool last = --out.left == 0, whole = last && !is_control(kind);
  if (whole) {
    Event sent{.entity = packet_nic(nic.node, 0).entity, .slot = static_cast<u8>(slot), .kind = Event::Kind::sent};
    sent.message = {
        .packets = out.whole, .number = out.packet.message, .operation = out.operation, .nic = out.packet.nic};
    net.kernel().schedule(nic.free_from + (with_tasks ? 0 : spec_.nic_latency), sent);
  }
  if (!whole || !with_tasks) net.kernel().schedule(nic.free_from, engine::Touch{nic.entity});
  if (last) {
    from.pop();
    if (lines.controls.empty() && lines.data.empty()) nic.wanting &= ~(u64{1} << slot);
  } else if (jobs_[task.job].takes_turns) {
    from.rotate();
  }
  return true;
}

}  // namespace weft::workloads
