// What networks do with their statistics between runs: checkpoints, and the check that no packet is lost.
#include "models/core/machine_statistics.hpp"

#include <cstring>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::models {

MachineStatistics::EndpointCounts MachineStatistics::counts_of(u32 entity) const {
  return {injected_at_.empty() ? 0 : injected_at_[entity], delivered_at_.empty() ? 0 : delivered_at_[entity]};
}

void MachineStatistics::restore(u32 entity, const EndpointCounts& counts) {
  if (!injected_at_.empty()) injected_at_[entity] = counts.injected;
  if (!delivered_at_.empty()) delivered_at_[entity] = counts.delivered;
  refused_.push_back(entity);
}

void MachineStatistics::save_record(u32 entity, std::span<const std::byte> state, std::byte* to) const {
  std::memcpy(to, state.data(), state.size());
  const EndpointCounts counts = counts_of(entity);
  std::memcpy(to + state.size(), &counts, sizeof counts);
}

void MachineStatistics::load_record(u32 entity, u32 global, std::span<const std::byte> from,
                                    std::span<std::byte> state) {
  EndpointCounts counts;
  if (from.size() != state.size() + sizeof counts)
    throw InputError(fmt::format("the record of entity {} has a wrong length", global));
  std::memcpy(state.data(), from.data(), state.size());
  std::memcpy(&counts, from.data() + state.size(), sizeof counts);
  restore(entity, counts);
}

void MachineStatistics::check_totals(const InFlight& there, Tick now) const {
  const Counters& c = statistics_.counters;
  if (c.in_network() == there.network && c.generated == c.gone() + there.queued + there.network) return;
  throw Bug(fmt::format(
      "tick {}: {} packets generated, {} injected, {} copied, {} combined, {} delivered, {} dropped ({} of them at the "
      "source), but {} wait for injection and {} are in the network",
      now, c.generated, c.injected, c.copies, c.combined, c.delivered, c.dropped, c.dropped_at_source, there.queued,
      there.network));
}

}  // namespace weft::models
