// DCQCN: switches mark packets where many cells wait (random early detection), and sources that are notified of it slow
// down.
#include <cmath>
#include <fmt/format.h>

#include "models/nic/congestion_scheme.hpp"
#include "models/nic/flow_rate.hpp"

namespace weft::models::endpoint {
namespace {

class Dcqcn final : public CongestionScheme {
 public:
  explicit Dcqcn(const CongestionContext& context) {
    const Parameters& keys = context.keys;
    const auto whole = [&](const char* key) { return static_cast<u32>(keys.integer(key)); };
    const auto ticks = [&](const char* key) { return Tick{whole(key)} * context.cycle_ticks; };
    const auto fraction = [&](const char* key) { return static_cast<u32>(std::llround(keys.real(key) * one_whole)); };
    min_cells_ = whole("min_cells");
    max_cells_ = whole("max_cells");
    probability_ = static_cast<u64>(std::llround(keys.real("max_probability") * 0x1p32));
    quiet_ticks_ = ticks("cnp_cycles");
    rules_ = {.gain = fraction("rate_gain"),
              .timer_ticks = ticks("rate_timer_cycles"),
              .counter_cells = whole("rate_counter_cells"),
              .stages = whole("rate_stages"),
              .step = fraction("rate_step"),
              .fast_step = fraction("rate_fast_step"),
              .least = fraction("rate_least")};
  }
  Tick sent(FlowState& flow, const SentPacket& packet) const override {
    return flow.as<FlowRate>().send(rules_, packet.now, packet.cells, packet.busy);
  }
  void answered(FlowState& flow, const Echo& echo) const override {
    if (echo.marked) flow.as<FlowRate>().reduce(rules_, echo.now);
  }
  bool idle(FlowState& flow, Tick now) const override {
    flow.as<FlowRate>().advance(rules_, now);
    return flow.as<FlowRate>().limited == 0;
  }
  Tick longest_gap(Tick busy) const override { return busy * one_whole / std::max(rules_.least, 1U); }
  bool marks(const LeavingPacket& packet) const override {
    if (packet.waiting <= min_cells_) return false;
    if (packet.waiting > max_cells_) return true;
    return packet.draw() * (max_cells_ - min_cells_) < probability_ * (packet.waiting - min_cells_);
  }
  Tick quiet_ticks() const override { return quiet_ticks_; }

 private:
  u32 min_cells_, max_cells_;
  u64 probability_;  ///< of marking at max_cells_, in units of 2^-32
  Tick quiet_ticks_;
  RateRules rules_;
};

std::optional<Complaint> check_dcqcn(const Parameters& keys) {
  if (keys.integer("max_cells") > keys.integer("min_cells")) return {};
  return Complaint{"congestion.max_cells", "is no more than congestion.min_cells",
                   fmt::format("use max_cells = {}", 4 * std::max<i64>(1, keys.integer("min_cells")))};
}

std::vector<Setting> rows_of_dcqcn() {
  return {
      row::integer("congestion.min_cells", "cells", 16, {0, 1 << 20},
                   "that wait for an output without packets being marked that leave through it."),
      row::integer("congestion.max_cells", "cells", 64, {1, 1 << 20},
                   "that wait for an output at most before all packets are marked; between the two the probability "
                   "rises from 0 to congestion.max_probability."),
      row::real("congestion.max_probability", "", 0.01, {0.0, 1.0}, "of marking at congestion.max_cells."),
      row::integer("congestion.cnp_cycles", "cycles", 500, {1, 1 << 30},
                   "between two notifications of a destination to the same source."),
      row::integer("congestion.rate_timer_cycles", "cycles", 550, {1, 1 << 30},
                   "after which a source that has heard nothing raises its rate, and trusts more (T and K of DCQCN)."),
      row::integer("congestion.rate_counter_cells", "cells", 20'000, {1, 1 << 30},
                   "after which it raises its rate as well (B of DCQCN)."),
      row::real("congestion.rate_gain", "", 1.0 / 256, {1e-6, 1.0},
                "weight of the latest in a source's estimate of congestion (g of DCQCN)."),
      row::integer(
          "congestion.rate_stages", "", 5, {1, 1'000},
          "expiries of timer or counter in which a rate halves its way back; then its aim rises (F of DCQCN)."),
      row::real("congestion.rate_step", "", 0.001, {1e-6, 1.0},
                "fraction of the node's link by which the aim rises then (R_AI of DCQCN)."),
      row::real(
          "congestion.rate_fast_step", "", 0.01, {1e-6, 1.0},
          "by which it rises, more each time, when timer and counter both have expired so often (R_HI of DCQCN)."),
      row::real("congestion.rate_least", "", 0.001, {1e-6, 1.0},
                "fraction of the node's link that a flow keeps in any case.")};
}

[[maybe_unused]] const bool dcqcn_registered = CongestionRegistry::instance().add(
    "dcqcn",
    {.help = "switches mark packets where many cells wait, and sources that are notified of it slow down (Zhu et al., "
             "SIGCOMM 2015).",
     .settings = rows_of_dcqcn(),
     .check = check_dcqcn,
     .make = [](const CongestionContext& context) { return std::make_unique<Dcqcn>(context); },
     .marks = true});

}  // namespace
}  // namespace weft::models::endpoint
