// Finds a set by a hash of what is in it.
#include "models/core/candidate_sets.hpp"

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/random.hpp"

namespace weft::models {

u32 CandidateSets::number_of(std::span<const u32> outputs, u32 escape) {
  u64 order = engine::remix(outputs.size(), escape);
  for (const u32 output : outputs) order = engine::remix(order, output);
  const auto [found, added] = numbers_.try_emplace(order, static_cast<u32>(sets_.size()));
  if (!added) {
    const CandidateSet& known = sets_[found->second];
    if (known.escape != escape || !std::ranges::equal(known.outputs, outputs))
      throw Bug("two sets of candidate outputs have one hash");
    return found->second;
  }
  CandidateSet set;
  set.outputs.assign(outputs.begin(), outputs.end());
  for (const u32 output : outputs) {
    const u16 port = static_cast<u16>(output / channels_);
    if (set.ports.empty() || set.ports.back() != port) set.ports.push_back(port);
  }
  set.escape = escape;
  set.order = order;
  escapes_ = escapes_ || escape != Candidates::none;
  sets_.push_back(std::move(set));
  return found->second;
}

std::size_t CandidateSets::bytes() const {
  std::size_t all = sets_.capacity() * sizeof(CandidateSet) + numbers_.size() * (sizeof(u64) + sizeof(u32) + 16);
  for (const CandidateSet& set : sets_)
    all += set.outputs.capacity() * sizeof(u32) + set.ports.capacity() * sizeof(u16);
  return all;
}

}  // namespace weft::models
