// What becomes of packets in a CellNetwork when links, routers and nodes fail during the run: docs/faults.md has the
// rules. A packet that is lost on a link is gone when its header would have arrived, and its cells are given back when
// the last of them would have.
#pragma once

#include <algorithm>
#include <set>

#include "engine/base/error.hpp"
#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

template <class Host>
void CellNetwork<Host>::faults_changed(Tick now) {
  WEFT_ASSERT(live_ != nullptr);
  faults_changed_at_ = now;
  note_transition(follow_sweeps(), now);
  for (u32 e = 0; e < entities_.size(); ++e) {
    const Entity& s = entities_[e];
    const u64* const waiting = newcomers(s);  // and inputs, which lie behind them
    const u32 words = channel_words(s) + input_words(s);
    if (s.waiting != 0 || std::any_of(waiting, waiting + words, [](u64 word) { return word != 0; })) wake_at(e, now);
  }
}

/// New tables, where routes go by such; every process makes the same ones.
template <class Host>
std::string CellNetwork<Host>::follow_sweeps() {
  return follower_.tell_all(topology_, *live_, [&](auto&& tell_one) {
    std::set<Routes*> once;
    for (const auto& routes : routes_) once.insert(routes.get());
    for (Routes* const routes : once) tell_one(*routes);
  });
}

/// The event by which a header that is at an input of a switch at tick `at` was lost on the link there, or none.
template <class Host>
u32 CellNetwork<Host>::loss_on_link(const Entity& s, u32 port, Tick at) const {
  const Tick left = at - wire_at(s, port).ticks;
  if (topology_.direct() && port + 1U == s.switch_ports) return live_->loss_from(NodeId(s.global), left);
  const Peer from = topology_.peer(RouterId(s.global), port);
  if (from.kind == Peer::Kind::node) return live_->loss_from(NodeId(from.id), left);
  return live_->loss(RouterId(from.id), from.port, left - settings_.switch_ticks, at);
}

/// Likewise on the link to a node, when all of the packet is there.
template <class Host>
u32 CellNetwork<Host>::loss_at_node(const Entity& s, u32 cells, Tick at) const {
  const Wire& wire = wire_at(s, s.switch_ports);
  const Tick left = at - Tick{cells - 1U} * wire.cell_ticks - wire.ticks - settings_.switch_ticks;
  if (topology_.direct()) return live_->loss_from(NodeId(s.global), left);
  const NodeId node(s.global - topology_.routers());
  return live_->loss(topology_.router_of(node), topology_.port_of(node), left, at);
}

/// A packet is gone: by the event `lost`, or as it has no path.
template <class Host>
void CellNetwork<Host>::record_gone(u32 entity, const Packet& packet, Tick tick, u32 lost) {
  const Entity& s = entities_[entity];
  if (lost != not_lost) {
    record_loss(tick, lost);
  } else {
    record_drop(tick, s.global, packet.from, packet.to);
  }
  count_drop(host_, packet);
  if constexpr (requires { host_.lost(tick, NodeId(0), packet, true); }) {
    if (live_ != nullptr) host_.lost(tick, NodeId(packet.from), packet, lost == not_lost);
  }
  note(s, Place::drop, tick, packet);
}

/// Likewise in the network.
template <class Host>
void CellNetwork<Host>::count_gone(u32 entity, const Packet& packet, u32 queue, Tick tick, u32 lost) {
  const Entity& s = entities_[entity];
  record_gone(entity, packet, tick, lost);
  statistics_.counters.network_time += tick;
  if (details_ != nullptr) tell(PacketEvent::Kind::dropped, {entity, s.global, queue, tick, 0, packet.cells}, packet);
}

/// Takes a packet out of the buffer of an input; its place in the pool is the caller's.
template <class Host>
void CellNetwork<Host>::discard(u32 entity, u32 port, const Packet& packet, Tick tick, u32 lost) {
  const Entity& s = entities_[entity];
  count_gone(entity, packet, port * channels_ + packet.vc, tick, lost);
  const Wire& in = wire_at(s, port);
  const Tick free = tick + Tick{packet.cells - 1U} * in.cell_ticks;
  kernel_->send(in.peer, free + in.ticks,
                Credit{0, static_cast<u16>(in.peer_port), packet.vc, packet.cells, Credit::at_once}, entity);
}

/// Between its arrival and its crossing, a packet waits for another output, for none until a repair, or is gone.
template <class Host>
void CellNetwork<Host>::route_again(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  if (s.has_node != 0) look_through_node(entity, tick);
  if (s.switch_ports == 0) return;
  const RouterId router(s.global);
  const bool works = live_->works(router);
  for (u32 port = 0; port < s.switch_ports; ++port) {
    for (u32 vc = 0; keeps_arrivals_ && !works && vc < channels_; ++vc) {
      List& list = unrouted(s, port, vc);
      while (!list.empty()) {
        const u32 at = pool_.remove_first(list);
        discard(entity, port, pool_[at].packet, tick, live_->failure(router));
        pool_.give_back(at);
      }
      engine::clear_bit(newcomers(s), port * channels_ + vc);
    }
    u32& queues = ports_.queues(s.first_port + port);
    moved_.clear();
    pool_.for_each_first(queues, [&](u32 first) {
      for (u32 at = first; at != List::none; at = pool_[at].next) moved_.push_back(at);
    });
    queues = List::none;
    engine::clear_bit(inputs(s), port);
    for (const u32 at : moved_) {
      Stored<Packet>& stored = pool_[at];
      if (keeps_arrivals_) count_waiting(entity, stored, false);
      if (!works) {
        discard(entity, port, stored.packet, tick, live_->failure(router));
        pool_.give_back(at);
        continue;
      }
      const u32 candidates = stored.candidates;
      const u16 output = stored.output;
      if (!stored.has_choice() && stored.output != no_output)
        stored.ready_at -= gap(s, port, stored.output, stored.packet.cells);
      stored.candidates = Stored<Packet>::one;
      stored.output = 0;
      if (!route(entity, port, at, tick, true)) continue;
      if (!stored.has_choice() && stored.output == no_output) continue;
      if (stored.candidates != candidates || (!stored.has_choice() && stored.output != output))
        ++statistics_.fault_cost(live_->last_heard()).rerouted;
    }
    idle_until_[s.first_port + port] = 0;
  }
}

template <class Host>
void CellNetwork<Host>::look_through_node(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  const NodeId node(topology_.direct() ? s.global : s.global - topology_.routers());
  const bool works = live_->works(node);
  for (u32 queue = 0; queue < node_queues_; ++queue) {
    List& list = node_queue(entity, queue);
    List kept;
    while (!list.empty()) {
      const u32 at = pool_.remove_first(list);
      Packet& packet = pool_[at].packet;
      if (works && !arbitration_.used()) {  // another draw of its route may lead on
        open_paths_[packet.traffic_class]->begin(packet.state, NodeId(packet.from), NodeId(packet.to),
                                                 engine::remix(settings_.seed, packet.identity()));
      }
      if (works && (may_wait() || leads_on(packet))) {
        pool_.append(kept, at);
        continue;
      }
      ++statistics_.counters.dropped_at_source;
      record_gone(entity, packet, tick, works ? not_lost : live_->failure(node));
      if (details_ != nullptr) tell(PacketEvent::Kind::lost, at_node(entity, packet, tick), packet);
      --s.waiting;
      s.free_space.left(tick + settings_.cycle_ticks);
      pool_.give_back(at);
    }
    list = kept;
  }
}

/// What has no path may wait for a repair.
template <class Host>
bool CellNetwork<Host>::may_wait() const {
  return live_->cut_off() == CutOff::wait && live_->damaged();
}

/// Whether a packet at its source has a path, as far as all know.
template <class Host>
bool CellNetwork<Host>::leads_on(const Packet& packet) const {
  return open_paths_[packet.traffic_class]->from_source({NodeId(packet.from), NodeId(packet.to), packet.state});
}

/// Whether a packet has no route past what has failed: it is dropped then, and counted.
template <class Host>
[[gnu::noinline]] bool CellNetwork<Host>::drop_if_lost(u32 entity, const HostPacket& sent, Tick tick, u64 bits,
                                                       u32 cells) {
  Packet packet;
  static_cast<HostPacket&>(packet) = sent;
  packet.set_generated_at(tick);
  packet.cells = static_cast<u16>(cells);
  if (switch_.classes > 1) packet.traffic_class = static_cast<u8>(class_of(sent, bits));
  begin_route(packet, bits);
  const bool works = live_ == nullptr || live_->works(NodeId(packet.from));
  if (works && ((live_ != nullptr && may_wait()) || leads_on(packet))) return false;
  const Entity& s = entities_[entity];
  if (switch_.count_classes) ++counts_of_class(packet).generated;
  count_generated(entity, cells);
  ++statistics_.counters.dropped_at_source;
  record_gone(entity, packet, tick, works ? not_lost : live_->failure(NodeId(packet.from)));
  if (details_ != nullptr) {
    for (const auto kind : {PacketEvent::Kind::generated, PacketEvent::Kind::lost})
      details_->tell({tick, s.global, kind, 0, packet.from, packet.to, cells, tick});
  }
  return true;
}

/// Throws ConfigError for what is not known to go on when packets are lost.
template <class Host>
void CellNetwork<Host>::check_live_faults() const {
  if (congestion_.acknowledges()) {
    throw ConfigError(
        "congestion control that awaits an answer to each packet does not know that packets are lost (faults.event, "
        "faults.file, faults.process); take a scheme without windows and delays, or faults from the begin of the run");
  }
  if (gives_to_switches(host_)) {
    throw ConfigError(
        "in-network reduction does not know that packets are lost (faults.event, faults.file, faults.process); use "
        "another workload.algorithm, or faults from the begin of the run");
  }
}

}  // namespace weft::models::cells
