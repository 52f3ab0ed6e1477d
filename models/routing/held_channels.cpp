// Sets of channels are bits; what packets have passed goes from stop to stop until nothing is new.
#include "models/routing/held_channels.hpp"

#include <algorithm>

#include "engine/base/bits.hpp"
#include "engine/random.hpp"

namespace weft::models {

void ChannelWaits::add(u32 channel, std::span<const u32> candidates) {
  u64 hash = channel;
  for (const u32 candidate : candidates) hash = engine::remix(hash, candidate);
  if (!known_.insert(hash).second) return;
  channel_.push_back(channel);
  candidates_.insert(candidates_.end(), candidates.begin(), candidates.end());
  first_.push_back(candidates_.size());
}

std::vector<u32> ChannelWaits::order_of_draining(u32 channels, const std::vector<bool>& may_take) const {
  std::vector<std::vector<u32>> waits_for(channels);  // [channel]: those of whose candidates it is one
  std::vector<u32> stuck(channels);                   // waits in it that do not get on
  std::vector<bool> gets_on(channel_.size());
  for (u32 wait = 0; wait < channel_.size(); ++wait) {
    bool some = false;
    for (std::size_t k = first_[wait]; k < first_[wait + 1]; ++k) {
      if (!may_take[candidates_[k]]) continue;
      waits_for[candidates_[k]].push_back(wait);
      some = true;
    }
    stuck[channel_[wait]] += some ? 1 : 0;
  }
  std::vector<u32> drained, order(channels, undrained);
  for (u32 channel = 0; channel < channels; ++channel) {
    if (stuck[channel] == 0) drained.push_back(channel);
  }
  for (std::size_t k = 0; k < drained.size(); ++k) {
    order[drained[k]] = static_cast<u32>(k);
    for (const u32 wait : waits_for[drained[k]]) {
      if (gets_on[wait]) continue;
      gets_on[wait] = true;
      if (--stuck[channel_[wait]] == 0) drained.push_back(channel_[wait]);
    }
  }
  return order;
}

HeldChannels::HeldChannels(const ChannelWaits& waits, std::vector<bool> safe)
    : safe_(std::move(safe)),
      order_(waits.order_of_draining(static_cast<u32>(safe_.size()), safe_)),
      words_((safe_.size() + 63) / 64),
      before_(safe_.size() * words_) {
  waits.for_each([&](u32, std::span<const u32> candidates) {
    const bool some = std::ranges::any_of(
        candidates, [&](u32 channel) { return safe_[channel] && order_[channel] != ChannelWaits::undrained; });
    leads_everywhere_ = leads_everywhere_ && some;
  });
}

void HeldChannels::begin() {
  stops_.clear();
  passed_.clear();
}

void HeldChannels::stop(u32 number, std::span<const u32> candidates, std::span<const std::pair<u32, u32>> next) {
  u32 last = number;
  for (const auto& [channel, behind] : next) last = std::max(last, behind);
  if (stops_.size() <= last) stops_.resize(last + 1);
  Stop& stop = stops_[number];
  stop.next.insert(stop.next.end(), next.begin(), next.end());
  constexpr u32 none = ~u32{0};
  u32 picked = none;
  for (const u32 channel : candidates) {
    if (safe_[channel] && (picked == none || order_[channel] < order_[picked])) picked = channel;
  }
  stop.picked.push_back(picked);
}

void HeldChannels::end() {
  passed_.assign(stops_.size() * words_, 0);
  std::vector<u32> changed(stops_.size());
  for (u32 number = 0; number < stops_.size(); ++number) changed[number] = number;
  std::vector<bool> waits(stops_.size(), true);
  for (std::size_t k = 0; k < changed.size(); ++k) {
    const u32 number = changed[k];
    waits[number] = false;
    for (const auto& [channel, behind] : stops_[number].next) {
      const u64* const from = row(passed_, number);
      u64* const to = row(passed_, behind);
      bool more = false;
      for (std::size_t w = 0; w < words_; ++w) {
        u64 all = to[w] | from[w];
        if (w == channel / 64 && safe_[channel]) all |= u64{1} << (channel % 64);
        more = more || all != to[w];
        to[w] = all;
      }
      if (!more || waits[behind]) continue;
      waits[behind] = true;
      changed.push_back(behind);
    }
  }
  for (u32 number = 0; number < stops_.size(); ++number) {
    for (const u32 picked : stops_[number].picked) {
      u64* const before = row(before_, picked);
      for (std::size_t w = 0; w < words_; ++w) before[w] |= row(passed_, number)[w];
    }
  }
}

bool HeldChannels::has_cycle() const {
  // Channels behind which nothing is left that is picked are taken out, one after the other.
  const u32 count = static_cast<u32>(safe_.size());
  std::vector<u32> picked_after(count);  // [channel]: of those that packets are held up for which have passed it
  for (u32 channel = 0; channel < count; ++channel) {
    engine::for_bits(&before_[std::size_t{channel} * words_], static_cast<u32>(words_),
                     [&](u32 passed) { ++picked_after[passed]; });
  }
  std::vector<u32> done;
  for (u32 channel = 0; channel < count; ++channel) {
    if (picked_after[channel] == 0) done.push_back(channel);
  }
  for (std::size_t k = 0; k < done.size(); ++k) {
    engine::for_bits(&before_[std::size_t{done[k]} * words_], static_cast<u32>(words_), [&](u32 passed) {
      if (--picked_after[passed] == 0) done.push_back(passed);
    });
  }
  return done.size() != count;
}

std::vector<std::vector<bool>> safe_channels(const ChannelWaits& waits, u32 channels, u32 virtual_channels) {
  u32 low = 1, high = 1;  // how many of the lowest, and of the highest, every wait has one of
  waits.for_each([&](u32, std::span<const u32> candidates) {
    u32 lowest = virtual_channels, highest = 0;
    for (const u32 candidate : candidates) {
      lowest = std::min(lowest, candidate % virtual_channels);
      highest = std::max(highest, candidate % virtual_channels);
    }
    low = std::max(low, lowest + 1);
    high = std::max(high, virtual_channels - highest);
  });
  std::vector<std::vector<bool>> sets;
  for (const bool lowest : {true, false}) {
    std::vector<bool> safe(channels);
    for (u32 c = 0; c < channels; ++c) {
      const u32 vc = c % virtual_channels;
      safe[c] = lowest ? vc < low : virtual_channels - vc <= high;
    }
    sets.push_back(std::move(safe));
  }
  return sets;
}

}  // namespace weft::models
