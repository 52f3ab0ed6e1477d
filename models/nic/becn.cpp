// InfiniBand's congestion control: marks (FECN) where an output moves and many cells wait, notifications (BECN), and a
// table of delays (CCT) by which sources pause.
#include <algorithm>

#include "models/nic/congestion_scheme.hpp"
#include "models/nic/injection_delay.hpp"

namespace weft::models::endpoint {
namespace {

/// Per cent, [index].
std::vector<u32> delays_of(const Parameters& keys) {
  constexpr u32 default_entries = 128, default_step = 50;
  std::vector<u32> table;
  if (keys.has("cct_percent")) {
    for (const i64 percent : keys.integers("cct_percent")) table.push_back(static_cast<u32>(percent));
    return table;
  }
  for (u32 index = 0; index < default_entries; ++index) table.push_back(index * default_step);
  return table;
}

class Becn final : public CongestionScheme {
 public:
  explicit Becn(const CongestionContext& context) {
    const Parameters& keys = context.keys;
    min_cells_ = static_cast<u32>(keys.integer("min_cells"));
    marking_rate_ = static_cast<u32>(keys.integer("marking_rate"));
    least_cells_ = static_cast<u32>(keys.integer("least_cells"));
    rules_ = {.table = delays_of(keys),
              .increase = static_cast<u32>(keys.integer("cct_increase")),
              .timer_ticks = static_cast<Tick>(keys.integer("cct_timer_cycles")) * context.cycle_ticks};
  }
  Tick sent(FlowState& flow, const SentPacket& packet) const override {
    return flow.as<InjectionDelay>().send(rules_, packet.now, packet.busy);
  }
  void answered(FlowState& flow, const Echo& echo) const override {
    if (echo.marked) flow.as<InjectionDelay>().raise(rules_, echo.now);
  }
  bool idle(FlowState& flow, Tick now) const override {
    flow.as<InjectionDelay>().advance(rules_, now);
    return flow.as<InjectionDelay>().index == 0;
  }
  Tick longest_gap(Tick busy) const override { return busy + (busy * rules_.table.back() + 99) / 100; }
  bool marks(const LeavingPacket& packet) const override {
    if (packet.waiting <= min_cells_ || !packet.moves || packet.cells < least_cells_) return false;
    return marking_rate_ == 0 || packet.draw() * (marking_rate_ + u64{1}) < u64{1} << 32;
  }

 private:
  u32 min_cells_, marking_rate_, least_cells_;
  DelayRules rules_;
};

std::optional<Complaint> check_table(const Parameters& keys) {
  if (!keys.has("cct_percent")) return {};
  const std::vector<i64> table = keys.integers("cct_percent");
  if (table.size() > 1 && table.front() == 0 && std::ranges::is_sorted(table)) return {};
  return Complaint{"congestion.cct_percent",
                   "is no table of delays (at least two, the first 0, none less than the one before)",
                   "use for example cct_percent = [0, 50, 100, 200, 400]"};
}

std::vector<Setting> rows_of_becn() {
  return {
      row::integer("congestion.min_cells", "cells", 16, {0, 1 << 20},
                   "that wait for an output without any packets being marked that leave through it (the threshold)."),
      row::integer("congestion.marking_rate", "packets", 0, {0, 65'535},
                   "mean number of packets that might be marked between two that are (Marking_Rate)."),
      row::integer("congestion.least_cells", "cells", 1, {1, 4096}, "shorter packets are not marked (Packet_Size)."),
      row::integers("congestion.cct_percent", "%", {0, 1'000'000},
                    "what a source waits after a packet, in per cent of the time that the packet takes, for each "
                    "index of a flow (CCT); not given: 0, 50, 100... of 128 entries."),
      row::integer("congestion.cct_increase", "", 1, {1, 127},
                   "by which the index of a flow rises with a notification (CCTI_Increase)."),
      row::integer("congestion.cct_timer_cycles", "cycles", 2'000, {1, 1 << 30},
                   "after so long the index falls by one (CCTI_Timer).")};
}

[[maybe_unused]] const bool becn_registered = CongestionRegistry::instance().add(
    "infiniband",
    {.help = "marks where an output moves and many cells wait (FECN), notifications (BECN), and a table of "
             "delays by which sources pause (CCT): annex A10 of the InfiniBand specification.",
     .settings = rows_of_becn(),
     .check = check_table,
     .make = [](const CongestionContext& context) { return std::make_unique<Becn>(context); },
     .marks = true});

}  // namespace
}  // namespace weft::models::endpoint
