// Who sends to whom: inputs and outputs of a crossbar are matched by rounds of grants and acceptances (iSLIP, PIM,
// age).
#pragma once

#include <algorithm>
#include <vector>

#include "engine/bits.hpp"
#include "engine/types.hpp"
#include "models/switch/settings.hpp"

namespace weft::models::cells {

/// Requests of one tick, and the partners that are found. One object serves all switches of a process in turn.
class Matching {
 public:
  static constexpr u32 none = ~u32{0};

  Matching(Scheduling scheduling, u32 iterations) : scheduling_(scheduling), iterations_(iterations) {}

  /// Call before the first asks. Forgets all; `ports`: inputs, and as many outputs.
  void begin(u32 ports);
  /// An input asks for an output. `birth`: when the packet that it has for it was generated (age only: the oldest
  /// counts).
  void ask(u32 input, u32 output, Tick birth);
  [[nodiscard]] bool any() const { return any_; }
  /// Nobody asks any more.
  void end() { any_ = false; }

  /// Finds partners. `pointers` has grant(output) and accept(input), which are moved where the rules say so; `bits` are
  /// random. settle(input, output, grants) gives the output that an input takes of those that have granted it in this
  /// round (a mask), if it accepts `output`.
  template <class Pointers, class Settle>
  void match(Pointers&& pointers, u64 bits, Settle&& settle);

  /// The output that an input got, or none.
  [[nodiscard]] u32 output_of(u32 input) const { return output_of_[input]; }

 private:
  /// The first bit at or after `from`, cyclically, of those set in both masks; none if there is none.
  [[nodiscard]] u32 next(const u64* a, const u64* b, u32 from) const;
  [[nodiscard]] u32 choose(const u64* a, const u64* b, u32 pointer, bool input_side, u32 mine, u64 bits) const;

  Scheduling scheduling_;
  u32 iterations_, ports_ = 0, words_ = 0;
  bool any_ = false;
  std::vector<u64> asking_;      ///< [output * words_]: inputs that ask for it
  std::vector<u64> granted_;     ///< [input * words_]: outputs that grant it, of this round
  std::vector<u64> free_in_;     ///< inputs without a partner
  std::vector<u64> free_out_;    ///< outputs that are asked for and have none
  std::vector<u64> with_grant_;  ///< inputs with grants, of this round
  std::vector<u32> output_of_;
  std::vector<Tick> births_;  ///< [output * ports + input]; age only
};

template <class Pointers, class Settle>
void Matching::match(Pointers&& pointers, u64 bits, Settle&& settle) {
  for (u32 round = 0; round < iterations_; ++round) {
    bool found = false;
    engine::for_bits(free_out_.data(), words_, [&](u32 output) {
      const u32 input = choose(&asking_[std::size_t{output} * words_], free_in_.data(), pointers.grant(output), false,
                               output, bits + 2 * round);
      if (input == none) {
        engine::clear_bit(free_out_.data(), output);  // nor later: inputs only become fewer
        return;
      }
      engine::set_bit(&granted_[std::size_t{input} * words_], output);
      engine::set_bit(with_grant_.data(), input);
    });
    engine::for_bits(with_grant_.data(), words_, [&](u32 input) {
      u64* const grants = &granted_[std::size_t{input} * words_];
      const u32 accepted = choose(grants, grants, pointers.accept(input), true, input, bits + 2 * round + 1);
      const u32 output = settle(input, accepted, static_cast<const u64*>(grants));
      output_of_[input] = output;
      engine::clear_bit(free_in_.data(), input);
      engine::clear_bit(free_out_.data(), output);
      if (round == 0 && scheduling_ == Scheduling::islip) {
        pointers.grant(output) = static_cast<u16>(input + 1 < ports_ ? input + 1 : 0);
        pointers.accept(input) = static_cast<u16>(output + 1 < ports_ ? output + 1 : 0);
      }
      std::fill_n(grants, words_, u64{0});
      found = true;
    });
    std::fill(with_grant_.begin(), with_grant_.end(), u64{0});
    if (!found) return;
  }
}

}  // namespace weft::models::cells
