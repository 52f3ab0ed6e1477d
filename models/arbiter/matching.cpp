// The masks behind the matching, and how one of several is chosen.
#include "models/arbiter/matching.hpp"

#include <bit>

#include "engine/random.hpp"

namespace weft::models::arbiter {

void Matching::begin(u32 ports, const u64* from_nodes) {
  from_nodes_ = from_nodes;
  const u32 words = (ports + 63) / 64;
  if (ports != ports_) {
    ports_ = ports;
    words_ = words;
    granted_.assign(std::size_t{ports} * words, 0);
    with_grant_.assign(words, 0);
    free_in_.resize(words);
    output_of_.resize(ports);
    vc_of_.resize(ports);
  }
  asking_.assign(std::size_t{ports} * channels_ * words, 0);
  free_out_.assign(words, 0);
  free_in_.assign(words, ~u64{0});
  output_of_.assign(ports, none);
}

void Matching::ask(u32 input, u32 output, u32 vc) {
  engine::set_bit(asking(output, channels_ > 1 ? vc : 0), input);
  engine::set_bit(free_out_.data(), output);
}

u32 Matching::in_turn(u32 output, u32 vc, const Turn& turn) const {
  const u64* const inputs = asking(output, vc);
  u32 at_or_after = none, first = none, node_at_or_after = none, first_node = none;
  engine::for_common_bits(inputs, free_in_.data(), words_, [&](u32 input) {
    const bool node = engine::test_bit(from_nodes_, input);
    u32& of_all = node ? first_node : first;
    of_all = std::min(of_all, input);
    u32& of_turn = node ? node_at_or_after : at_or_after;
    if (input >= (node ? turn.node : turn.input)) of_turn = std::min(of_turn, input);
  });
  if (at_or_after != none) return at_or_after;
  if (node_at_or_after != none) return node_at_or_after;
  return first_node != none ? first_node : first;
}

u32 Matching::next(const u64* a, const u64* b, u32 from) const {
  u32 w = from >> 6;
  u64 word = a[w] & b[w] & (~u64{0} << (from & 63));
  for (u32 seen = 0; seen <= words_; ++seen) {
    if (word != 0) return w * 64 + static_cast<u32>(std::countr_zero(word));
    w = w + 1 < words_ ? w + 1 : 0;
    word = a[w] & b[w];
  }
  return none;
}

u32 Matching::choose(const u64* a, const u64* b, u32 pointer, u32 mine, u64 bits) const {
  if (scheduling_ == Scheduling::islip) return next(a, b, pointer);
  u32 best = none, count = 0;
  engine::for_common_bits(a, b, words_, [&](u32 other) {
    ++count;  // each of the so many seen so far has the same chance
    const u64 draw = engine::remix(bits, (u64{mine} << 32) + other);
    if (engine::scale_to(draw, count) == 0) best = other;
  });
  return best;
}

}  // namespace weft::models::arbiter
