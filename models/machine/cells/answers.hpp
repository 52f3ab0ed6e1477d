// What destinations send back to sources: acknowledgements and notifications, which take a channel of their own, hop by
// hop, and no time but latencies.
#pragma once

#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

/// What routes see that go by output occupancy: nothing waits for an answer's channel.
class EmptyOutputs final : public Occupancy {
 public:
  [[nodiscard]] u32 waiting(u32 /*port*/) const override { return 0; }
  [[nodiscard]] u32 taken(u32 /*port*/, u32 /*channel*/) const override { return 0; }
  [[nodiscard]] u32 load(u32 /*port*/) const override { return 0; }
  [[nodiscard]] u32 remote_waiting(u32 /*port*/, u32 /*far_port*/) const override { return 0; }
};

/// A packet has been delivered: the notification or acknowledgement for its source, if any.
template <class Host>
inline void CellNetwork<Host>::answer(u32 entity, const Packet& packet, Tick tick) {
  const bool notified = packet.marked != 0 && congestion_.notifies(entity, packet.from, tick);
  if (packet.marked != 0) ++statistics_.counters.marked;
  if (notified) ++statistics_.counters.notifications;
  if (!notified && !congestion_.acknowledges()) return;
  const Entity& s = entities_[entity];
  Answer answer{.entity = 0,
                .port = 0,
                .from = packet.to,
                .to = packet.from,
                .generated_at = packet.generated_at(),
                .cells = packet.cells};
  answer.marked = notified ? 1 : 0;
  const Routing& routing = routes_.front()->routing();
  const u64 random_bits = engine::remix(settings_.seed, u64{packet.to} << 32 | packet.from);
  routing.begin(answer.state, NodeId(packet.to), NodeId(packet.from), random_bits);
  answer.vc = static_cast<u8>(routing.node_link_channels(answer.state, false).first);
  pass_on(entity, s.switch_ports, answer, tick);
}

/// Puts an answer on the link out of a port at a tick.
template <class Host>
inline void CellNetwork<Host>::pass_on(u32 entity, u32 port, Answer answer, Tick when) {
  const Entity& s = entities_[entity];
  const Wire& wire = wire_at(s, port);
  if (!topology_.direct() || port < s.switch_ports - 1U) ++answer.state.links;
  answer.port = wire.peer_port;
  kernel_->send(wire.peer, when + wire.ticks, answer, entity);
}

template <class Host>
inline void CellNetwork<Host>::absorb(Tick tick, const Answer& e) {
  const Entity& s = entities_[e.entity];
  if (live_ != nullptr && loses_answer(s, e.port, tick)) [[unlikely]]
    return;
  if (e.port == s.switch_ports) {  // at the node
    congestion_.answered(e.entity, e.from, e.generated_at,
                         {.cells = e.cells, .marked = e.marked != 0, .links = e.state.links, .delay = 0, .now = tick});
    if (s.waiting != 0) kernel_->touch(e.entity);
    return;
  }
  const bool direct = topology_.direct();
  const NodeId from(e.from), to(e.to);
  const Tick out = tick + switch_.routing_ticks + settings_.switch_ticks;
  const bool here = topology_.router_of(to).value() == s.global;
  if (!direct && here) return pass_on(e.entity, topology_.port_of(to), e, out);
  Answer next = e;
  Routes& routes = *routes_.front();
  const bool injected = direct && e.port + 1 == s.switch_ports;
  const QueuePlace place{s.global, injected ? QueuePlace::injection : e.port, injected ? 0U : u32{e.vc}};
  if (routes.decides() && !here) routes.routing().decide(next.state, place, from, to, EmptyOutputs());
  const Routes::Choices& choices = routes.ask(place, {from, to, next.state}, paths_of(0));
  if (choices.cut_off) [[unlikely]]
    return;
  if (choices.arrived) return pass_on(e.entity, s.switch_ports - 1U, next, out);
  const u32 candidate = choices.outputs.empty() ? choices.escape : choices.outputs.front();
  const u32 port = candidate / class_channels_;
  next.vc = static_cast<u8>(candidate % class_channels_);
  routes.routing().leave(next.state, place, port, next.vc);
  pass_on(e.entity, port, next, out);
}

}  // namespace weft::models::cells
