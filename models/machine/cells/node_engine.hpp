// What a node does: takes packets of its host into its queues, sends the first of them, hands over what has come.
#pragma once

#include <algorithm>
#include <array>

#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

template <class Host>
inline bool CellNetwork<Host>::inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits, u32 cells) {
  if (!injection_open()) [[unlikely]]
    return refuse(entity);
  const bool for_switches = is_for_switches(sent);
  if (!open_paths_.empty() && !for_switches && drop_if_lost(entity, sent, tick, bits, cells)) [[unlikely]]
    return true;
  Entity& s = entities_[entity];
  if (s.waiting >= switch_.node_packets) {
    s.free_space.refuse();
    return false;
  }
  WEFT_ASSERT(cells > 0 && cells <= settings_.packet_phits);
  const u32 at = pool_.take();
  Stored<Packet>& stored = pool_[at];
  stored = {};
  static_cast<HostPacket&>(stored.packet) = sent;
  stored.packet.set_generated_at(tick);
  stored.packet.cells = static_cast<u16>(cells);
  if (for_switches) [[unlikely]] {
    WEFT_ASSERT(has_reduction_unit(entity));
    stored.packet.vc = static_cast<u8>(reduction_channel());
    with_reduction_unit(entity, [&](auto unit) { unit.inject(at); });
    ++s.waiting;
    record_generated(at_node(entity, stored.packet, tick), Place::generation, stored.packet);
    kernel_->touch(entity);
    return true;
  }
  u32 of_class = 0;
  if (switch_.classes > 1) [[unlikely]] {
    of_class = class_of(sent, bits);
    stored.packet.traffic_class = static_cast<u8>(of_class);
  }
  begin_route(stored.packet, bits);
  if (switch_.count_classes) [[unlikely]]
    ++counts_of_class(stored.packet).generated;
  const Routing& routing = routes_[of_class]->routing();
  const u32 queue = arbitration_.used() ? routing.node_link_channels(stored.packet.state, false).first : of_class;
  pool_.append(node_queue(entity, queue), at);
  ++s.waiting;
  record_generated(at_node(entity, stored.packet, tick), Place::generation, stored.packet);
  kernel_->touch(entity);
  return true;
}

/// With routes that serve some sources only: a class that the host says must be one that serves it.
template <class Host>
inline u32 CellNetwork<Host>::class_of(const HostPacket& sent, u64 bits) const {
  if (!partial_classes_) [[likely]]
    return traffic_class_of(sent, bits, switch_.class_shares);
  std::array<u32, most_traffic_classes> shares{};
  u32 all = 0, last = 0;
  for (u32 c = 0; c < switch_.classes; ++c) {
    if (!routes_[c]->routing().serves(NodeId(sent.from))) continue;
    shares[c] = switch_.class_shares[c];
    all += shares[c];
    last = c;
  }
  if (all == 0) return last;
  const u32 drawn = traffic_class_of(sent, bits, {shares.data(), switch_.classes});
  return routes_[drawn]->routing().serves(NodeId(sent.from)) ? drawn : last;
}

template <class Host>
inline void CellNetwork<Host>::begin_route(Packet& packet, u64 bits) const {
  const NodeId from(packet.from), to(packet.to);
  const u64 draws = draws_of(packet, bits);
  routes(packet).routing().begin(packet.state, from, to, draws);
  if (live_ != nullptr) [[unlikely]]
    open_paths_[packet.traffic_class]->begin(packet.state, from, to, draws);
}

template <class Host>
inline void CellNetwork<Host>::send_from_node(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  if (ports_.busy_until(s.first_port + s.switch_ports) > tick) return;
  if (arbitration_.used()) [[unlikely]]
    return send_by_lane(entity, tick);
  const u32 classes = switch_.classes;
  for (u32 k = 0, c = s.class_turn; k < classes; ++k) {
    const u32 next = c + 1 < classes ? c + 1 : 0;
    if (!node_queue(entity, c).empty() && send_first(entity, c, tick)) {
      if (!switch_.strict) s.class_turn = static_cast<u8>(next);
      return;
    }
    c = next;
  }
}

template <class Host>
inline bool CellNetwork<Host>::send_first(u32 entity, u32 of_class, Tick tick) {
  const Entity& s = entities_[entity];
  const u32 port = s.switch_ports;
  const u32 before = first_to_send(entity, of_class, tick);
  if (before == List::none) return false;
  const Packet& packet = pool_[pool_[before].next].packet;
  MostSpace best{packet.cells - 1};
  for_node_channels(packet, [&](u32 vc) { offer(best, s, port, vc, tick); });
  if (best.candidate == Candidates::none) return false;
  send(entity, of_class, before, best.candidate - port * channels_, tick);
  return true;
}

template <class Host>
inline void CellNetwork<Host>::send(u32 entity, u32 queue, u32 before, u32 vc, Tick tick) {
  Entity& s = entities_[entity];
  const u32 port = s.switch_ports;
  const u32 at = pool_.remove_after(node_queue(entity, queue), before);
  const Packet& packet = pool_[at].packet;
  --s.waiting;
  add_credits(s, port, vc, -i32{packet.cells});
  record_injected(at_node(entity, packet, vc, tick), packet);
  if (switch_.count_classes) [[unlikely]]
    ++counts_of_class(packet).injected;
  s.free_space.left(tick + settings_.cycle_ticks);
  const Tick busy = Tick{packet.cells} * wire_at(s, port).cell_ticks;
  ports_.busy_until(s.first_port + port) = tick + busy;
  if (congestion_.used()) [[unlikely]]
    congestion_.sent(entity, packet.to, packet.generated_at(), {packet.cells, busy, tick});
  put_on_link(entity, port, packet, {static_cast<u8>(vc)}, tick);
  pool_.give_back(at);
}

template <class Host>
inline u32 CellNetwork<Host>::first_to_send(u32 entity, u32 queue, Tick tick) const {
  const List& list = node_queue(entity, queue);
  const u32 before = list.empty() || !congestion_.used() ? list.last : may_send(entity, queue, tick).before;
  if (live_ == nullptr || before == List::none) [[likely]]
    return before;
  return waits_for_repair(pool_[pool_[before].next].packet) ? List::none : before;
}

template <class Host>
inline MaySend CellNetwork<Host>::may_send(u32 entity, u32 queue, Tick tick) const {
  MaySend found;
  const List& list = node_queue(entity, queue);
  u32 before = list.last;
  do {
    const u32 at = pool_[before].next;
    const Packet& packet = pool_[at].packet;
    const Tick open = congestion_.open_at(entity, packet.to);
    if (open <= tick) {
      found.before = before;
      return found;
    }
    found.later = std::min(found.later, open);
    before = at;
  } while (before != list.last);
  return found;
}

template <class Host>
inline void CellNetwork<Host>::deliver(const Taken& e, Tick tick) {
  const Packet& packet = e.packet;
  if (live_ != nullptr) [[unlikely]] {
    const Entity& s = entities_[e.entity];
    if (const u32 event = loss_at_node(s, packet.cells, tick); event != not_lost)
      return count_gone(e.entity, packet, s.switch_ports * channels_ + packet.vc, tick, event);
  }
  const bool from_switch = is_for_switches(packet);
  if (switch_.count_classes && !from_switch) [[unlikely]]
    counts_of_class(packet).deliver(packet.cells, packet.age(tick));
  if (congestion_.used() && !from_switch) [[unlikely]]
    answer(e.entity, packet, tick);
  hand_over(*this, host_, at_node(e.entity, packet, tick), this->travelled(packet, tick), packet);
}

}  // namespace weft::models::cells
