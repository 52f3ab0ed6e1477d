// Laws of packet lengths: how long the packets of synthetic traffic are; one file per law, found by name.
// docs/adding-a-length-law.md adds one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/complaint.hpp"
#include "engine/base/parameters.hpp"
#include "engine/base/registry.hpp"
#include "engine/base/setting.hpp"
#include "workloads/traffic/packet_lengths.hpp"

namespace weft::workloads {

struct LengthLaw {
  static constexpr ChoiceKey choice{"workload.packet_length"};

  std::string help;  ///< one line
  /// From the keys of [workload], for packets of so many phits at most.
  std::function<PacketLengths(const Parameters& keys, u32 longest)> lengths;
  std::vector<Setting> settings = {};  ///< its own keys, "workload.short_phits"...
  /// What is wrong with the keys, if anything is.
  std::function<std::optional<Complaint>(const Parameters& keys, u32 longest)> check = {};
};
using LengthRegistry = Registry<LengthLaw>;

}  // namespace weft::workloads
