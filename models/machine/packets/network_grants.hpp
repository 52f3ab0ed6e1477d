// The second phase of a Network's tick: grants, links that start on packets, and when a router is looked at again.
#pragma once

#include "models/machine/packets/network_class.hpp"

namespace weft::models {

template <class Policy, class Host>
inline void Network<Policy, Host>::act(Tick tick, u32 entity) {
  const BlockType b = block(entity);
  auto& head = b.head();
  if (b.injection_space()) {
    b.clear_injection_space();
    host_.space(*this, tick, entity);
  }
  if constexpr (Host::acts) host_.act(*this, tick, entity);
  if (head.refill.any()) refill(b, static_cast<u32>(tick));
  if (head.waiting.any()) {
    Draw draw{settings_.seed, tick, head.global};
    if (head.waiting.single() && !head.asleep.any()) {
      const u32 first = head.waiting.next(0);
      policy_.request_alone(b, first, tick, requests_, draw);
      if (requests_.outputs.any()) grant(b, entity, first, requests_.outputs.next(0), tick);
    } else {
      policy_.request(b, tick, requests_, draw);
      if (requests_.outputs.any()) grant_all(b, entity, tick, draw);
      policy_.after_grants(b, tick, requests_);
    }
  }
  start_links(b, entity, tick);
  if (head.waiting.any()) {
    if (settings_.injection_timeout_ticks != 0) [[unlikely]]
      discard_late(b, entity, tick);
    const auto again = without(requests_.again, head.asleep);  // who sleeps has a time of its own
    if (again.any() && (again & policy_.who_may_move(b)).any()) {
      requests_.check_again(tick + settings_.cycle_ticks);
    }
    if (settings_.every_cycle) [[unlikely]] {
      head.asleep = {};
      requests_.check_again(tick + settings_.cycle_ticks);
    }
    if (requests_.recheck != never) wake_at(head, entity, tick, requests_.recheck);
    if (head.refill.any()) wake_for_refill(b, entity, tick);
  }
  requests_.clear();
}

template <class Policy, class Host>
inline void Network<Policy, Host>::refill(const BlockType& b, u32 now) {
  auto& head = b.head();
  head.refill.for_each([&](u32 o) {
    if (!end_drain(b, b.slot(o), now, static_cast<u32>(settings_.packet_ticks))) return;
    head.refill.clear(o);
    head.space.set(o);
    policy_.changed(b, o);
  });
}

template <class Policy, class Host>
inline void Network<Policy, Host>::grant_all(const BlockType& b, u32 entity, Tick tick, Draw& draw) {
  requests_.outputs.for_each([&](u32 output) {
    auto candidates = requests_.inputs[output];
    if (settings_.transit_priority != 0 && b.shape->endpoint)
      candidates = prefer_transit(b, candidates, output, draw.bits());
    const u32 winner = arbitrate(settings_, b, candidates, output, tick, draw);
    requests_.again |= requests_.inputs[output];
    grant(b, entity, winner, output, tick);
  });
}

template <class Policy, class Host>
inline auto Network<Policy, Host>::prefer_transit(const BlockType& b, const engine::BitSet<words>& candidates,
                                                  u32 output, u64 bits) const -> engine::BitSet<words> {
  if (engine::remix(bits, 128 + output) > settings_.transit_priority) return candidates;
  const auto injected = engine::BitSet<words>::range(b.shape->channels, b.shape->inputs - b.shape->channels);
  const auto transit = without(candidates, injected);
  return transit.any() ? transit : candidates;
}

template <class Policy, class Host>
inline void Network<Policy, Host>::grant(const BlockType& b, u32 entity, u32 input, u32 output, Tick tick) {
  auto& head = b.head();
  WEFT_DEBUG_ASSERT(head.waiting.test(input));  // an input asks for one output at most
  b.owner(output) = index(input);
  b.last_winner(output) = index(input);
  b.input(input).output = index(output);
  head.waiting.clear(input);
  head.free.clear(output);
  if (output == b.shape->channels) return consume(b, entity, input, tick);
  const u32 p = b.shape->port_of[output];
  OutputPort& port = b.port(p);
  port.granted |= static_cast<u16>(1U << (output - p * policy_.virtual_channels()));
  head.kick.set_if(p, port.current == no_channel);
}

template <class Policy, class Host>
inline void Network<Policy, Host>::start_links(const BlockType& b, u32 entity, Tick tick) {
  auto& head = b.head();
  if (!head.kick.any()) return;
  head.kick.for_each([&](u32 p) {
    OutputPort& port = b.port(p);
    if (port.current != no_channel || port.granted == 0) return;
    const u32 high = static_cast<u32>(port.granted) >> port.next << port.next;
    const u32 channel = static_cast<u32>(std::countr_zero(high != 0 ? high : static_cast<u32>(port.granted)));
    start(b, entity, p, channel, tick);
  });
  head.kick = {};
}

template <class Policy, class Host>
inline void Network<Policy, Host>::start(const BlockType& b, u32 entity, u32 p, u32 channel, Tick tick) {
  auto& head = b.head();
  OutputPort& port = b.port(p);
  const u32 output = p * policy_.virtual_channels() + channel, now = static_cast<u32>(tick);
  const u32 input = b.owner(output);
  auto& in = b.input(input);
  port.granted &= static_cast<u16>(~(1U << channel));
  port.current = static_cast<u8>(channel);
  port.next = static_cast<u8>(channel + 1 == policy_.virtual_channels() ? 0 : channel + 1);
  const Tick late = slowdown(b, p, tick);
  const u32 sets_out = now + static_cast<u32>(late);
  in.stamp = sets_out;
  const u32 slot = b.slot(output);
  end_drain(b, slot, now, static_cast<u32>(settings_.packet_ticks));
  b.flags(slot) |= BlockType::sending;
  b.send_start(slot) = sets_out;
  ++b.work();
  if (++b.used(slot) >= settings_.queue_packets) {
    head.space.clear(output);
    if ((b.flags(slot) & BlockType::draining) != 0) head.refill.set(output);
    requests_.again |= policy_.filled(b, output);
  }
  record_link_start();
  if constexpr (has_state) policy_.leave(b.packet(input, in.head).state, b, input, output);
  if (details_ != nullptr) [[unlikely]] {
    details_->started(entity, output);
    details_->taken(tick, settings_.packet_ticks);
    const Packet& packet = b.packet(input, in.head);
    tell(input < b.shape->channels ? PacketEvent::Kind::left : PacketEvent::Kind::injected,
         at(b, entity, input, tick, packet), packet, policy_);
  }
  depart({&b.packet(input, in.head), port.peer, port.arrive_base + channel, entity,
          port.link_ticks + static_cast<u32>(late), input >= b.shape->channels});
  kernel_->schedule(tick + late + settings_.packet_ticks, Release(entity, p, Release::Through::link));
  if (input < b.shape->channels) {
    send_credit(b, entity, input, tick + late);
    // While a packet arrives in the queue that this one leaves, the bubble may reappear without an event.
    const bool watch = bubble_watch_ & (now - in.arrival < settings_.packet_ticks);
    requests_.again |= policy_.bubble_seekers(b, input).if_so(watch);
  } else {
    record_injection(tick, 0);  // `send` adds how long it has waited
    if (topology_.direct()) record_hop();
  }
}

template <class Policy, class Host>
inline void Network<Policy, Host>::depart(const Departure<Packet>& departure) {
  if (!huge_) return send(departure);
  departures_.add(departure, [this](const Departure<Packet>& earlier) { send(earlier); });
}

template <class Policy, class Host>
inline void Network<Policy, Host>::send(const Departure<Packet>& d) {
  const Tick tick = kernel_->now();
  if (d.injected) statistics_.counters.wait += d.packet->age(tick);
  kernel_->template send_filled<Arrival>(d.to, tick + d.link_ticks + settings_.switch_ticks, d.entity,
                                         [&](Arrival& arrival) {
                                           arrival.input = d.input;
                                           arrival.packet = *d.packet;
                                         });
}

template <class Policy, class Host>
inline void Network<Policy, Host>::wake_at(BlockHead<words>& head, u32 entity, Tick tick, Tick when) {
  const u32 pending = head.wake - static_cast<u32>(tick), wanted = static_cast<u32>(when - tick);
  if (head.wake != 0 && pending <= wanted) return;  // one is pending that comes early enough
  head.wake = static_cast<u32>(when);
  kernel_->schedule(when, Wake{entity});
}

template <class Policy, class Host>
inline bool Network<Policy, Host>::awaited(const BlockType& b, u32 output) const {
  const auto& head = b.head();
  if (!head.free.test(output) && !policy_.looks_at_held_outputs()) return false;
  return (head.waiting & policy_.concerned(b, output)).any();
}

template <class Policy, class Host>
inline void Network<Policy, Host>::wake_for_refill(const BlockType& b, u32 entity, Tick tick) {
  auto& head = b.head();
  u32 soonest = ~u32{0};
  head.refill.for_each([&](u32 o) {
    const u32 left = b.drain_base(b.slot(o)) + static_cast<u32>(settings_.packet_ticks) - static_cast<u32>(tick);
    soonest = awaited(b, o) && left < soonest ? left : soonest;
  });
  if (soonest != ~u32{0} && soonest > 0) wake_at(head, entity, tick, tick + soonest);
}

}  // namespace weft::models
