// Who crosses a switch in a tick: inputs ask for outputs, the two are matched, and what is matched leaves.
#pragma once

#include <algorithm>
#include <bit>
#include <tuple>

#include "engine/due.hpp"
#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

template <class Host>
template <class F>
inline void CellNetwork<Host>::for_open(const Entity& s, u32 input, const Stored<Packet>& first, Tick tick, F&& f) {
  for_candidates(first, [&](u32 candidate) {
    const u32 output = candidate / channels_;
    if (free_space(s, output, candidate % channels_, tick) < i64{first.packet.cells}) return false;
    if (candidate_at(s, input, output, first) <= tick) f(candidate);
    return true;
  });
}

/// Calls f(input) for the inputs with packets that may leave at this tick, as far as is known; `next` falls to the
/// earliest tick at which one of the others may.
template <class Host>
template <class F>
inline void CellNetwork<Host>::for_due_inputs(const Entity& s, Tick tick, Tick& next, F&& f) const {
  const u32 words = input_words(s);
  const u64* const waiting = &masks_[s.first_mask + channel_words(s)];
  if (settings_.every_cycle) [[unlikely]]
    return engine::for_bits(waiting, words, f);
  for (u32 w = 0; w < words; ++w) {
    const u32 first = w * 64, count = std::min(64U, s.switch_ports - first);
    u64 due = engine::due(&idle_until_[s.first_port + first], count, waiting[w], tick, next);
    for (; due != 0; due &= due - 1) f(first + static_cast<u32>(std::countr_zero(due)));
  }
}

/// When the first of the packets that cannot leave now may do so at the earliest.
template <class Host>
inline Tick CellNetwork<Host>::list_requests(const Entity& s, u32 input, Tick tick, u32 of_class) {
  const u32 begin = static_cast<u32>(crossbar_.requests.size());
  bool choice = false;
  Tick soonest = never;
  awaits_ = false;
  pool_.for_each_first(ports_.queues(s.first_port + input), [&](u32 at) {
    const Stored<Packet>& first = pool_[at];
    if (of_class != any_class && first.packet.traffic_class != of_class) return;
    const auto add = [&](u32 output, u32 vc) {
      crossbar_.requests.push_back({at, static_cast<u16>(output), static_cast<u16>(vc)});
      ++crossbar_.asked[output];
      ports_.prefetch(s.first_port + output);
      if (!turns_.empty()) engine::prefetch(&turns_[std::size_t{s.first_port + output} * channels_]);
    };
    if (first.has_choice()) [[unlikely]] {
      choice = true;
      for_open(s, input, first, tick, [&](u32 candidate) { add(candidate / channels_, candidate % channels_); });
      return;
    }
    const Tick when = earliest(s, input, first, tick);
    if (when <= tick) {
      add(first.output, first.vc);
    } else {
      soonest = std::min(soonest, when);
    }
  });
  if (awaits_) engine::set_bit(inputs_in_wait(s), input);
  const u32 end = static_cast<u32>(crossbar_.requests.size());
  if (begin != end) crossbar_.asking.push_back({input, begin, end, choice});
  return choice ? 0 : soonest;
}

/// With priorities a class is matched when those before it are on their way, among the inputs and outputs that are
/// still idle.
template <class Host>
inline void CellNetwork<Host>::match(u32 entity, Tick tick) {
  if (arbitration_.used()) [[unlikely]]
    return arbitrate(entity, tick);
  if (!switch_.strict) return match(entity, tick, any_class);
  for (u32 c = 0; c < switch_.classes; ++c) {
    // Credits of a shared buffer that a class takes open escapes of the next.
    if (c > 0 && candidate_sets_.escapes())
      std::fill_n(&idle_until_[entities_[entity].first_port], entities_[entity].switch_ports, Tick{0});
    match(entity, tick, c);
  }
}

template <class Host>
inline void CellNetwork<Host>::match(u32 entity, Tick tick, u32 of_class) {
  Entity& s = entities_[entity];
  crossbar_.requests.clear();
  crossbar_.asking.clear();
  crossbar_.lost.clear();
  if (crossbar_.asked.size() < s.switch_ports) crossbar_.asked.resize(s.switch_ports);
  Tick* const idle_until = &idle_until_[s.first_port];
  Tick next = never;
  for_due_inputs(s, tick, next, [&](u32 input) {
    if (const Tick idle = ports_.read_until(s.first_port + input); idle > tick) {
      idle_until[input] = idle;
      next = std::min(next, idle);
      return;
    }
    const std::size_t before = crossbar_.asking.size();
    const Tick soonest = list_requests(s, input, tick, of_class);
    if (crossbar_.asking.size() != before) return;
    if (soonest <= tick || of_class != any_class) {
      crossbar_.lost.push_back(input);
    } else {
      idle_until[input] = soonest;
      next = std::min(next, soonest);
    }
  });
  if (!crossbar_.asking.empty()) {
    if (crossbar_.chosen.size() < s.switch_ports) crossbar_.chosen.resize(s.switch_ports);
    crossbar_.matched.clear();
    if (switch_.transit_priority != 0) [[unlikely]]
      restrict_injection(s);
    if (crossbar_.scheduler != nullptr) [[unlikely]] {
      grant_by_scheduler(s, tick);
    } else {
      grant_undisputed(s);
      if (crossbar_.asking.empty()) {
      } else if (switch_.scheduling == arbiter::Scheduling::age) {
        grant_by_age(s, tick);
      } else {
        grant_by_matching(s, tick);
      }
    }
    ++s.matches;
    for (const u32 input : crossbar_.matched) unqueue(entity, input, crossbar_.chosen[input]);
    for (const u32 input : crossbar_.matched) {
      transfer(entity, input, crossbar_.chosen[input].packet, tick);
      if (engine::test_bit(inputs(s), input)) next = std::min(next, idle_until[input]);
    }
  }
  if (of_class != any_class) return;
  for (const u32 input : crossbar_.lost) {
    if (idle_until[input] > tick) continue;
    idle_until[input] = look(s, input, tick);
    next = std::min(next, idle_until[input]);
  }
  crossbar_.next_input = next;
}

/// What iSLIP keeps at the ports of a switch.
template <class Host>
struct CellNetwork<Host>::Pointers {
  CellNetwork& network;
  const Entity& s;
  arbiter::Matching::Turn& turn(u32 output, u32 vc) {
    return network.turns_[std::size_t{s.first_port + output} * network.channels_ + vc];
  }
  u16& first_place(u32 output) { return network.port_at(s, output).first_place; }
  u8& first_vc(u32 output) { return network.port_at(s, output).first_vc; }
  u16& accept(u32 input) { return network.port_at(s, input).accept; }
};

template <class Host>
inline void CellNetwork<Host>::restrict_injection(Entity& s) {
  const u64* const from_nodes = inputs_from_nodes(s);
  crossbar_.in_transit.assign(s.switch_ports, 0);
  for (const Asking& asking : crossbar_.asking) {
    if (engine::test_bit(from_nodes, asking.input)) continue;
    for (u32 r = asking.begin; r < asking.end; ++r) crossbar_.in_transit[crossbar_.requests[r].output] = 1;
  }
  const auto is_left_out = [&](u32 output) {
    return crossbar_.in_transit[output] != 0 &&
           engine::random_bits(settings_.seed, s.global, u64{output + 1} << 32 | s.matches, engine::Use::arbitration) <=
               switch_.transit_priority;
  };
  u32 kept = 0;
  std::size_t kept_inputs = 0;
  for (Asking asking : crossbar_.asking) {
    const bool node = engine::test_bit(from_nodes, asking.input);
    const u32 begin = kept;
    for (u32 r = asking.begin; r < asking.end; ++r) {
      const Request request = crossbar_.requests[r];
      if (node && is_left_out(request.output)) {
        --crossbar_.asked[request.output];
      } else {
        crossbar_.requests[kept++] = request;
      }
    }
    if (begin == kept) {
      crossbar_.lost.push_back(asking.input);
    } else {
      asking.begin = begin, asking.end = kept;
      crossbar_.asking[kept_inputs++] = asking;
    }
  }
  crossbar_.requests.resize(kept);
  crossbar_.asking.resize(kept_inputs);
}

template <class Host>
inline void CellNetwork<Host>::grant_by_scheduler(Entity& s, Tick tick) {
  crossbar_.contested.clear();
  for (const Asking& asking : crossbar_.asking) {
    for (u32 r = asking.begin; r < asking.end; ++r) {
      const Request& request = crossbar_.requests[r];
      const Packet& packet = pool_[request.packet].packet;
      crossbar_.contested.push_back(
          {.input = asking.input,
           .output = request.output,
           .vc = request.vc,
           .generated_at = tick - packet.age(tick),
           .queued_cells = crossbar_.scheduler_counts_queues ? queued_cells(request.packet) : 0,
           .traffic_class = packet.traffic_class});
    }
  }
  crossbar_.granted.clear();
  crossbar_.scheduler->grant(
      {.requests = crossbar_.contested,
       .ports = s.switch_ports,
       .now = tick,
       .turn = s.matches,
       .bits = engine::random_bits(settings_.seed, s.global, s.matches, engine::Use::arbitration)},
      crossbar_.granted);
  for (const u32 r : crossbar_.granted) {
    const u32 input = crossbar_.contested[r].input;
    u16& asked = crossbar_.asked[crossbar_.requests[r].output];
    const bool input_is_free = std::ranges::find(crossbar_.matched, input) == crossbar_.matched.end();
    WEFT_ASSERT(asked != 0 && input_is_free);  // what Scheduler::grant promises
    asked = 0;
    grant(s, input, crossbar_.requests[r], false);
  }
  for (const Request& request : crossbar_.requests) crossbar_.asked[request.output] = 0;
  for (const Asking& asking : crossbar_.asking) crossbar_.lost.push_back(asking.input);  // if it did
}

/// An input that asks for one output gets it from any built-in scheduler if nobody else asks for that, and from iSLIP
/// if its turn comes before that of others who ask for nothing else. They leave `crossbar_.asking`.
template <class Host>
inline void CellNetwork<Host>::grant_undisputed(Entity& s) {
  const bool islip = switch_.scheduling == arbiter::Scheduling::islip;
  for (const Asking& asking : crossbar_.asking) {
    if (!asking.choice && asking.end - asking.begin == 1) continue;
    for (u32 r = asking.begin; r < asking.end; ++r)
      crossbar_.asked[crossbar_.requests[r].output] |= Crossbar::by_several;
  }
  std::size_t kept = 0;
  for (std::size_t a = 0; a < crossbar_.asking.size(); ++a) {
    const Asking asking = crossbar_.asking[a];
    const Request& request = crossbar_.requests[asking.begin];
    u16& asked = crossbar_.asked[request.output];
    if (asking.choice || asking.end - asking.begin > 1 || asked > Crossbar::by_several || (asked > 1 && !islip)) {
      crossbar_.asking[kept++] = asking;
    } else if (asked == 1) {
      grant(s, asking.input, request, islip);
    } else {
      if (asked != 0) grant_contested(s, a);
      asked = 0;
      crossbar_.lost.push_back(asking.input);  // if it did
    }
  }
  crossbar_.asking.resize(kept);
  for (const Request& request : crossbar_.requests) crossbar_.asked[request.output] = 0;
}

/// iSLIP among those who ask for the output of `crossbar_.asking[first]`, from there on, and for nothing else.
template <class Host>
inline void CellNetwork<Host>::grant_contested(Entity& s, std::size_t first) {
  const u32 output = crossbar_.requests[crossbar_.asking[first].begin].output;
  crossbar_.contenders.clear();
  for (std::size_t a = first; a < crossbar_.asking.size(); ++a) {
    const Request& request = crossbar_.requests[crossbar_.asking[a].begin];
    if (request.output == output)
      crossbar_.contenders.push_back({crossbar_.asking[a].input, request.vc, crossbar_.asking[a].begin});
  }
  const auto& won = crossbar_.contenders[arbiter::Matching::first_in_turn(
      Pointers{*this, s}, s.switch_ports, inputs_from_nodes(s), output, channels_, crossbar_.contenders)];
  grant(s, won.input, crossbar_.requests[won.request], true);
}

template <class Host>
inline void CellNetwork<Host>::grant(Entity& s, u32 input, const Request& request, bool islip) {
  crossbar_.chosen[input] = request;
  crossbar_.matched.push_back(input);
  if (!islip) return;
  arbiter::Matching::take_undisputed(Pointers{*this, s}, s.switch_ports, inputs_from_nodes(s), input,
                                     {request.output, request.vc}, channels_);
  move_behind(port_at(s, request.output), lane_of(pool_[request.packet]));
}

template <class Host>
inline void CellNetwork<Host>::grant_by_matching(Entity& s, Tick tick) {
  crossbar_.matching.begin(s.switch_ports, inputs_from_nodes(s));
  if (crossbar_.asking_of.size() < s.switch_ports) crossbar_.asking_of.resize(s.switch_ports);
  for (const Asking& asking : crossbar_.asking) {
    crossbar_.asking_of[asking.input] = asking;
    for (u32 r = asking.begin; r < asking.end; ++r) {
      const Request& request = crossbar_.requests[r];
      crossbar_.matching.ask(asking.input, request.output, request.vc);
    }
  }
  const u64 bits = switch_.scheduling == arbiter::Scheduling::random
                       ? engine::random_bits(settings_.seed, s.global, s.matches, engine::Use::arbitration)
                       : 0;
  crossbar_.matching.match(Pointers{*this, s}, bits, [&](u32 input, u32 output, const u64* grants) {
    const Request& chosen = crossbar_.chosen[input] = choose_vc(s, crossbar_.asking_of[input], output, grants, tick);
    crossbar_.matched.push_back(input);
    return arbiter::Matching::OutputVc{chosen.output, chosen.vc};
  });
  for (const Asking& asking : crossbar_.asking) {
    if (crossbar_.matching.output_of(asking.input) == arbiter::Matching::none) crossbar_.lost.push_back(asking.input);
  }
}

/// The oldest packet takes an output, then the oldest of those that still can, and so on: a maximal matching.
template <class Host>
inline void CellNetwork<Host>::grant_by_age(Entity& s, Tick tick) {
  auto& by_age = crossbar_.by_age;
  by_age.clear();
  for (u32 a = 0; a < crossbar_.asking.size(); ++a) {
    const Asking& asking = crossbar_.asking[a];
    for (u32 r = asking.begin; r < asking.end; ++r) {
      const Request& request = crossbar_.requests[r];
      crossbar_.asked[request.output] = 1;
      if (r != asking.begin && crossbar_.requests[r - 1].packet == request.packet) {
        by_age.back().end = r + 1;
        continue;
      }
      const Stored<Packet>& first = pool_[request.packet];
      by_age.push_back({first.packet.age(tick), a, lane_of(first), first.ready_at, r, r + 1});
    }
  }
  std::ranges::sort(by_age, [](const AgedPacket& one, const AgedPacket& other) {
    return std::tuple(other.age, one.asking, one.lane, one.ready_at) <
           std::tuple(one.age, other.asking, other.lane, other.ready_at);
  });
  for (const AgedPacket& packet : by_age) {
    Asking& asking = crossbar_.asking[packet.asking];
    if (asking.begin == asking.end) continue;
    const auto is_free = [&](u32 output, u32 /*vc*/) { return crossbar_.asked[output] != 0; };
    const Request taken = take_candidate(s, asking.input, packet.begin, packet.end, tick, is_free);
    if (taken.packet == List::none) continue;
    crossbar_.asked[taken.output] = 0;
    asking.end = asking.begin;
    grant(s, asking.input, taken, false);
  }
  for (const Request& request : crossbar_.requests) crossbar_.asked[request.output] = 0;
  for (const Asking& asking : crossbar_.asking) {
    if (asking.begin != asking.end) crossbar_.lost.push_back(asking.input);
  }
}

/// The first packet of a queue of an input that takes the output that the input accepts.
template <class Host>
inline u32 CellNetwork<Host>::pick_packet(const Entity& s, const Asking& asking, u32 output) {
  Port& out = port_at(s, output);
  u32 best = arbiter::Matching::none, count = 0, best_turns = lanes_;
  // By the turns of queues; of packets with a choice, which have one turn, the one that came first: `due` is the least.
  const auto before_best = [&](const Stored<Packet>& first) {
    const u32 lane = lane_of(first), lane_of_best = lane_of(pool_[best]);
    return lane != lane_of_best ? lane < lane_of_best : first.ready_at < pool_[best].ready_at;
  };
  u32 seen = arbiter::Matching::none;
  for (u32 r = asking.begin; r < asking.end; ++r) {
    const auto [at, asked, vc] = crossbar_.requests[r];
    if (at == seen || asked != output || !crossbar_.matching.is_granted(output, vc)) continue;
    seen = at;
    const Stored<Packet>& first = pool_[at];
    const u32 lane = lane_of(first);
    ++count;
    if (switch_.scheduling == arbiter::Scheduling::islip) {
      const u32 turns = lane >= out.turn ? lane - out.turn : lane + lanes_ - out.turn;
      if (turns < best_turns || (turns == best_turns && before_best(first))) best_turns = turns, best = at;
    } else {
      const u32 number = first.has_choice() ? 0x8000U + count : lane;
      const u64 bits = engine::random_bits(settings_.seed, s.global,
                                           u64{s.matches} << 32 | (asking.input << 16 | number), engine::Use::routing);
      if (engine::scale_to(bits, count) == 0) best = at;
    }
  }
  WEFT_ASSERT(best != arbiter::Matching::none);
  if (switch_.scheduling == arbiter::Scheduling::islip) move_behind(out, lane_of(pool_[best]));
  return best;
}

template <class Host>
template <class MayTake>
inline typename CellNetwork<Host>::Request CellNetwork<Host>::take_candidate(const Entity& s, u32 input, u32 begin,
                                                                             u32 end, Tick tick, MayTake&& may_take) {
  const u32 at = crossbar_.requests[begin].packet;
  Port& in = port_at(s, input);
  const u32 all = s.switch_ports * channels_;
  i64 most = -1;
  u32 best = Candidates::none, best_turns = 0;
  for (u32 r = begin; r < end; ++r) {
    const auto [packet, port, vc] = crossbar_.requests[r];
    if (!may_take(port, vc)) continue;
    const i64 free = switch_.choice_in_turn ? 0 : free_space(s, port, vc, tick);
    const u32 candidate = port * channels_ + vc;
    const u32 turns =
        candidate >= in.candidate_turn ? candidate - in.candidate_turn : candidate + all - in.candidate_turn;
    if (free < most || (free == most && turns > best_turns)) continue;
    most = free, best = candidate, best_turns = turns;
  }
  if (best == Candidates::none) return {List::none, 0, 0};
  if (pool_[at].has_choice()) in.candidate_turn = static_cast<u16>(best + 1 < all ? best + 1 : 0);
  return {at, static_cast<u16>(best / channels_), static_cast<u16>(best % channels_)};
}

template <class Host>
inline typename CellNetwork<Host>::Request CellNetwork<Host>::choose_vc(const Entity& s, const Asking& asking,
                                                                        u32 output, const u64* grants, Tick tick) {
  const u32 at = pick_packet(s, asking, output);
  const Stored<Packet>& first = pool_[at];
  if (!first.has_choice()) [[likely]]
    return {at, static_cast<u16>(output), first.vc};
  u32 begin = asking.begin;
  while (crossbar_.requests[begin].packet != at) ++begin;
  u32 end = begin;
  while (end < asking.end && crossbar_.requests[end].packet == at) ++end;
  const Request taken = take_candidate(s, asking.input, begin, end, tick, [&](u32 port, u32 vc) {
    return engine::test_bit(grants, port) && crossbar_.matching.is_granted(port, vc);
  });
  WEFT_ASSERT(taken.packet != List::none);
  return taken;
}

template <class Host>
inline void CellNetwork<Host>::unqueue(u32 entity, u32 input, const Request& granted) {
  Entity& s = entities_[entity];
  const u32 at = granted.packet;
  u32& queues = ports_.queues(s.first_port + input);
  pool_.take_first(queues, at);
  if (queues == List::none) engine::clear_bit(inputs(s), input);
  Stored<Packet>& stored = pool_[at];
  Packet& packet = stored.packet;
  if (keeps_arrivals_) count_waiting(entity, stored, false);
  if (!stored.has_choice() && (live_ == nullptr || wire_at(s, stored.output).to_node)) [[likely]]
    return;
  stored.output = granted.output;
  stored.vc = static_cast<u8>(granted.vc);
  routes(packet).routing().leave(packet.state, place_of(s, input, packet), stored.output,
                                 stored.vc - first_channel(packet));
}

template <class Host>
inline void CellNetwork<Host>::transfer(u32 entity, u32 input, u32 at, Tick tick) {
  Entity& s = entities_[entity];
  const Stored<Packet>& stored = pool_[at];
  const u32 output = stored.output;
  const Packet& packet = stored.packet;
  if (details_ != nullptr) [[unlikely]]
    tell(PacketEvent::Kind::left, {entity, s.global, input * channels_ + packet.vc, tick, 0, packet.cells}, packet);
  const Wire& in = wire_at(s, input);
  const u32 spacing = wire_at(s, output).cross_ticks;
  // With a buffer behind the output only that waits for a link that has become slow.
  Tick late = switch_.output_cells == 0 ? slowdown(s, output, tick, packet.cells) : 0;
  kernel_->send(in.peer, tick + late + in.ticks,
                Credit{0, static_cast<u16>(in.peer_port), packet.vc, packet.cells, spacing}, entity);
  if (!wire_at(s, output).to_node) add_credits(s, output, stored.vc, -i32{packet.cells});
  OnLink on{stored.vc};
  if (congestion_.marks()) [[unlikely]] {
    const bool moves = wire_at(s, output).to_node || free_space(s, output, stored.vc, tick) >= settings_.packet_phits;
    const u32 waiting = port_at(s, output).waiting_cells;
    on.marked = congestion_.marked({packet.cells, waiting, moves, s.global, output, tick, 0});
  }
  const Tick idle = tick + late + Tick{packet.cells} * spacing;
  ports_.read_until(s.first_port + input) = idle;
  idle_until_[s.first_port + input] = idle;
  ports_.busy_until(s.first_port + output) = idle;
  if (idle > s.busy_until) {
    statistics_.counters.router_busy += idle - std::max(tick, s.busy_until);
    s.busy_until = idle;
  }
  s.took = 1;
  Tick begin = tick + settings_.switch_ticks;
  if (switch_.output_cells != 0) [[unlikely]] {
    Tick& through = link_through_[s.first_port + output];
    begin = std::max(begin, through);
    late = slowdown(s, output, begin - settings_.switch_ticks, packet.cells);
    through = begin + late + Tick{packet.cells} * wire_at(s, output).cell_ticks;
  }
  put_on_link(entity, output, packet, on, begin, late);
  pool_.give_back(at);
}

}  // namespace weft::models::cells
