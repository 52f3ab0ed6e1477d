// What becomes of packets in a Network when links, routers and nodes fail during the run.
#pragma once

#include "models/machine/packets/network_class.hpp"

namespace weft::models {

template <class Policy, class Host>
void Network<Policy, Host>::faults_changed(Tick now) requires(Policy::knows_live_faults) {
  faults_changed_at_ = now;
  note_transition(policy_.follow_sweeps(), now);
  for (u32 e = 0; e < layout_.entities(); ++e) {
    const BlockType b = block(e);
    if (is_concerned(b)) kernel_->schedule(now, Wake{e});
  }
}

/// Whether packets that wait, or have been granted a link that they have not begun to take, may have to go elsewhere.
template <class Policy, class Host>
bool Network<Policy, Host>::is_concerned(const BlockType& b) const {
  if (policy_.are_granted_concerned(b) && has_granted(b)) return true;
  bool some = false;
  b.head().waiting.for_each(
      [&](u32 input) { some = some || policy_.is_concerned(b, input, b.packet(input, b.input(input).head)); });
  return some;
}

template <class Policy, class Host>
bool Network<Policy, Host>::has_granted(const BlockType& b) {
  for (u32 p = 0; p < b.shape->ports; ++p) {
    if (b.port(p).granted != 0) return true;
  }
  return false;
}

/// Where it came from, and when its header left there: see LiveFaults::loss.
template <class Policy, class Host>
[[gnu::noinline]] void Network<Policy, Host>::lose_if_cut(const BlockType& b, u32 input, u32 slot, Tick tick) {
  const LiveFaults& faults = *settings_.live_faults;
  const u32 back = policy_.fed_port(b.shape->port_of[input]);
  const Tick left = tick - b.port(back).link_ticks - settings_.switch_ticks;
  u32 event = LiveFaults::none;
  if (b.shape->nic) {
    const NodeId node(b.head().address);
    event = faults.loss(topology_.router_of(node), topology_.port_of(node), left, tick);
  } else {
    const Peer from = topology_.peer(RouterId(b.head().global), back);
    event = from.kind == Peer::Kind::node ? faults.loss_from(NodeId(from.id), left)
                                          : faults.loss(RouterId(from.id), from.port, left, tick);
  }
  if (event != LiveFaults::none) b.packet(input, slot).state.lose(event);
}

/// Packets that have been granted a link that is known to have failed wait again; all that wait are routed anew.
template <class Policy, class Host>
[[gnu::noinline]] void Network<Policy, Host>::route_again(const BlockType& b, u32 entity, Tick tick) {
  auto& head = b.head();
  const u32 channels = policy_.virtual_channels();
  for (u32 p = 0; p < b.shape->ports && !b.shape->nic; ++p) {
    OutputPort& port = b.port(p);
    if (port.granted == 0 || settings_.live_faults->detected_to_work(RouterId(head.global), p)) continue;
    for (u32 left = port.granted; left != 0; left &= left - 1) {
      const u32 output = p * channels + static_cast<u32>(std::countr_zero(left)), input = b.owner(output);
      b.owner(output) = no_port<words>;
      b.input(input).output = no_port<words>;
      head.free.set(output);
      head.waiting.set(input);
    }
    port.granted = 0;
  }
  head.asleep = {};
  const auto waiting = head.waiting;
  waiting.for_each([&](u32 input) {
    auto& in = b.input(input);
    if (!policy_.is_concerned(b, input, b.packet(input, in.head))) return;
    const Route before = b.route(input);
    const Verdict verdict = policy_.route(b, input, b.packet(input, in.head), static_cast<u32>(tick));
    const Route& now = b.route(input);
    if (verdict != Verdict::dropped) {
      if (without(now.outputs, before.outputs).any() || without(before.outputs, now.outputs).any() ||
          now.escape != before.escape)
        ++statistics_.fault_cost(settings_.live_faults->last_heard()).rerouted;
      return;
    }
    head.waiting.clear(input);
    discard(b, entity, input, tick);
  });
  if (head.waiting.any()) kernel_->touch(entity);
}

}  // namespace weft::models
