// What the first packets of a bubble router ask for, mode by mode; see bubble.hpp.
#pragma once

#include "models/machine/packets/bubble_policy.hpp"

namespace weft::models {

template <u32 Dimensions, u32 Channels>
template <class BlockType>
inline void SizedBubblePolicy<Dimensions, Channels>::random(const BlockType& block, u32 i, const Route& route,
                                                            Tick tick, Requests<words>& requests, Draw& draw) const {
  u64 candidates = adaptive_outputs(route.directions) & block.head().space.word[0];
  if (restricted(block, i)) candidates = with_local_space(block, candidates, tick, requests);
  if (candidates == 0) return escape(block, i, escape_output(route), tick, requests);
  const u64 free = block.head().free.word[0];
  if ((candidates & free) == 0) return;  // all held by others: an event will tell when one is freed
  const Mask set{{candidates}};
  const u32 choice = set.nth(engine::scale_to(engine::remix(draw.bits(), 64 + i), set.count()));
  if ((free >> choice) & 1) return requests.ask(i, choice);
  requests.check_again(tick + settings_.cycle_ticks);
}

template <u32 Dimensions, u32 Channels>
template <class BlockType>
inline void SizedBubblePolicy<Dimensions, Channels>::all_shortest(const BlockType& block, u64 awake, Tick tick,
                                                                  Requests<words>& requests) const {
  const auto& head = block.head();
  const u64 space = head.space.word[0], free = head.free.word[0], open = space & free;
  const Chances they = chances(block, space, open);
  if (const u64 group = awake & they.escape_only(); group != 0) escape_all(block, group, open, tick, requests);
  if (const u64 arrived = awake & block.wants(4 * dimensions()).word[0];
      arrived != 0 && ((free >> consumption()) & 1) != 0) {
    requests.ask_all(Mask{{arrived}}, consumption());
  }
  const u64 choosers = awake & they.adaptive_open;
  if (choosers != 0) choices_->choose(block, choosers, space, open, tick, requests);
}

template <u32 Dimensions, u32 Channels>
template <class BlockType>
inline void SizedBubblePolicy<Dimensions, Channels>::shortest(const BlockType& block, u32 i, const Route& route,
                                                              Tick tick, Requests<words>& requests) const {
  auto& head = block.head();
  const u64 open = head.space.word[0] & head.free.word[0];
  const bool limited = restricted(block, i);
  u64 candidates = adaptive_outputs(route.directions) & head.space.word[0];
  if (limited) candidates = with_local_space(block, candidates, tick, requests);
  if (candidates == 0) return escape(block, i, escape_output(route), tick, requests);
  if ((candidates & open) == 0) return;  // all held by others: an event will tell when one is freed
  u64 best = ~u64{0};
  for (u64 left = candidates; left != 0; left &= left - 1) {
    const u32 o = static_cast<u32>(std::countr_zero(left));
    const u32 ticks =
        occupancy_of(block, block.slot(o), static_cast<u32>(tick), static_cast<u32>(settings_.packet_ticks)).ticks;
    const u64 key = static_cast<u64>(ticks) * key_outputs + o;
    best = key < best ? key : best;
    if (ticks == 0) break;  // empty: nothing behind it can be better
  }
  const u32 choice = best % key_outputs;
  if ((open >> choice & 1) != 0) return requests.ask(i, choice);
  // With one packet that waits there is no need to work out when the next look may pay: until then, look every cycle.
  requests.check_again(tick + settings_.cycle_ticks);
}

template <u32 Dimensions, u32 Channels>
template <class BlockType>
inline void SizedBubblePolicy<Dimensions, Channels>::escape_all(const BlockType& block, u64 group, u64 open, Tick tick,
                                                                Requests<words>& requests) const {
  for (u64 left = open & all_escape_; left != 0; left &= left - 1) {
    const u32 o = static_cast<u32>(std::countr_zero(left));
    const u64 there = group & block.wants(2 * dimensions() + block.shape->port_of[o]).word[0];
    if (there == 0) continue;
    const u64 in_ring = there & left & -left;  // the input with the same index goes on in its ring
    const bool bubble = there != in_ring && has_bubble(block, o, tick);
    if (const u64 allowed = bubble ? there : in_ring; allowed != 0) requests.ask_all(Mask{{allowed}}, o);
  }
}

template <u32 Dimensions, u32 Channels>
template <class BlockType>
inline bool SizedBubblePolicy<Dimensions, Channels>::may_enter(const BlockType& block, u32 i, u32 output, Tick tick,
                                                               Requests<words>& requests) const {
  if (!block.head().space.test(output)) return false;
  if (i == output) return true;
  if (!requests.bubble_known.test(output)) {
    requests.bubble_known.set(output);
    if (has_bubble(block, output, tick)) {
      requests.bubble.set(output);
    } else {
      requests.bubble.clear(output);
    }
  }
  if (!requests.bubble.test(output)) return false;
  return !restricted(block, i) || with_local_space(block, u64{1} << output, tick, requests) != 0;
}

template <u32 Dimensions, u32 Channels>
template <class BlockType>
inline u64 SizedBubblePolicy<Dimensions, Channels>::with_local_space(const BlockType& block, u64 candidates, Tick tick,
                                                                     Requests<words>& requests) const {
  u64 kept = 0;
  for (u64 left = candidates; left != 0; left &= left - 1) {
    const u32 o = static_cast<u32>(std::countr_zero(left));
    if (local_space(block, o, tick) >= settings_.local_buffer_packets * settings_.packet_ticks) kept |= left & -left;
  }
  if (kept != candidates) requests.check_again(tick + settings_.cycle_ticks);
  return kept;
}

template <u32 Dimensions, u32 Channels>
template <class BlockType>
inline void SizedBubblePolicy<Dimensions, Channels>::oblivious(const BlockType& block, u32 i, const Route& route,
                                                               Tick tick, Requests<words>& requests, Draw& draw) const {
  const u32 channels = virtual_channels();
  const u32 base = escape_output(route);
  if (i < block.shape->channels && i / channels == base / channels)
    return escape(block, i, base + i % channels, tick, requests);
  const u32 output = base + engine::scale_to(engine::remix(draw.bits(), 64 + i), channels);
  const auto& head = block.head();
  if (head.free.test(output) && may_enter(block, i, output, tick, requests)) return requests.ask(i, output);
  if (channels == 1) return;
  for (u32 c = 0; c < channels; ++c) {  // another draw may do better in the next cycle
    if (head.free.test(base + c) && may_enter(block, i, base + c, tick, requests)) {
      return requests.check_again(tick + settings_.cycle_ticks);
    }
  }
}

template <u32 Dimensions, u32 Channels>
template <class BlockType>
inline void SizedBubblePolicy<Dimensions, Channels>::smart(const BlockType& block, u32 i, const Route& route, Tick tick,
                                                           Requests<words>& requests, Draw& draw) const {
  const auto& head = block.head();
  const u32 now = static_cast<u32>(tick), cycle = static_cast<u32>(settings_.cycle_ticks);
  const u64 open = adaptive_outputs(route.directions) & head.space.word[0] & head.free.word[0];
  const u32 escape = escape_output(route);
  Trial& state = block.template extra<Trial>(i);
  const bool escape_open = head.free.test(escape) && may_enter(block, i, escape, tick, requests);
  if (open == 0 && !escape_open) return;
  if (const i32 early = static_cast<i32>(state.tick - now); early > 0) {  // looked at within a cycle: one trial in each
    return requests.check_again(tick + static_cast<Tick>(early));
  }
  // Cycles without an event since the last trial: nothing could be granted, only the trial moved on.
  const u32 missed = (now - state.tick) / cycle;
  for (u32 c = missed < max_replayed ? missed : max_replayed; c > 0; --c) {
    trial(block, i, route, state, tick, engine::remix(draw.bits(), 4096 + 64 * c + i), true, requests);
  }
  const u32 choice = trial(block, i, route, state, tick, engine::remix(draw.bits(), 64 + i), false, requests);
  state.tick = now + cycle;
  if (choice != no_direction && head.free.test(choice)) return requests.ask(i, choice);
  requests.check_again(tick + cycle);
}

template <u32 Dimensions, u32 Channels>
template <class BlockType>
inline u32 SizedBubblePolicy<Dimensions, Channels>::trial(const BlockType& block, u32 i, const Route& route,
                                                          Trial& state, Tick tick, u64 bits, bool replayed,
                                                          Requests<words>& requests) const {
  const u32 channels = virtual_channels();
  const bool injected = i >= block.shape->channels;
  const u32 own = injected ? 0 : i / channels / 2;
  while (state.trial != escape_trial) {
    const u32 d = (own + state.trial) % dimensions();
    state.trial = state.trial + 1 < dimensions() ? state.trial + 1 : escape_trial;
    const u32 here = route.directions >> (2 * d) & 3U;
    if (here == 0 || channels == 1) continue;  // with one channel there is the escape channel alone
    const u32 port = 2 * d + (here >> 1);
    u32 channel = 1 + engine::scale_to(engine::remix(bits, d), channels - 1);
    if (!injected && i % channels != 0 && port == i / channels) channel = i % channels;
    const u32 output = port * channels + channel;
    if (!block.head().space.test(output)) continue;
    if (injected && local_space(block, output, tick) < settings_.local_buffer_packets * settings_.packet_ticks)
      continue;
    return output;
  }
  state.trial = 0;
  return !replayed && may_enter(block, i, escape_output(route), tick, requests) ? escape_output(route) : no_direction;
}

}  // namespace weft::models
