// Channels are drained one after the other, from those that only packets at their end are in; each wait is looked at
// once for each of its candidates.
#include "models/routing/channel_graph.hpp"

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/random.hpp"

namespace weft::models {
namespace {

constexpr u32 nothing = ~u32{0};

}  // namespace

/// Lists of numbers, one for each of `size`: those of list k are members[first[k]] to members[first[k + 1] - 1].
struct ChannelGraph::Lists {
  std::vector<u32> first, members;

  /// `each` calls its argument with (list, number) for all, in the same order both times.
  template <class Each>
  Lists(u32 size, Each&& each) : first(size + 1, 0) {
    each([this](u32 list, u32) { ++first[list + 1]; });
    for (u32 k = 0; k < size; ++k) first[k + 1] += first[k];
    members.resize(first[size]);
    std::vector<u32> next(first.begin(), first.end() - 1);
    each([&](u32 list, u32 number) { members[next[list]++] = number; });
  }
  [[nodiscard]] std::span<const u32> of(u32 list) const {
    return {members.data() + first[list], first[list + 1] - first[list]};
  }
};

/// What is left when all that can be drained is.
struct ChannelGraph::Drained {
  Lists waits_in;           ///< [channel]
  std::vector<u32> needed;  ///< [wait]: candidates that must drain yet; 0: its packet gets on
  std::vector<u32> stuck;   ///< [channel]: its waits whose packets do not get on; 0: it is drained
};

u64 ChannelGraph::hash(u32 channel, std::span<const u32> candidates) {
  u64 h = channel;
  for (const u32 candidate : candidates) h = engine::remix(h, candidate);
  return engine::remix(h, 0);
}

void ChannelGraph::add(const Waiting& packet, std::span<const u32> candidates) {
  WEFT_ASSERT(!candidates.empty());
  if (2 * waits_.size() >= slots_.size()) rehash();
  u64 slot = hash(packet.channel, candidates) & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Wait& other = waits_[slots_[slot] - 1];
    if (other.packet.channel == packet.channel && std::ranges::equal(candidates_of(other), candidates)) return;
  }
  waits_.push_back({packet, static_cast<u32>(candidates_.size()), static_cast<u32>(candidates.size())});
  slots_[slot] = static_cast<u32>(waits_.size());
  candidates_.insert(candidates_.end(), candidates.begin(), candidates.end());
  channels_ = std::max({channels_, packet.channel + 1, candidates.back() + 1});
}

void ChannelGraph::rehash() {
  slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), 0);
  for (u32 w = 0; w < waits_.size(); ++w) {
    u64 slot = hash(waits_[w].packet.channel, candidates_of(waits_[w])) & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = w + 1;
  }
}

ChannelGraph::Drained ChannelGraph::drain(TakesCandidate takes) const {
  const u32 count = static_cast<u32>(waits_.size());
  const Lists waits_for(channels_, [&](auto&& put) {
    for (u32 w = 0; w < count; ++w) {
      for (const u32 candidate : candidates_of(waits_[w])) put(candidate, w);
    }
  });
  Drained d{Lists(channels_,
                  [&](auto&& put) {
                    for (u32 w = 0; w < count; ++w) put(waits_[w].packet.channel, w);
                  }),
            std::vector<u32>(count), std::vector<u32>(channels_)};
  std::vector<u32> drained;
  for (u32 w = 0; w < count; ++w) d.needed[w] = takes == TakesCandidate::any ? 1 : waits_[w].candidates;
  for (u32 c = 0; c < channels_; ++c) {
    d.stuck[c] = static_cast<u32>(d.waits_in.of(c).size());
    if (d.stuck[c] == 0) drained.push_back(c);
  }
  for (std::size_t k = 0; k < drained.size(); ++k) {
    for (const u32 w : waits_for.of(drained[k])) {
      if (d.needed[w] == 0 || --d.needed[w] > 0) continue;
      if (--d.stuck[waits_[w].packet.channel] == 0) drained.push_back(waits_[w].packet.channel);
    }
  }
  return d;
}

std::vector<ChannelGraph::Waiting> ChannelGraph::find_cycle(TakesCandidate takes) const {
  const Drained d = drain(takes);
  const auto stuck = std::ranges::find_if(d.stuck, [](u32 waits) { return waits > 0; });
  if (stuck == d.stuck.end()) return {};
  // Whoever does not drain has a packet that waits for another that does not: so the walk comes back to where it was.
  u32 at = static_cast<u32>(stuck - d.stuck.begin());
  std::vector<bool> seen(channels_, false);
  while (!seen[at]) {
    seen[at] = true;
    const auto in = d.waits_in.of(at);
    const u32 wait = *std::ranges::find_if(in, [&](u32 w) { return d.needed[w] > 0; });
    const auto candidates = candidates_of(waits_[wait]);
    at = *std::ranges::find_if(candidates, [&](u32 candidate) { return d.stuck[candidate] > 0; });
  }
  return shortest_circle(d, at);
}

/// Through a channel that is on one; breadth first.
std::vector<ChannelGraph::Waiting> ChannelGraph::shortest_circle(const Drained& d, u32 start) const {
  std::vector<u32> by(channels_, nothing), ahead{start};  // by: the wait that led to a channel
  for (std::size_t k = 0; k < ahead.size() && by[start] == nothing; ++k) {
    for (const u32 w : d.waits_in.of(ahead[k])) {
      if (d.needed[w] == 0) continue;
      for (const u32 candidate : candidates_of(waits_[w])) {
        if (d.stuck[candidate] == 0 || by[candidate] != nothing) continue;
        by[candidate] = w;
        if (candidate != start) ahead.push_back(candidate);
      }
    }
  }
  std::vector<Waiting> cycle;
  for (u32 at = start; cycle.empty() || at != start; at = cycle.back().channel) cycle.push_back(waits_[by[at]].packet);
  std::ranges::reverse(cycle);
  return cycle;
}

}  // namespace weft::models
