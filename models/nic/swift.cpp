// Swift: sources aim at a delay. Its rules are those of swift_window.hpp.
#include <cmath>
#include <fmt/format.h>

#include "models/nic/congestion_scheme.hpp"
#include "models/nic/swift_window.hpp"

namespace weft::models::endpoint {
namespace {

SwiftRules swift_rules(const CongestionContext& context) {
  const Parameters& keys = context.keys;
  const auto ticks = [&](const char* key) { return static_cast<Tick>(keys.integer(key)) * context.cycle_ticks; };
  const auto factor = [&](const char* key) { return static_cast<u64>(std::llround(keys.real(key) * 0x1p16)); };
  const auto packets = [&](const char* key) { return std::max<u64>(1, factor(key) * context.longest_packet); };
  return {.packet = context.longest_packet,
          .target = ticks("target_cycles"),
          .hop = ticks("hop_cycles"),
          .scaling = ticks("scaling_cycles"),
          .scaling_least = packets("scaling_min_packets"),
          .scaling_most = packets("scaling_max_packets"),
          .increase = packets("increase_packets"),
          .decrease_factor = factor("decrease_factor"),
          .most_decrease = factor("max_decrease"),
          .first = packets("first_packets"),
          .least = packets("min_packets"),
          .most = packets("max_packets"),
          .longest_gap = ticks("max_gap_cycles"),
          .forget = ticks("forget_cycles")};
}

class Swift final : public CongestionScheme {
 public:
  explicit Swift(const CongestionContext& context) : rules_(swift_rules(context)) {}
  u32 window_cells(const FlowState& flow) const override { return flow.as<SwiftWindow>().cells(rules_); }
  Tick sent(FlowState& flow, const SentPacket& packet) const override {
    return flow.as<SwiftWindow>().send(rules_, packet.cells, packet.busy, packet.now);
  }
  void answered(FlowState& flow, const Echo& echo) const override {
    flow.as<SwiftWindow>().answer(rules_, echo.cells, echo.links, echo.delay, echo.now);
  }
  bool idle(FlowState& flow, Tick now) const override {
    flow.as<SwiftWindow>().forget_old(rules_, now);
    return flow.as<SwiftWindow>().size == 0;
  }
  Tick longest_gap(Tick busy) const override { return std::max(busy, rules_.longest_gap); }

 private:
  SwiftRules rules_;
};

std::optional<Complaint> check_swift(const Parameters& keys) {
  const auto above = [&](const std::string& most, const std::string& least) -> std::optional<Complaint> {
    if (keys.real(most) > keys.real(least)) return {};
    return Complaint{"congestion." + most, fmt::format("is no more than congestion.{}", least),
                     fmt::format("use {} = {}", most, 10 * keys.real(least))};
  };
  if (auto complaint = above("max_packets", "min_packets")) return complaint;
  if (keys.real("first_packets") < keys.real("min_packets") || keys.real("first_packets") > keys.real("max_packets")) {
    return Complaint{"congestion.first_packets", "is not between congestion.min_packets and max_packets",
                     fmt::format("use first_packets = {}", keys.real("max_packets"))};
  }
  return above("scaling_max_packets", "scaling_min_packets");
}

std::vector<Setting> rows_of_swift() {
  constexpr i64 most = 1 << 30;
  return {row::integer("congestion.target_cycles", "cycles", 300, {1, most},
                       "from sending a packet to its answer that a source aims at, without what links and windows add "
                       "(base target delay)."),
          row::integer("congestion.hop_cycles", "cycles", 20, {0, most},
                       "by which the target rises for each link of the answer's path (topology scaling)."),
          row::integer("congestion.scaling_cycles", "cycles", 0, {0, most},
                       "by which the target rises at most for flows with small windows (fs_range of flow scaling)."),
          row::real("congestion.scaling_min_packets", "packets", 0.1, {0.001, 1e6},
                    "window at which the target has all of congestion.scaling_cycles."),
          row::real("congestion.scaling_max_packets", "packets", 100, {0.001, 1e6},
                    "window from which on it has nothing of it."),
          row::real("congestion.increase_packets", "packets", 1, {0.001, 1000},
                    "by which a window rises in a round trip below the target (ai)."),
          row::real("congestion.decrease_factor", "", 0.8, {0.001, 1},
                    "by which a window falls, times the fraction of the delay that is above the target (beta)."),
          row::real("congestion.max_decrease", "", 0.5, {0.001, 0.99},
                    "fraction by which it falls at most, once in a round trip (max_mdf)."),
          row::real("congestion.first_packets", "packets", 10, {0.001, 1e6}, "window of a new flow."),
          row::real("congestion.min_packets", "packets", 0.001, {0.001, 1e6},
                    "the least window; below one packet, pauses keep it."),
          row::real("congestion.max_packets", "packets", 100, {0.001, 1e6}, "the largest window."),
          row::integer("congestion.max_gap_cycles", "cycles", 100'000, {1, most},
                       "between two packets of a flow with a window below one packet, at most."),
          row::integer("congestion.forget_cycles", "cycles", 1'000'000, {1, most},
                       "after which a flow without answers is a new one.")};
}

[[maybe_unused]] const bool swift_registered = CongestionRegistry::instance().add(
    "swift", {.help = "sources aim at a delay: windows that rise by steps below it and fall in proportion to what is "
                      "above it (Kumar et al., SIGCOMM 2020).",
              .settings = rows_of_swift(),
              .check = check_swift,
              .make = [](const CongestionContext& context) { return std::make_unique<Swift>(context); },
              .has_windows = true,
              .measures_delay = true});

}  // namespace
}  // namespace weft::models::endpoint
