// Law "bimodal": short packets and long ones, as requests and replies or as acknowledgements among data.
#include <cmath>
#include <fmt/format.h>

#include "workloads/traffic/length_law.hpp"

namespace weft::workloads {
namespace {

u32 long_phits(const Parameters& keys, u32 longest) {
  const i64 given = keys.integer("long_phits");
  return given == 0 ? longest : static_cast<u32>(given);
}

std::optional<Complaint> check_bimodal(const Parameters& keys, u32 longest) {
  const i64 shorter = keys.integer("short_phits"), longer = long_phits(keys, longest);
  if (longer > longest) {
    return Complaint{"workload.long_phits", fmt::format("is more than packet.phits = {} (the longest packet)", longest),
                     fmt::format("use long_phits = {}, or 0", longest)};
  }
  if (shorter > longer) {
    return Complaint{"workload.short_phits", fmt::format("is more than the {} phits of long packets", longer),
                     fmt::format("use short_phits = {}", longer)};
  }
  return {};
}

PacketLengths bimodal(const Parameters& keys, u32 longest) {
  constexpr double all = 1'000'000'000;
  const u32 shorter = static_cast<u32>(std::llround(keys.real("short_fraction") * all));
  return PacketLengths({{static_cast<u32>(keys.integer("short_phits")), shorter},
                        {long_phits(keys, longest), static_cast<u32>(all) - shorter}});
}

[[maybe_unused]] const bool bimodal_registered = LengthRegistry::instance().add(
    "bimodal",
    {.help = "short packets and long ones.",
     .lengths = bimodal,
     .settings = {row::integer("workload.short_phits", "phits", 1, {1, 4096}, "length of short packets."),
                  row::integer("workload.long_phits", "phits", 0, {0, 4096},
                               "length of long packets; 0: packet.phits."),
                  row::real("workload.short_fraction", "", 0.5, {0.0, 1.0}, "fraction of the packets that are short.")},
     .check = check_bimodal});

}  // namespace
}  // namespace weft::workloads
