// Law "uniform": all lengths of a range with the same chance.
#include <fmt/format.h>

#include "workloads/traffic/length_law.hpp"

namespace weft::workloads {
namespace {

std::optional<Complaint> check_range(const Parameters& keys, u32 longest) {
  const std::string key = "workload.packet_cells";
  if (!keys.has("packet_cells")) {
    return Complaint{key, "is missing (packet_length = \"uniform\" needs it)",
                     fmt::format("write for example packet_cells = [1, {}]", longest)};
  }
  const std::vector<i64> range = keys.integers("packet_cells");
  if (range.size() != 2) {
    return Complaint{key, "is no range (wanted the least and the most phits of a packet)",
                     fmt::format("write for example packet_cells = [1, {}]", longest)};
  }
  if (range[0] > range[1]) {
    return Complaint{key, "is no range (the least comes first)",
                     fmt::format("use packet_cells = [{}, {}]", range[1], range[0])};
  }
  if (range[1] > longest) {
    return Complaint{key, fmt::format("is more than packet.phits = {} (the longest packet)", longest),
                     fmt::format("use packet_cells = [{}, {}] or packet.phits = {}", std::min<i64>(range[0], longest),
                                 longest, range[1])};
  }
  return {};
}

[[maybe_unused]] const bool uniform_registered = LengthRegistry::instance().add(
    "uniform", {.help = "any length of a range, each with the same chance.",
                .lengths =
                    [](const Parameters& keys, u32 /*longest*/) {
                      const std::vector<i64> range = keys.integers("packet_cells");
                      return PacketLengths(static_cast<u32>(range[0]), static_cast<u32>(range[1]));
                    },
                .settings = {row::integers("workload.packet_cells", "phits", {1, 4096},
                                           "[least, most] length of packets; each packet draws one of them.")},
                .check = check_range});

}  // namespace
}  // namespace weft::workloads
