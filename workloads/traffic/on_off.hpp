// What laws with periods of packets and of silence share.
#pragma once

#include <optional>
#include <vector>

#include "workloads/traffic/arrival_law.hpp"

namespace weft::workloads {

/// Mean lengths of periods, and how many packets come in those with packets.
struct OnOff {
  explicit OnOff(const ArrivalSpec& spec);
  double on, off;  ///< cycles
  double chance;   ///< of a packet in each cycle of an on period; the mean load is as without periods
  [[nodiscard]] double on_fraction() const { return on / (on + off); }
};

/// workload.on_cycles and off_cycles.
[[nodiscard]] std::vector<Setting> rows_of_on_off();
/// Refuses what would need more than a phit a cycle in on periods.
[[nodiscard]] std::optional<Complaint> check_on_off(const Parameters& keys, double offered_load);

}  // namespace weft::workloads
