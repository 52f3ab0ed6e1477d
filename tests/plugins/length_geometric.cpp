// A law of packet lengths from outside the source folders: docs/adding-a-length-law.md.
#include <cmath>

#include "workloads/traffic/length_law.hpp"

namespace weft::workloads {
namespace {

/// Each length is workload.decay_percent of the one before as likely, up to packet.phits.
PacketLengths geometric(const Parameters& keys, u32 longest) {
  const u64 percent = static_cast<u64>(keys.integer("decay_percent"));
  std::vector<LengthWeight> weights;
  u64 weight = 1'000'000'000;
  for (u32 phits = static_cast<u32>(keys.integer("least_phits")); phits <= longest; ++phits) {
    weights.push_back({phits, static_cast<u32>(weight)});
    weight = weight * percent / 100;
  }
  return PacketLengths(weights);
}

std::optional<Complaint> check_geometric(const Parameters& keys, u32 longest) {
  if (keys.integer("least_phits") <= longest) return {};
  return Complaint{"workload.least_phits", "is more than packet.phits", "use least_phits = 1"};
}

const bool geometric_registered = LengthRegistry::instance().add(
    "geometric", {.help = "short packets most often: each length less likely than the one before.",
                  .lengths = geometric,
                  .settings = {row::integer("workload.decay_percent", "%", 80, {1, 100},
                                            "chance of a length, in per cent of that of the one before."),
                               row::integer("workload.least_phits", "phits", 1, {1, 4096}, "of a packet.")},
                  .check = check_geometric});

}  // namespace
}  // namespace weft::workloads
