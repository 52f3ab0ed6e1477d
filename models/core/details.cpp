// Counting of links, distances and pairs; see the header.
#include "models/core/details.hpp"

#include <algorithm>
#include <utility>

#include "models/topology/topology.hpp"

namespace weft::models {
namespace {

void count_at(std::vector<u64>& counts, u32 where) {
  if (where >= counts.size()) counts.resize(where + 1);
  ++counts[where];
}

}  // namespace

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

void QueueSizes::see(const QueueCount& now) {
  if (at_ == queues.size()) queues.push_back({now.entity, now.queue, now.injection, 0, 0});
  QueueCount& seen = queues[at_++];
  seen.packets += now.packets;
  seen.most = std::max(seen.most, now.most);
}

Details::Pair* Details::pair_of(u32 from, u32 to) {
  if (!settings_.pairs || too_many_pairs_) return nullptr;
  Pair& pair = pairs_[static_cast<u64>(from) << 32 | to];
  if (pairs_.size() <= settings_.most_pairs) return &pair;
  too_many_pairs_ = true;
  std::exchange(pairs_, {});
  return nullptr;
}

void Details::delivered(u32 from, u32 to, u32 distance, Tick latency) {
  if (settings_.distances) count_at(distances_, distance);
  if (Pair* const pair = pair_of(from, to); pair != nullptr) {
    ++pair->packets;
    pair->latency += latency;
  }
}

void Details::tell(const PacketEvent& event, Tick latency) {
  using Kind = PacketEvent::Kind;
  if (event.kind == Kind::injected) count_injected(event);
  if (intervals_.used()) count_by_interval(event, latency);
  const bool out = event.kind == Kind::delivered;
  if (settings_.passages && (out || event.kind == Kind::injected))
    passages_.push_back({event.tick, out ? 1U : 0U, event.from, event.to, 0, event.generated_at});
  if (tells_of(event)) events_.push_back(event);
}

void Details::count_injected(const PacketEvent& event) {
  if (settings_.distances)
    count_at(distances_ahead_, settings_.topology->distance(NodeId(event.from), NodeId(event.to)));
  if (Pair* const pair = pair_of(event.from, event.to); pair != nullptr) ++pair->injected;
}

void Details::count_by_interval(const PacketEvent& event, Tick latency) {
  const Tick ticks = std::max<u32>(event.cells, 1) * settings_.unit_ticks;
  switch (event.kind) {
    case PacketEvent::Kind::generated:
      return intervals_.generated(event.tick);
    case PacketEvent::Kind::injected:
      return intervals_.injected(event.tick, ticks);
    case PacketEvent::Kind::lost:
      return intervals_.injected(event.tick, 0);
    case PacketEvent::Kind::delivered:
      return intervals_.delivered(event.tick, ticks, latency);
    default:
      return;
  }
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
    counts.push_back(
        {static_cast<u32>(nodes >> 32), static_cast<u32>(nodes), pair.packets, pair.latency, pair.injected});
  }
  return counts;
}

std::vector<PacketEvent> Details::take_events() { return std::exchange(events_, {}); }

std::vector<Passage> Details::take_passages() { return std::exchange(passages_, {}); }

}  // namespace weft::models
