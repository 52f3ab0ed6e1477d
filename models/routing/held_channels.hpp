// Whether packets that hold the channels behind them (worms) can come to wait for one another in a cycle where they
// take any of several candidates, of which some are safe: escape channels.
#pragma once

#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models {

/// What packets in a channel wait for, each wait once: channels and candidates as in a ChannelGraph.
class ChannelWaits {
 public:
  static constexpr u32 undrained = ~u32{0};

  void add(u32 channel, std::span<const u32> candidates);
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t k = 0; k < channel_.size(); ++k)
      f(channel_[k], std::span(candidates_).subspan(first_[k], first_[k + 1] - first_[k]));
  }
  /// [channel, of `channels`]: as the how manieth it drains (ChannelGraph), if packets take only candidates that
  /// `may_take` has, and those without one are left out; `undrained` if it does not.
  [[nodiscard]] std::vector<u32> order_of_draining(u32 channels, const std::vector<bool>& may_take) const;

 private:
  std::vector<u32> channel_, candidates_;
  std::vector<std::size_t> first_ = {0};  ///< [wait]: in candidates_; one more at the end
  std::unordered_set<u64> known_;         ///< hashes of waits
};

/// One candidate is picked for each wait, among the channels that are called safe. If every packet is held up, one that
/// holds a safe channel waits for the one picked, which a packet holds that waits in turn... So there is no
/// deadlock if the graph from each safe channel to all that are picked for packets that have passed it has no cycle. It
/// has the edges of J. Duato's extended channel dependency graph, and more ("A necessary and sufficient condition for
/// deadlock-free adaptive routing in wormhole networks", IEEE TPDS 6(10), 1995). As there, a channel holds cells of one
/// packet only (router.vc_release = "credit").
class HeldChannels {
 public:
  /// `safe`, by channel: those among which packets pick.
  HeldChannels(const ChannelWaits& waits, std::vector<bool> safe);

  /// Whether there is something to be picked for every wait.
  [[nodiscard]] bool leads_everywhere() const { return leads_everywhere_; }

  /// One after the other, all packets to a destination (or between two nodes): their stops, by number, each with the
  /// candidates there and the stops behind them (channel, number); a stop may come several times.
  void begin();
  void stop(u32 number, std::span<const u32> candidates, std::span<const std::pair<u32, u32>> next);
  void end();

  /// When all have been seen.
  [[nodiscard]] bool has_cycle() const;

 private:
  struct Stop {
    std::vector<std::pair<u32, u32>> next;
    std::vector<u32> picked;
  };

  [[nodiscard]] u64* row(std::vector<u64>& rows, u32 number) const { return &rows[std::size_t{number} * words_]; }

  std::vector<bool> safe_;
  std::vector<u32> order_;  ///< [channel]: of draining
  std::size_t words_;       ///< of a set of channels
  bool leads_everywhere_ = true;
  std::vector<u64> before_;  ///< [channel picked]: safe ones that packets which wait for it have passed
  std::vector<Stop> stops_;
  std::vector<u64> passed_;  ///< [stop]: safe channels that packets there have passed
};

/// Sets of safe channels to try, by their virtual channels: the fewest of the lowest numbers, and of the highest, that
/// leave something to pick for every wait.
[[nodiscard]] std::vector<std::vector<bool>> safe_channels(const ChannelWaits& waits, u32 channels,
                                                           u32 virtual_channels);

}  // namespace weft::models
