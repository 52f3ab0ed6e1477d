// Inputs of a WormNetwork: first packets get their outputs, outputs one of the packets that wait for them, and buffers
// say STOP and GO. The node's end of it all.
#pragma once

#include "models/machine/worms/worm_network_class.hpp"

namespace weft::models::worms {

template <class Host>
inline bool WormNetwork<Host>::route(u32 entity, u32 input, Tick tick) {
  const Entity& s = entities_[entity];
  Port& in = ports_[s.first_port + input];
  if (in.packets == 0 || in.target != Port::none) return false;
  Stored<Packet>& stored = pool_.first(fifos_[s.first_port + input]);
  if (stored.ready_at > tick) {
    wake_at(entity, input, stored.ready_at);
    return false;
  }
  Packet& packet = stored.packet;
  const NodeId to(packet.to);
  const bool direct = topology_.direct();
  u32 output = s.switch_ports - 1U;  // to the node inside
  if (open_paths_ != nullptr) [[unlikely]] {
    if (is_gone(s, packet)) return throw_away(entity, input);
    before_[s.first_port + input].state = packet.state;
  }
  if (!direct && topology_.router_of(to).value() == s.global) {
    output = topology_.port_of(to);
  } else {
    const bool injected = direct && input + 1 == s.switch_ports;
    const QueuePlace place{s.global, injected ? QueuePlace::injection : input, 0};
    const Routes::Choices& choices = routes_.ask(place, {NodeId(packet.from), to, packet.state}, open_paths_.get());
    if (choices.cut_off) [[unlikely]]
      return !waits_cut_off(packet) && throw_away(entity, input);
    if (!choices.arrived) {
      output = choose_output(s, input, choices, tick);
      routes_.routing().leave(packet.state, place, output, 0);
    }
  }
  if (open_paths_ != nullptr) [[unlikely]] {
    if (wires_[s.first_port + output].to_node && !node_takes(s, to, output))
      return !waits_cut_off(packet) && throw_away(entity, input);
    const u32 old = std::exchange(before_[s.first_port + input].output, Port::none);
    if (old != Port::none && old != output) ++statistics_.fault_cost(live_->last_heard()).rerouted;
  }
  return take_output(entity, input, output);
}

/// The first packet of an input waits for an output.
template <class Host>
inline bool WormNetwork<Host>::take_output(u32 entity, u32 input, u32 output) {
  const Entity& s = entities_[entity];
  ports_[s.first_port + input].target = static_cast<u16>(output);
  ++ports_[s.first_port + output].wanted;
  engine::set_bit(askers(s, output), input);
  engine::set_bit(links_.data(), output);
  return true;
}

/// The output that fewest packets of this switch wait for or hold; of those one that a cell could take, then the
/// input's next.
template <class Host>
inline u32 WormNetwork<Host>::choose_output(const Entity& s, u32 input, const Routes::Choices& choices, Tick tick) {
  const auto lets_go = [&](const Port& out) {  // as it was before anything left in this tick
    if (stop_go_) return out.stopped == 0;
    const u32 gone = out.running != 0 ? std::min(out.length - out.sent, cell_.before(tick - out.run)) : 0;
    return i64{out.credits} + out.credited_by(tick, cell_) > gone;
  };
  u16& next = ports_[s.first_port + input].first_choice;
  u64 best = ~u64{0};
  u32 seen = 0;
  const auto see = [&](u32 candidate) {
    const Port& out = ports_[s.first_port + candidate];
    const u64 packets = out.wanted + out.active;
    const bool goes = wires_[s.first_port + candidate].to_node || lets_go(out);
    const u32 turn = candidate >= next ? candidate - next : candidate + s.switch_ports - next;
    best = std::min(best, packets << 33 | u64{goes ? 0U : 1U} << 32 | turn);
    ++seen;
  };
  for (const u32 candidate : choices.outputs) see(candidate);
  if (choices.escape != Candidates::none) see(choices.escape);
  WEFT_ASSERT(seen > 0);
  const u32 taken = (next + static_cast<u32>(best)) % s.switch_ports;
  if (seen > 1) next = static_cast<u16>((taken + 1) % s.switch_ports);
  return taken;
}

template <class Host>
inline void WormNetwork<Host>::offer(u32 entity, u32 output, Tick tick) {
  Entity& s = entities_[entity];
  Port& out = ports_[s.first_port + output];
  const bool node = is_nodes(s, output);
  const bool small = node && !s.small_queue.empty();
  if (out.active != 0 || ((node ? s.waiting : out.wanted) == 0 && !small)) return;
  if (node && !small && nics_ != nullptr) {
    const Packet& first = pool_.first(s.node_queue).packet;
    if (nics_->holds(entity, NodeId(first.to))) return;
    const Tick there = nics_->prepare(entity, NodeId(first.from), NodeId(first.to), tick);
    if (there > tick) return wake_at(entity, output, there);
  }
  const Tick when = let_go_at(out, wires_[s.first_port + output].to_node);
  if (when > tick) {
    if (node) out.held = 1;
    if (when != never) wake_at(entity, output, when);
    return;
  }
  if (!node) {
    const u32 input = choose_input(s, output, tick);
    engine::clear_bit(askers(s, output), input);
    --out.wanted;
    ports_[s.first_port + input].reading = 1;
    if (details_ != nullptr && !is_sink(s, output)) [[unlikely]] {
      const Packet& packet = pool_.first(fifos_[s.first_port + input]).packet;
      tell(PacketEvent::Kind::left, {entity, s.global, input, tick, 0, packet.cells}, packet);
    }
    return put_on_link(entity, output, input, tick);
  }
  if (small) {
    pool_.first(s.small_queue).packet.set_generated_at(tick);
    return put_on_link(entity, output, output + 1, tick);
  }
  --s.waiting;
  if (nics_ != nullptr) begin_data(entity, s);
  const Packet& packet = pool_.first(s.node_queue).packet;
  record_injected(at_node(entity, packet, tick), packet);
  const Tick next = tick + settings_.cycle_ticks;
  if (s.free_space.left(next)) wake_at(entity, output, next);
  put_on_link(entity, output, output, tick);
}

/// Which of those that wait for an idle link gets it. Each waits for one link only, so what a link grants is accepted.
template <class Host>
inline u32 WormNetwork<Host>::choose_input(Entity& s, u32 output, Tick tick) {
  Port& out = ports_[s.first_port + output];
  const u64* const mask = askers(s, output);
  const u32 words = words_of(s);
  u32 best = Port::none;
  if (worm_.scheduling == arbiter::Scheduling::islip) {
    u32 lowest = Port::none;
    engine::for_bits(mask, words, [&](u32 input) {
      lowest = std::min(lowest, input);
      if (input >= out.grant) best = std::min(best, input);
    });
    if (best == Port::none) best = lowest;
    out.grant = static_cast<u16>(best + 1U < s.switch_ports ? best + 1 : 0);
  } else if (worm_.scheduling == arbiter::Scheduling::age) {
    Tick oldest = 0;
    engine::for_bits(mask, words, [&](u32 input) {
      const Tick age = pool_.first(fifos_[s.first_port + input]).packet.age(tick);
      if (best != Port::none && age <= oldest) return;
      oldest = age;
      best = input;
    });
  } else if (scheduler_ != nullptr) [[unlikely]] {
    contested_.clear();
    engine::for_bits(mask, words, [&](u32 input) {
      const Packet& packet = pool_.first(fifos_[s.first_port + input]).packet;
      contested_.push_back({.input = input,
                            .output = output,
                            .vc = 0,
                            .generated_at = tick - packet.age(tick),
                            .queued_cells = 0,
                            .traffic_class = 0});
    });
    granted_.clear();
    const u32 turn = s.draws++;
    scheduler_->grant({.requests = contested_,
                       .ports = s.switch_ports,
                       .now = tick,
                       .turn = turn,
                       .bits = engine::random_bits(settings_.seed, s.global, turn, engine::Use::arbitration)},
                      granted_);
    WEFT_ASSERT(granted_.size() == 1);  // what Scheduler::grant promises
    best = contested_[granted_.front()].input;
  } else {
    u32 left = static_cast<u32>(engine::scale_to(
        engine::random_bits(settings_.seed, s.global, s.draws++, engine::Use::arbitration), out.wanted));
    engine::for_bits(mask, words, [&](u32 input) {
      if (left-- == 0) best = input;
    });
  }
  WEFT_DEBUG_ASSERT(best != Port::none);
  return best;
}

template <class Host>
inline u32 WormNetwork<Host>::buffered(u32 entity, u32 input, Tick now) const {
  const Entity& s = entities_[entity];
  const Port& in = ports_[s.first_port + input];
  if (in.packets == 0) return 0;
  return in.stored_whole + in.come_by(now, cell_) -
         (in.reading != 0 ? ports_[s.first_port + in.target].sent_by(now, cell_) : 0);
}

template <class Host>
inline void WormNetwork<Host>::send_stop_go(u32 entity, u32 input, Tick tick) {
  const Entity& s = entities_[entity];
  if (input >= s.switch_ports) return;  // nodes take everything
  Port& in = ports_[s.first_port + input];
  const u32 count = buffered(entity, input, tick);
  if (in.said_stop == 0 ? count >= worm_.stop_cells : count <= worm_.go_cells) {
    const Wire& wire = wires_[s.first_port + input];
    in.said_stop ^= 1;
    kernel_->send(wire.peer, tick + wire.ticks,
                  Signal{0, static_cast<u16>(wire.peer_port), in.said_stop != 0 ? SignalKind::stop : SignalKind::go, 0},
                  entity);
  }
  const Tick when = next_word(s, input, count, tick);
  if (when != never) wake_at(entity, input, when);
}

/// Cells come and go one every C ticks, until the last of a packet has: as long as they do both, the count goes up and
/// down by one; from then on, all one way.
template <class Host>
inline Tick WormNetwork<Host>::next_word(const Entity& s, u32 input, u32 count, Tick tick) const {
  struct Pace {
    u32 left = 0;   ///< cells that come, or go
    Tick next = 0;  ///< when the next does
  };
  const Port& in = ports_[s.first_port + input];
  Pace coming, going;
  if (in.come_running != 0 && in.packets != 0) {
    coming = {in.coming - in.come_by(tick, cell_), in.come_run + cell_(cell_.by(tick - in.come_run))};
  }
  if (in.reading != 0) {
    const Port& out = ports_[s.first_port + in.target];
    if (out.running != 0) going = {out.length - out.sent_by(tick, cell_), out.run + cell_(cell_.by(tick - out.run))};
  }
  // So many more of `with` than of `against`, beginning with an equal number of both.
  const auto after = [this](const Pace& with, const Pace& against, u32 more) -> Tick {
    if (with.left == 0) return never;
    if (more == 1 && (against.left == 0 || with.next < against.next)) return with.next;
    const u32 steps = more + against.left;
    return steps <= with.left ? with.next + cell_(steps - 1) : never;
  };
  if (in.said_stop == 0) return after(coming, going, worm_.stop_cells - count);
  return after(going, coming, count - worm_.go_cells);
}

template <class Host>
inline bool WormNetwork<Host>::inject(u32 entity, const HostPacket& sent, Tick tick, u64 bits, u32 cells) {
  if (!injection_open()) [[unlikely]]
    return refuse(entity);
  Entity& s = entities_[entity];
  if (s.waiting >= worm_.node_packets) {
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
  if (nics_ == nullptr)
    routes_.routing().begin(stored.packet.state, NodeId(sent.from), NodeId(sent.to), (bits & ~u64{0xff}) | sent.ties);
  if (open_paths_ != nullptr && drop_if_lost(entity, stored.packet, tick)) [[unlikely]] {
    pool_.give_back(at);
    return true;
  }
  pool_.append(s.node_queue, at);
  ++s.waiting;
  record_generated(at_node(entity, stored.packet, tick), Place::generation, stored.packet);
  look_at(entity, s.switch_ports);
  return true;
}

template <class Host>
inline void WormNetwork<Host>::deliver(const Taken& e, Tick tick) {
  const Packet& packet = e.packet;
  if (!is_data(packet)) return take_small(e.entity, packet, tick);
  if (live_ != nullptr) [[unlikely]] {
    Packet lost = packet;
    if (const u32 event = loss_at_node(e.entity, lost, tick); event != not_lost) {
      lose(lost, event);
      return count_gone(e.entity, lost, entities_[e.entity].switch_ports, tick);
    }
  }
  if (nics_ != nullptr) nics_->arrived(e.entity, NodeId(packet.from), packet.nic);
  hand_over(*this, host_, at_node(e.entity, packet, tick), this->travelled(packet, tick), packet);
}

}  // namespace weft::models::worms
