// A scheme of congestion control from outside the source folders: docs/adding-a-congestion-control.md.
#include <algorithm>

#include "models/nic/congestion_scheme.hpp"

namespace weft::models::endpoint {
namespace {

/// What is known of a flow; all 0: nothing.
struct Halved {
  u64 halvings = 0;  ///< the gap after a packet is 2^halvings times the packet's time
  Tick told_at = 0;
};

/// Destinations tell of every marked packet; each time the rate halves, and after congestion.calm_cycles without such
/// news it doubles.
class Halving final : public CongestionScheme {
 public:
  explicit Halving(const CongestionContext& context)
      : most_waiting_(static_cast<u32>(context.keys.integer("most_waiting_cells"))),
        calm_ticks_(static_cast<Tick>(context.keys.integer("calm_cycles")) * context.cycle_ticks) {}

  bool marks(const LeavingPacket& packet) const override { return packet.moves && packet.waiting > most_waiting_; }

  Tick sent(FlowState& flow, const SentPacket& packet) const override {
    return packet.busy << now(flow, packet.now).halvings;
  }
  void answered(FlowState& flow, const Echo& echo) const override {
    if (!echo.marked) return;
    Halved& state = now(flow, echo.now);
    state = {std::min<u64>(state.halvings + 1, most_halvings), echo.now};
  }
  bool idle(FlowState& flow, Tick tick) const override { return now(flow, tick).halvings == 0; }
  Tick longest_gap(Tick busy) const override { return busy << most_halvings; }

 private:
  static constexpr u64 most_halvings = 10;
  /// With what the time has done.
  Halved& now(FlowState& flow, Tick tick) const {
    Halved& state = flow.as<Halved>();
    for (; state.halvings != 0 && state.told_at + calm_ticks_ <= tick; state.told_at += calm_ticks_) --state.halvings;
    return state;
  }

  u32 most_waiting_;
  Tick calm_ticks_;
};

const bool halving_registered = CongestionRegistry::instance().add(
    "halved-rate",
    {.help = "the rate of a flow halves with each marked packet and doubles when there are none.",
     .settings = {row::integer("congestion.most_waiting_cells", "cells", 64, {0, 1 << 20},
                               "that wait for an output without packets being marked that leave through it."),
                  row::integer("congestion.calm_cycles", "cycles", 1000, {1, 1 << 30},
                               "without news of a mark, after which a rate doubles.")},
     .make = [](const CongestionContext& context) { return std::make_unique<Halving>(context); },
     .marks = true});

}  // namespace
}  // namespace weft::models::endpoint
