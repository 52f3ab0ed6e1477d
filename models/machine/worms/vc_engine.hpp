// What happens in a wormhole switch with several virtual channels in a tick: first packets are routed, get channels,
// and their cells cross.
#pragma once

#include <array>

#include "models/machine/worms/vc_network_class.hpp"
#include "models/machine/worms/vc_occupancy.hpp"

namespace weft::models::worms {

template <class Host>
inline void VcNetwork<Host>::absorb(Tick tick, const Arrival& e) {
  Entity& s = entities_[e.entity];
  const u32 number = e.port * vcs_ + e.packet.vc;
  Lane& lane = lane_at(s, number);
  const u32 at = pool_.take();
  Stored<Packet>& stored = pool_[at];
  stored.packet = e.packet;
  stored.ready_at = tick + vc_.routing_ticks;
  stored.candidates = stored.one;
  stored.output = 0;
  stored.vc = 0;
  pool_.append(lane.fifo, at);
  ++lane.cells;
  note(s, number, tick, e.packet);
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::arrived, {e.entity, s.global, number, tick, 0}, e.packet);
  if (lane.packets++ != 0) return;
  lane.length = e.packet.cells;
  engine::set_bit(to_route(s), number);
  if (stored.ready_at == tick) {
    kernel_->touch(e.entity);
  } else {
    wake_at(e.entity, stored.ready_at);
  }
}

template <class Host>
inline void VcNetwork<Host>::absorb(Tick /*tick*/, const Cell& e) {
  const Entity& s = entities_[e.entity];
  const u32 number = e.port * vcs_ + e.vc;
  Lane& lane = lane_at(s, number);
  if (lane.cells++ != 0 || lane.target == Lane::none) return;
  engine::set_bit(going(s), number);
  kernel_->touch(e.entity);
}

template <class Host>
inline void VcNetwork<Host>::absorb(Tick /*tick*/, const Credit& e) {
  const Entity& s = entities_[e.entity];
  Channel& channel = channel_at(s, e.port * vcs_ + e.vc);
  ++channel.credits;
  if (channel.holder == Channel::draining) {
    if (channel.credits < static_cast<i32>(vc_.buffer_cells)) return;
    channel.holder = Channel::nobody;
  } else if (channel.credits != 1) {
    return;  // nobody has waited for it
  }
  kernel_->touch(e.entity);
}

template <class Host>
inline void VcNetwork<Host>::act(Tick tick, u32 entity) {
  Entity& s = entities_[entity];
  next_ = never;
  released_ = false;
  if (s.has_node != 0) {
    if (s.free_space.take(tick)) host_.space(*this, tick, entity);
    if constexpr (Host::acts) host_.act(*this, tick, entity);
    if (!s.node_queue.empty()) send_from_node(entity, tick);
    look_at_next(s.free_space.notify_at());
  }
  if (s.switch_ports != 0) {
    route_due(entity, tick);
    allocate_channels(entity, tick);
    allocate_crossbar(entity, tick);
  }
  if (settings_.every_cycle) [[unlikely]] {
    const auto any = [&](const u64* mask) {
      return std::any_of(mask, mask + words_of(s), [](u64 w) { return w != 0; });
    };
    if (!s.node_queue.empty() || any(to_route(s)) || any(asking(s)) || any(going(s))) look_at_next(tick + 1);
  }
  if (next_ != never) wake_at(entity, std::max(next_, tick + 1));
}

template <class Host>
inline void VcNetwork<Host>::route_due(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  u64* const mask = to_route(s);
  engine::for_bits(mask, words_of(s), [&](u32 lane) {
    const Tick ready = first_of(lane_at(s, lane)).ready_at;
    if (ready > tick) return look_at_next(ready);
    engine::clear_bit(mask, lane);
    route(entity, lane, tick);
    engine::set_bit(asking(s), lane);
  });
}

template <class Host>
inline void VcNetwork<Host>::route(u32 entity, u32 lane, Tick /*tick*/) {
  const Entity& s = entities_[entity];
  Stored<Packet>& stored = first_of(lane_at(s, lane));
  Packet& packet = stored.packet;
  const NodeId to(packet.to);
  if (routes_.decides() && topology_.router_of(to).value() != s.global) {
    const u32 input = lane / vcs_;
    const bool injected = topology_.direct() && input + 1 == s.switch_ports;
    const QueuePlace place{s.global, injected ? QueuePlace::injection : input, injected ? 0U : lane % vcs_};
    routes_.routing().decide(packet.state, place, NodeId(packet.from), to, Outputs(*this, s));
  }
  find_candidates(s, lane, stored);
}

template <class Host>
inline void VcNetwork<Host>::find_candidates(const Entity& s, u32 lane, Stored<Packet>& stored) {
  const Packet& packet = stored.packet;
  const NodeId to(packet.to);
  const u32 input = lane / vcs_;
  const bool direct = topology_.direct(), injected = direct && input + 1 == s.switch_ports;
  u32 to_node = s.switch_ports - 1U;
  bool arrived = !direct && topology_.router_of(to).value() == s.global;
  if (arrived) {
    to_node = topology_.port_of(to);
  } else {
    const QueuePlace place{s.global, injected ? QueuePlace::injection : input, injected ? 0U : lane % vcs_};
    const Routes::Choices& choices = routes_.ask(place, {NodeId(packet.from), to, packet.state});
    arrived = choices.arrived;
    if (!arrived) {
      stored.candidates = candidate_sets_.number_of(choices.outputs, choices.escape);
      return;
    }
  }
  const Routing::Channels some = routes_.routing().node_link_channels(packet.state, true);
  own_outputs_.clear();
  for (u32 vc = some.first; vc < some.first + std::min(some.count, vcs_ - some.first); ++vc)
    own_outputs_.push_back(to_node * vcs_ + vc);
  stored.candidates = candidate_sets_.number_of(own_outputs_, Candidates::none);
}

template <class Host>
inline void VcNetwork<Host>::allocate_channels(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  const u32 words = words_of(s);
  const u64* const mask = asking(s);
  channel_asks_.clear();
  u32 askers = 0;
  engine::for_bits(mask, words, [&](u32 lane) {
    const std::size_t before = channel_asks_.size();
    ask_for_channels(s, lane, tick);
    askers += channel_asks_.size() != before ? 1 : 0;
  });
  if (askers == 0) return;
  const auto take = [&](const Allocation::Ask& ask) {
    take_channel(s, ask.lane, ask.output, tick);
    --askers;
  };
  const u32 lanes = lanes_of(s);
  switch (vc_.scheduling) {
    case arbiter::Scheduling::age:
      channel_asks_.by_age([&](const Allocation::Ask& ask) { return first_of(lane_at(s, ask.lane)).packet.age(tick); },
                           take);
      break;
    case arbiter::Scheduling::random:
      channel_asks_.by_draws(vc_.iterations,
                             engine::random_bits(settings_.seed, s.global, s.draws++, engine::Use::arbitration), take);
      break;
    default:
      channel_asks_.by_turns(
          {lanes, lanes, vc_.iterations}, [&](u32 channel) -> u16& { return channel_at(s, channel).first_lane; },
          [&](u32 lane) -> u16& { return lane_at(s, lane).first_choice; }, take);
  }
  if (askers != 0) look_at_next(tick + 1);
}

template <class Host>
inline void VcNetwork<Host>::ask_for_channels(Entity& s, u32 lane, Tick tick) {
  const CandidateSet& set = candidate_sets_[first_of(lane_at(s, lane)).candidates];
  const u32 port =
      set.ports.size() > 1 || set.escape != Candidates::none ? choose_output(s, lane, set, tick) : any_port;
  const auto ask = [&](u32 candidate) {
    if (port != any_port && candidate / vcs_ != port) return;
    const Channel& channel = channel_at(s, candidate);
    if (channel.holder != Channel::nobody) return;
    if (channel.free_at > tick) return look_at_next(channel.free_at);
    channel_asks_.add({static_cast<u16>(lane), static_cast<u16>(candidate), lane});
  };
  for_candidates(set, ask);
}

/// The output with a free channel among the candidates whose candidates have most free space on average; of several the
/// one with the next free channel in the lane's turn.
template <class Host>
inline u32 VcNetwork<Host>::choose_output(const Entity& s, u32 lane, const CandidateSet& set, Tick tick) const {
  struct Group {
    u32 port = any_port;
    u64 space = 0, channels = 0;
    u32 turn = ~u32{0};  ///< of its next free channel
  };
  Group best;
  const u32 first = lane_at(s, lane).first_choice, all = lanes_of(s);
  const auto end = [&](const Group& group) {
    if (group.turn == ~u32{0}) return;
    const u64 here = group.space * best.channels, there = best.space * group.channels;
    if (best.port == any_port || here > there || (here == there && group.turn < best.turn)) best = group;
  };
  Group group;
  const auto see = [&](u32 candidate) {
    if (candidate / vcs_ != group.port) {
      end(group);
      group = {};
      group.port = candidate / vcs_;
    }
    const Channel& channel = channel_at(s, candidate);
    group.space += static_cast<u64>(std::max(channel.credits, 0));
    ++group.channels;
    if (channel.holder != Channel::nobody || channel.free_at > tick) return;
    group.turn = std::min(group.turn, candidate >= first ? candidate - first : candidate + all - first);
  };
  for_candidates(set, see);
  end(group);
  return best.port;
}

template <class Host>
inline void VcNetwork<Host>::take_channel(Entity& s, u32 number, u32 channel, Tick tick) {
  Lane& lane = lane_at(s, number);
  Packet& packet = first_of(lane).packet;
  channel_at(s, channel).holder = static_cast<u16>(number);
  lane.target = static_cast<u16>(channel);
  lane.output = static_cast<u16>(channel / vcs_);
  lane.ready_at = tick + vc_.allocation_ticks;
  if (vc_.scheduling != arbiter::Scheduling::islip)
    lane.first_choice = static_cast<u16>(channel + 1 < lanes_of(s) ? channel + 1 : 0);
  engine::clear_bit(asking(s), number);
  engine::set_bit(going(s), number);
  if (wire_at(s, lane.output).to_node) return;
  const u32 input = number / vcs_;
  const bool injected = topology_.direct() && input + 1 == s.switch_ports;
  routes_.routing().leave(packet.state,
                          {s.global, injected ? QueuePlace::injection : input, injected ? 0U : number % vcs_},
                          lane.output, channel % vcs_);
}

template <class Host>
inline bool VcNetwork<Host>::takes(const Entity& s, const Lane& lane, Tick tick) {
  const Wire& wire = wire_at(s, lane.output);
  const Crossing& crossing = crossings_[s.first_port + lane.output];
  if (!wire.to_node && channel_at(s, lane.target).credits <= 0) return false;  // a credit comes
  Tick free = crossing.busy_until;
  if (vc_.output_cells != 0) [[unlikely]] {
    const Tick room = settings_.switch_ticks + Tick{vc_.output_cells - 1} * wire.cell_ticks;
    if (crossing.link_until > room) free = std::max(free, crossing.link_until - room);
  }
  if (free > tick) look_at_next(free);
  return free <= tick;
}

template <class Host>
inline bool VcNetwork<Host>::ask_for_crossbar(Entity& s, u32 number, Tick tick) {
  const Lane& lane = lane_at(s, number);
  if (lane.ready_at > tick) {
    look_at_next(lane.ready_at);
    return false;
  }
  if (!takes(s, lane, tick)) return false;
  const u32 input = number / vcs_, vc = number - input * vcs_;
  const u32 number_of_feed = input * vc_.input_speedup + (vc_.input_speedup == 1 ? 0 : vc % vc_.input_speedup);
  const Feed& feed = feed_at(s, number_of_feed);
  if (feed.busy_until > tick) {
    look_at_next(feed.busy_until);
    return false;
  }
  const Allocation::Ask ask{static_cast<u16>(number_of_feed), lane.output, number};
  if (vc_.scheduling == arbiter::Scheduling::islip) {
    // Of the lanes of a feed with a cell for the same output the one whose turn it is asks.
    if (Allocation::Ask* const other = crossbar_asks_.find(0, ask.input, ask.output)) {
      const u32 first = feed.first_channel, before = other->lane - input * vcs_;
      const auto turn = [&](u32 channel) { return channel >= first ? channel - first : channel + vcs_ - first; };
      if (turn(vc) < turn(before)) other->lane = number;
      return true;
    }
  }
  crossbar_asks_.add(ask);
  return true;
}

template <class Host>
inline void VcNetwork<Host>::allocate_crossbar(u32 entity, Tick tick) {
  Entity& s = entities_[entity];
  crossbar_asks_.clear();
  u32 left = 0;  // lanes that ask
  engine::for_bits(going(s), words_of(s), [&](u32 lane) { left += ask_for_crossbar(s, lane, tick) ? 1 : 0; });
  if (left == 0) return;
  const auto take = [&](const Allocation::Ask& ask) {
    cross(entity, ask.lane, tick);
    --left;
  };
  switch (vc_.scheduling) {
    case arbiter::Scheduling::age:
      crossbar_asks_.by_age([&](const Allocation::Ask& ask) { return first_of(lane_at(s, ask.lane)).packet.age(tick); },
                            take);
      break;
    case arbiter::Scheduling::random:
      crossbar_asks_.by_draws(vc_.iterations,
                              engine::random_bits(settings_.seed, s.global, s.draws++, engine::Use::arbitration), take);
      break;
    default:
      crossbar_asks_.by_turns(
          {s.switch_ports * vc_.input_speedup, s.switch_ports, vc_.iterations},
          [&](u32 output) -> u16& { return crossings_[s.first_port + output].first_feed; },
          [&](u32 feed) -> u16& { return feed_at(s, feed).first_output; }, take);
  }
  if (left != 0) look_at_next(tick + 1);
  if (released_ && std::any_of(asking(s), asking(s) + words_of(s), [](u64 word) { return word != 0; }))
    look_at_next(tick + 1);
}

template <class Host>
inline void VcNetwork<Host>::cross(u32 entity, u32 number, Tick tick) {
  Entity& s = entities_[entity];
  Lane& lane = lane_at(s, number);
  const u32 target = lane.target, output = lane.output, input = number / vcs_, vc = number - input * vcs_;
  const Wire& out = wire_at(s, output);
  Crossing& crossing = crossings_[s.first_port + output];
  Feed& feed = feed_at(s, input * vc_.input_speedup + (vc_.input_speedup == 1 ? 0 : vc % vc_.input_speedup));
  crossing.busy_until = feed.busy_until = tick + out.cross_ticks;
  const u32 next_channel = vc + vc_.input_speedup;
  feed.first_channel = static_cast<u16>(next_channel < vcs_ ? next_channel : next_channel % vcs_);
  const Tick begin = std::max(tick + settings_.switch_ticks, crossing.link_until), there = begin + out.ticks;
  crossing.link_until = begin + out.cell_ticks;

  Packet& packet = first_of(lane).packet;
  const bool header = lane.sent == 0, tail = ++lane.sent == lane.length;
  if (header) {
    if (details_ != nullptr) [[unlikely]]
      tell(PacketEvent::Kind::left, {entity, s.global, number, tick, 0, packet.cells}, packet);
    put_header(entity, target, packet, begin, tick);
  } else if (!out.to_node) {
    kernel_->send(out.peer, there, Cell{0, static_cast<u16>(out.peer_port), static_cast<u16>(target - output * vcs_)},
                  entity);
  }
  if (!out.to_node) {
    --channel_at(s, target).credits;
  } else if (tail) {
    kernel_->send(out.peer, there, Taken{0, packet}, entity);
  }
  const Wire& in = wire_at(s, input);
  kernel_->send(in.peer, tick + in.ticks + vc_.credit_ticks,
                Credit{0, static_cast<u16>(in.peer_port), static_cast<u16>(vc)}, entity);

  if (--lane.cells == 0 || tail) engine::clear_bit(going(s), number);
  if (tail) {
    release(s, target, there);
    next_packet(s, number, tick);
  } else if (lane.cells != 0) {
    look_at_next(feed.busy_until);
  }
}

template <class Host>
inline void VcNetwork<Host>::put_header(u32 entity, u32 channel, Packet& packet, Tick begin, Tick tick) {
  Entity& s = entities_[entity];
  const u32 output = channel / vcs_;
  const Wire& wire = wire_at(s, output);
  const bool inside = topology_.direct() && output >= s.switch_ports - 1U;  // between a switch and the node in it
  const Tick busy = Tick{packet.cells} * wire.cell_ticks;
  if (inside) {
    record_hop();
  } else {
    record_link_start(busy);
    ++packet.state.links;
  }
  ++s.work;
  if (details_ != nullptr) [[unlikely]] {
    details_->started(entity, channel, busy);
    if (!inside) details_->taken(tick, busy);
  }
  if (wire.to_node) return;
  kernel_->template send_filled<Arrival>(wire.peer, begin + wire.ticks, entity, [&](Arrival& event) {
    event.port = wire.peer_port;
    event.packet = packet;
    event.packet.vc = static_cast<u8>(channel - output * vcs_);
  });
}

template <class Host>
inline void VcNetwork<Host>::release(Entity& s, u32 number, Tick taken) {
  Channel& channel = channel_at(s, number);
  const Wire& wire = wire_at(s, number / vcs_);
  const bool drains = vc_.release_on_credit && !wire.to_node;
  channel.holder = drains ? Channel::draining : Channel::nobody;
  if (vc_.release_on_credit && wire.to_node) channel.free_at = taken + wire.ticks + vc_.credit_ticks;
  released_ = released_ || !drains;
}

template <class Host>
inline void VcNetwork<Host>::next_packet(Entity& s, u32 number, Tick tick) {
  Lane& lane = lane_at(s, number);
  pool_.give_back(pool_.remove_first(lane.fifo));
  lane.sent = 0;
  lane.target = Lane::none;
  if (--lane.packets == 0) return;
  Stored<Packet>& next = first_of(lane);
  lane.length = next.packet.cells;
  next.ready_at = tick + wire_at(s, lane.output).cross_ticks + vc_.routing_ticks;
  engine::set_bit(to_route(s), number);
  look_at_next(next.ready_at);
}

}  // namespace weft::models::worms
