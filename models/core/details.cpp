// Counting of links, distances and pairs; see the header.
#include "models/core/details.hpp"

#include <utility>

namespace weft::models {

void Details::add_entity(u32 global, u32 channels) {
  globals_.push_back(global);
  first_channel_.push_back(first_channel_.back() + channels);
  if (!settings_.links) return;
  link_packets_.resize(first_channel_.back());
  link_busy_.resize(first_channel_.back());
  for (std::size_t number = 0; number < settings_.watched.size(); ++number) {
    const WatchedChannel& one = settings_.watched[number];
    if (one.entity != global || one.output >= channels) continue;
    watched_.emplace_back(number, first_channel_.back() - channels + one.output);
  }
}

std::vector<LinkCount> Details::watched() const {
  std::vector<LinkCount> counts(settings_.watched.size());
  for (std::size_t number = 0; number < counts.size(); ++number)
    counts[number] = {settings_.watched[number].entity, settings_.watched[number].output, 0, 0};
  for (const auto& [number, at] : watched_) {
    counts[number].packets = link_packets_[at];
    counts[number].busy = link_busy_[at];
  }
  return counts;
}

void Details::delivered(u32 from, u32 to, u32 distance, Tick latency) {
  if (settings_.distances) {
    if (distance >= distances_.size()) distances_.resize(distance + 1);
    ++distances_[distance];
  }
  if (!settings_.pairs || too_many_pairs_) return;
  Pair& pair = pairs_[static_cast<u64>(from) << 32 | to];
  ++pair.packets;
  pair.latency += latency;
  if (pairs_.size() <= settings_.most_pairs) return;
  too_many_pairs_ = true;
  std::exchange(pairs_, {});
}

std::vector<LinkCount> Details::links() const {
  std::vector<LinkCount> counts;
  if (!settings_.links) return counts;
  for (u32 entity = 0; entity < globals_.size(); ++entity) {
    const std::size_t first = first_channel_[entity], end = first_channel_[entity + 1];
    for (std::size_t at = first; at < end; ++at) {
      if (link_packets_[at] == 0) continue;
      counts.push_back({globals_[entity], static_cast<u32>(at - first), link_packets_[at], link_busy_[at]});
    }
  }
  return counts;
}

std::vector<PairCount> Details::pairs() const {
  std::vector<PairCount> counts;
  counts.reserve(pairs_.size());
  for (const auto& [nodes, pair] : pairs_) {
    counts.push_back({static_cast<u32>(nodes >> 32), static_cast<u32>(nodes), pair.packets, pair.latency});
  }
  return counts;
}

std::vector<PacketEvent> Details::take_events() { return std::exchange(events_, {}); }

}  // namespace weft::models
