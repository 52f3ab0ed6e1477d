// Who sends to whom: inputs and outputs of a crossbar are matched by rounds of grants and acceptances (iSLIP, PIM).
#pragma once

#include <algorithm>
#include <vector>

#include "engine/base/bits.hpp"
#include "engine/base/types.hpp"
#include "models/arbiter/scheduling.hpp"

namespace weft::models::arbiter {

/// Requests of one tick, and the partners that are found. One object serves all switches of a process in turn.
class Matching {
 public:
  static constexpr u32 none = ~u32{0};
  /// In place of a number of iterations: until a round finds no pair, so that the matching is maximal.
  static constexpr u32 until_maximal = ~u32{0};

  /// `channels`: VCs of each output.
  Matching(Scheduling scheduling, u32 iterations, u32 channels)
      : scheduling_(scheduling), iterations_(iterations), channels_(scheduling == Scheduling::islip ? channels : 1) {}

  /// Forgets all; `ports`: inputs, and as many outputs. `from_nodes`: a mask of the inputs
  /// that come from nodes; it must outlive the matching.
  void begin(u32 ports, const u64* from_nodes);
  /// An input asks for a VC of an output.
  void ask(u32 input, u32 output, u32 vc);

  /// A VC of an output that an input takes.
  struct OutputVc {
    u32 output, vc;
  };
  /// iSLIP, of a VC of an output: the input that is looked at first (behind the last one: those from nodes), and the
  /// first of those from nodes.
  struct Turn {
    u16 input = 0, node = 0;
  };
  /// Finds partners. `pointers` has first_place(output), first_vc(output), turn(output, vc) and accept(input), which
  /// are moved where the rules say so; `bits` are random. choose_vc(input, output, grants) gives the OutputVc that an
  /// input takes of those granted to it in this round (`grants`: a mask of outputs; VCs: is_granted), if it accepts
  /// `output`.
  template <class Pointers, class ChooseVc>
  void match(Pointers&& pointers, u64 bits, ChooseVc&& choose_vc);

  /// iSLIP: moves the pointers as if an input had asked for this VC alone, and nobody else for that output.
  template <class Pointers>
  static void take_undisputed(Pointers&& pointers, u32 ports, const u64* from_nodes, u32 input, OutputVc taken,
                              u32 channels);

  /// One of those who ask for an output, and for nothing else.
  struct Contender {
    u32 input, vc;
    u32 request;  ///< the caller's
  };
  /// iSLIP: which of them gets it; they come by ascending input.
  template <class Pointers>
  [[nodiscard]] static std::size_t first_in_turn(Pointers&& pointers, u32 ports, const u64* from_nodes, u32 output,
                                                 u32 channels, const std::vector<Contender>& contenders);

  /// The output that an input got, or none.
  [[nodiscard]] u32 output_of(u32 input) const { return output_of_[input]; }
  /// Whether an output that grants an input in this round does so for this VC.
  [[nodiscard]] bool is_granted(u32 output, u32 vc) const {
    return scheduling_ != Scheduling::islip || vc_of_[output] == vc;
  }

 private:
  /// The first bit at or after `from`, cyclically, of those set in both masks; none if there is none.
  [[nodiscard]] u32 next(const u64* a, const u64* b, u32 from) const;
  [[nodiscard]] u32 choose(const u64* a, const u64* b, u32 pointer, u32 mine, u64 bits) const;
  /// The input that an output grants; none if no free one asks.
  template <class Pointers>
  [[nodiscard]] u32 grant(Pointers&& pointers, u32 output, u64 bits);
  /// The input that an output grants by iSLIP; none if no free one asks.
  template <class Pointers>
  [[nodiscard]] u32 grant_in_turn(Pointers&& pointers, u32 output);
  /// Where round robin has an input.
  [[nodiscard]] u32 place_of(u32 input) const { return engine::test_bit(from_nodes_, input) ? ports_ : input; }
  /// The one whose turn it is; none if there are none.
  [[nodiscard]] u32 in_turn(u32 output, u32 vc, const Turn& turn) const;
  /// Inputs that ask for a VC of an output (but for iSLIP, VC 0 stands for all).
  [[nodiscard]] u64* asking(u32 output, u32 vc) { return &asking_[(std::size_t{output} * channels_ + vc) * words_]; }
  [[nodiscard]] const u64* asking(u32 output, u32 vc) const {
    return &asking_[(std::size_t{output} * channels_ + vc) * words_];
  }

  Scheduling scheduling_;
  u32 iterations_, channels_, ports_ = 0, words_ = 0;
  std::vector<u64> asking_;  ///< [(output * channels_ + vc) * words_]: inputs that ask for it
  std::vector<u32> vc_of_;   ///< [output]: the VC that is granted, of this round; iSLIP only
  std::vector<i32> wanted_;  ///< [output * channels_ + vc]: turns_wanted in the first round; iSLIP only
  const u64* from_nodes_ = nullptr;
  std::vector<u64> granted_;     ///< [input * words_]: outputs that grant it, of this round
  std::vector<u64> free_in_;     ///< inputs without a partner
  std::vector<u64> free_out_;    ///< outputs that are asked for and have none
  std::vector<u64> with_grant_;  ///< inputs with grants, of this round
  std::vector<u32> output_of_;
};

template <class Pointers>
u32 Matching::grant(Pointers&& pointers, u32 output, u64 bits) {
  if (scheduling_ == Scheduling::islip) return grant_in_turn(pointers, output);
  return choose(asking(output, 0), free_in_.data(), 0, output, bits);
}

/// Each VC that is asked for names the input whose turn it is there, and the output takes one of these: who has no
/// credits for his VC does not lose his turn in it to those who ask for others.
template <class Pointers>
u32 Matching::grant_in_turn(Pointers&& pointers, u32 output) {
  vc_of_[output] = 0;
  if (channels_ == 1) return in_turn(output, 0, pointers.turn(output, 0));
  const u32 first = pointers.first_place(output);
  u32 best = none, least = none;
  for (u32 step = 0, vc = pointers.first_vc(output); step < channels_; ++step, vc = vc + 1 < channels_ ? vc + 1 : 0) {
    const u32 input = in_turn(output, vc, pointers.turn(output, vc));
    if (input == none) continue;
    const u32 place = place_of(input);
    const u32 steps = place >= first ? place - first : place + ports_ + 1 - first;
    if (steps >= least) continue;
    best = input, least = steps;
    vc_of_[output] = vc;
  }
  return best;
}

template <class Pointers>
void Matching::take_undisputed(Pointers&& pointers, u32 ports, const u64* from_nodes, u32 input, OutputVc taken,
                               u32 channels) {
  const bool node = engine::test_bit(from_nodes, input);
  const u16 next = static_cast<u16>(!node && input + 1 <= ports ? input + 1 : 0);
  Turn& turn = pointers.turn(taken.output, taken.vc);
  turn.input = next;
  if (node) turn.node = static_cast<u16>(input + 1);
  pointers.first_place(taken.output) = next;
  pointers.first_vc(taken.output) = static_cast<u8>(taken.vc + 1 < channels ? taken.vc + 1 : 0);
  pointers.accept(input) = static_cast<u16>(taken.output + 1 < ports ? taken.output + 1 : 0);
}

/// As grant_in_turn.
template <class Pointers>
std::size_t Matching::first_in_turn(Pointers&& pointers, u32 ports, const u64* from_nodes, u32 output, u32 channels,
                                    const std::vector<Contender>& contenders) {
  const auto is_node = [&](const Contender& c) { return engine::test_bit(from_nodes, c.input); };
  // Within a VC: links at or behind its turn, nodes at or behind it, other nodes, other links; lower inputs first.
  const auto order = [&](const Contender& c) {
    const Turn& turn = pointers.turn(output, c.vc);
    const u64 group = is_node(c) ? (c.input >= turn.node ? 1 : 2) : (c.input >= turn.input ? 0 : 3);
    return group << 32 | c.input;
  };
  // Between VCs: by place, then by number.
  const u32 first_place = channels > 1 ? pointers.first_place(output) : 0;
  const u32 first_vc = channels > 1 ? pointers.first_vc(output) : 0;
  const auto steps = [&](const Contender& c) {
    const u32 place = is_node(c) ? ports : c.input;
    const u64 places = place >= first_place ? place - first_place : place + ports + 1 - first_place;
    return places << 32 | (c.vc >= first_vc ? c.vc - first_vc : c.vc + channels - first_vc);
  };
  std::size_t best = contenders.size();
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    const Contender& one = contenders[c];
    const bool named = std::ranges::none_of(
        contenders, [&](const Contender& other) { return other.vc == one.vc && order(other) < order(one); });
    if (named && (best == contenders.size() || steps(one) < steps(contenders[best]))) best = c;
  }
  return best;
}

template <class Pointers, class ChooseVc>
void Matching::match(Pointers&& pointers, u64 bits, ChooseVc&& choose_vc) {
  for (u32 round = 0; round < iterations_; ++round) {
    bool found = false;
    engine::for_bits(free_out_.data(), words_, [&](u32 output) {
      const u32 input = grant(pointers, output, bits + 2 * round);
      if (input == none) {
        engine::clear_bit(free_out_.data(), output);  // nor later: inputs only become fewer
        return;
      }
      engine::set_bit(&granted_[std::size_t{input} * words_], output);
      engine::set_bit(with_grant_.data(), input);
    });
    engine::for_bits(with_grant_.data(), words_, [&](u32 input) {
      u64* const grants = &granted_[std::size_t{input} * words_];
      const u32 accepted = choose(grants, grants, pointers.accept(input), input, bits + 2 * round + 1);
      const auto [output, vc] = choose_vc(input, accepted, static_cast<const u64*>(grants));
      output_of_[input] = output;
      engine::clear_bit(free_in_.data(), input);
      engine::clear_bit(free_out_.data(), output);
      if (round == 0 && scheduling_ == Scheduling::islip) {
        take_undisputed(pointers, ports_, from_nodes_, input, {output, vc}, channels_);
      }
      std::fill_n(grants, words_, u64{0});
      found = true;
    });
    std::fill(with_grant_.begin(), with_grant_.end(), u64{0});
    if (!found) return;
  }
}

}  // namespace weft::models::arbiter
