// Mode *shortest* of the bubble router for all waiting packets of a router at once.
#pragma once

#include "models/machine/packets/requests.hpp"
#include "models/machine/packets/survey.hpp"

namespace weft::models {

/// The adaptive channels that packets choose, and how long those sleep who would rather have a held one than an open
/// one. One object serves all routers of a process, one after the other: `choose`, grants, `finish`. `Dimensions`,
/// `Channels`: as in SizedBubblePolicy.
template <u32 Dimensions, u32 Channels>
class ShortestChoices {
 public:
  ShortestChoices(u32 dimensions, const RouterSettings& settings)
      : dimensions_(dimensions),
        packet_ticks_(static_cast<u32>(settings.packet_ticks)),
        cycle_ticks_(settings.cycle_ticks),
        cells_(2 * dimensions, settings.virtual_channels) {}

  /// The requests of all inputs in `choosers`, each of which has an adaptive channel open to it. `space`, `open`:
  /// outputs with free space, and those with free space that nobody holds.
  template <class BlockType>
  void choose(const BlockType& block, u64 choosers, u64 space, u64 open, Tick tick, Requests<1>& requests) {
    survey_outputs<2 * Dimensions, Channels>(block, cells_, space, open, static_cast<u32>(block.head().kick.word[0]),
                                             static_cast<u32>(tick), packet_ticks_, survey_);
    survey_.rows[Survey::nowhere] = no_keys;
    for (u64 left = choosers; left != 0; left &= left - 1) {
      const u32 i = static_cast<u32>(std::countr_zero(left));
      const LeastKeys keys = survey_.keys(block.route(i).directions, dimensions());
      const u32 asks = keys[key_best] == keys[key_best_open] ? 1 : 0;
      requests.ask_if(asks, i, keys[key_best] % key_outputs);
      insist_if(asks ^ 1, i, keys);
    }
    askers_ = choosers & ~sleepers_;
  }

  /// After the grants of a cycle: who insists on a held channel sleeps until another may be better.
  template <class BlockType>
  void finish(const BlockType& block, Tick tick, Requests<1>& requests) {
    if ((sleepers_ | askers_) == 0) return;
    auto& head = block.head();
    if (const u64 losers = requests.again.word[0] & askers_ & head.waiting.word[0]; losers != 0) {
      hold_losers(block, losers, requests);
    }
    if (sleepers_ != 0) {
      block.watched() = 1;
      requests.sleep(head, {{sleepers_}}, tick, whole_cycles(tick, insisting_.until_overtaken(), cycle_ticks_));
    }
    sleepers_ = askers_ = 0;
    insisting_.clear();
  }

 private:
  /// Notes that input `i` would rather have a held channel, if `yes` (0 or 1); without a branch.
  void insist_if(u32 yes, u32 i, LeastKeys keys) {
    insisting_.add_if(yes, keys, survey_.drift[cells_.cell[keys[key_best] % key_outputs]]);
    sleepers_ |= u64{yes} << i;
  }

  /// Inputs that asked for a channel that another has got insist on it from now on. Those to whom no other is open do
  /// not sleep: they wait for an event.
  template <class BlockType>
  void hold_losers(const BlockType& block, u64 losers, Requests<1>& requests) {
    for (u64 left = requests.outputs.word[0] & cells_.outputs; left != 0; left &= left - 1) {
      const u32 o = static_cast<u32>(std::countr_zero(left));
      survey_.close(cells_, o, block.port(block.shape->port_of[o]).current == no_channel);
    }
    requests.again.word[0] &= ~losers;
    for (u64 left = losers; left != 0; left &= left - 1) {
      const u32 i = static_cast<u32>(std::countr_zero(left));
      const LeastKeys keys = survey_.keys(block.route(i).directions, dimensions());
      insist_if(keys[key_best_open] != ~0U ? 1 : 0, i, keys);
    }
  }

  [[nodiscard]] u32 dimensions() const { return Dimensions != 0 ? Dimensions : dimensions_; }

  u32 dimensions_, packet_ticks_;
  Tick cycle_ticks_;
  SurveyCells cells_;
  Survey survey_;
  Insisting insisting_;
  u64 sleepers_ = 0;  ///< who insists on a held channel, as entered in `insisting_`
  u64 askers_ = 0;    ///< who asked for an adaptive channel
};

}  // namespace weft::models
