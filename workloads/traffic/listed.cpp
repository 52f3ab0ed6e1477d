// Law "listed": lengths with their weights, as measured somewhere.
#include <algorithm>
#include <fmt/format.h>

#include "workloads/traffic/length_law.hpp"

namespace weft::workloads {
namespace {

std::optional<Complaint> check_listed(const Parameters& keys, u32 longest) {
  if (!keys.has("lengths_phits")) {
    return Complaint{"workload.lengths_phits", "is missing (packet_length = \"listed\" needs it)",
                     fmt::format("write for example lengths_phits = [1, {}]", longest)};
  }
  const std::vector<i64> lengths = keys.integers("lengths_phits");
  if (const i64 most = std::ranges::max(lengths); most > longest) {
    return Complaint{"workload.lengths_phits",
                     fmt::format("has {}, more than packet.phits = {} (the longest packet)", most, longest),
                     fmt::format("use packet.phits = {}, or leave it out", most)};
  }
  if (!keys.has("length_weights")) return {};
  const std::vector<i64> weights = keys.integers("length_weights");
  if (weights.size() != lengths.size()) {
    return Complaint{"workload.length_weights",
                     fmt::format("has {} weights for {} lengths", weights.size(), lengths.size()),
                     "write one for each of workload.lengths_phits"};
  }
  if (std::ranges::max(weights) == 0)
    return Complaint{"workload.length_weights", "are all 0", "give one of them a weight above 0"};
  return {};
}

PacketLengths listed(const Parameters& keys, u32 /*longest*/) {
  const std::vector<i64> lengths = keys.integers("lengths_phits");
  std::vector<i64> weights(lengths.size(), 1);
  if (keys.has("length_weights")) weights = keys.integers("length_weights");
  std::vector<LengthWeight> all;
  for (std::size_t k = 0; k < lengths.size(); ++k)
    all.push_back({static_cast<u32>(lengths[k]), static_cast<u32>(weights[k])});
  return PacketLengths(all);
}

[[maybe_unused]] const bool listed_registered = LengthRegistry::instance().add(
    "listed", {.help = "the lengths of a list, with the chances of their weights: a measured distribution.",
               .lengths = listed,
               .settings = {row::integers("workload.lengths_phits", "phits", {1, 4096}, "lengths of packets."),
                            row::integers("workload.length_weights", "", {0, 1'000'000'000},
                                          "how often each of them is drawn beside the others; not given: all alike.")},
               .check = check_listed});

}  // namespace
}  // namespace weft::workloads
