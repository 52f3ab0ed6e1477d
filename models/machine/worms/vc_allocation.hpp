// Separable allocation, of channels to packets and of the crossbar to cells: each output grants one of those that ask
// for it, each input accepts one of its grants, some rounds over.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/base/types.hpp"
#include "engine/random.hpp"

namespace weft::models::worms {

/// N. McKeown's iSLIP (IEEE/ACM Transactions on Networking 7(2), 1999) with virtual channels or ports on either side,
/// as W. Dally's and B. Towles' routers have it (Principles and Practices of Interconnection Networks, 19.3); or with
/// random draws in place of turns (T. Anderson et al., PIM, ACM TOCS 11(4), 1993), or by age, one after the other.
class Allocation {
 public:
  struct Ask {
    u16 input, output;
    u32 lane;
  };
  /// What rounds go by besides the asks.
  struct Rounds {
    u32 inputs, outputs;  ///< numbers of both are less
    u32 most;
  };

  void fit(u32 inputs, u32 outputs) {
    if (accepted_.size() < inputs) accepted_.resize(inputs);
    if (granted_.size() < outputs) granted_.resize(outputs);
  }
  void clear() { asks_.clear(); }
  [[nodiscard]] bool empty() const { return asks_.empty(); }
  [[nodiscard]] std::size_t size() const { return asks_.size(); }
  [[nodiscard]] const Ask& operator[](std::size_t number) const { return asks_[number]; }
  void add(const Ask& ask) { asks_.push_back(ask); }
  /// The ask of an input for an output, if there is one among those since `first`.
  [[nodiscard]] Ask* find(std::size_t first, u16 input, u16 output) {
    for (std::size_t k = first; k < asks_.size(); ++k) {
      if (asks_[k].input == input && asks_[k].output == output) return &asks_[k];
    }
    return nullptr;
  }

  /// Calls take(ask) for each that is matched; turn_of_output(output) and turn_of_input(input) are the pointers, which
  /// move where a grant of the first round is accepted.
  template <class OutputTurn, class InputTurn, class Take>
  void by_turns(const Rounds& rounds, OutputTurn&& turn_of_output, InputTurn&& turn_of_input, Take&& take) {
    const auto behind = [](u32 number, u32 count) { return static_cast<u16>(number + 1 < count ? number + 1 : 0); };
    const auto from = [](u32 number, u32 first, u32 count) {
      return number >= first ? number - first : number + count - first;
    };
    if (asks_.size() == 1) {
      const Ask ask = asks_.front();
      turn_of_output(ask.output) = behind(ask.input, rounds.inputs);
      turn_of_input(ask.input) = behind(ask.output, rounds.outputs);
      return take(ask);
    }
    match(
        rounds.most, [&](const Ask& ask) { return from(ask.input, turn_of_output(ask.output), rounds.inputs); },
        [&](const Ask& ask) { return from(ask.output, turn_of_input(ask.input), rounds.outputs); },
        [&](const Ask& ask, bool first_round) {
          if (first_round) {
            turn_of_output(ask.output) = behind(ask.input, rounds.inputs);
            turn_of_input(ask.input) = behind(ask.output, rounds.outputs);
          }
          take(ask);
        });
  }

  /// Likewise with draws from `bits` in place of turns.
  template <class Take>
  void by_draws(u32 most_rounds, u64 bits, Take&& take) {
    const auto draw = [bits](const Ask& ask, u64 of) {
      return static_cast<u32>(engine::remix(bits ^ of, u64{ask.input} << 16 | ask.output));
    };
    match(
        most_rounds, [&](const Ask& ask) { return draw(ask, 0); }, [&](const Ask& ask) { return draw(ask, 1); },
        [&](const Ask& ask, bool) { take(ask); });
  }

  /// The ask with the highest age(ask) takes its input and output, then the next of those that are left; of equally old
  /// ones the first that was added.
  template <class Age, class Take>
  void by_age(Age&& age, Take&& take) {
    ages_.clear();
    for (u32 k = 0; k < asks_.size(); ++k) ages_.push_back({age(asks_[k]), k});
    std::ranges::sort(ages_,
                      [](const Aged& a, const Aged& b) { return a.age != b.age ? a.age > b.age : a.ask < b.ask; });
    ++round_;
    for (const Aged& aged : ages_) {
      const Ask& ask = asks_[aged.ask];
      if (accepted_[ask.input].done == round_ || granted_[ask.output].done == round_) continue;
      accepted_[ask.input].done = granted_[ask.output].done = round_;
      take(ask);
    }
  }

 private:
  /// The best ask of an input or output in a round.
  struct Best {
    u64 round = 0, done = 0;  ///< done: the match in which it has found its partner
    u32 turn = 0, ask = 0;
  };
  struct Aged {
    Tick age;
    u32 ask;
  };

  /// Turns: the lowest is taken, the first that was added of equal ones.
  template <class GrantTurn, class AcceptTurn, class Take>
  void match(u32 most_rounds, GrantTurn&& grant_turn, AcceptTurn&& accept_turn, Take&& take) {
    const u64 matching = ++round_;
    for (u32 k = 0; k < most_rounds; ++k) {
      const u64 round = ++round_;
      outputs_.clear();
      inputs_.clear();
      for (u32 a = 0; a < asks_.size(); ++a) {
        const Ask& ask = asks_[a];
        if (granted_[ask.output].done >= matching || accepted_[ask.input].done >= matching) continue;
        offer(granted_[ask.output], outputs_, ask.output, {round, grant_turn(ask), a});
      }
      for (const u32 output : outputs_) {
        const u32 a = granted_[output].ask;
        offer(accepted_[asks_[a].input], inputs_, asks_[a].input, {round, accept_turn(asks_[a]), a});
      }
      if (inputs_.empty()) return;
      for (const u32 input : inputs_) {
        const Ask ask = asks_[accepted_[input].ask];
        granted_[ask.output].done = accepted_[input].done = round_;
        take(ask, k == 0);
      }
      if (outputs_.size() == inputs_.size() && asks_.size() == inputs_.size()) return;
    }
  }
  struct Offered {
    u64 round;
    u32 turn, ask;
  };
  static void offer(Best& best, std::vector<u32>& seen, u32 number, const Offered& offered) {
    if (best.round != offered.round) {
      seen.push_back(number);
    } else if (offered.turn >= best.turn) {
      return;
    }
    best.round = offered.round;
    best.turn = offered.turn;
    best.ask = offered.ask;
  }

  std::vector<Ask> asks_;
  std::vector<Best> granted_, accepted_;  ///< [output], [input]
  std::vector<u32> outputs_, inputs_;     ///< of a round
  std::vector<Aged> ages_;
  u64 round_ = 0;
};

}  // namespace weft::models::worms
