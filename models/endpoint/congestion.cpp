// The rows of congestion control in [router], and their values in ticks.
#include "models/endpoint/congestion.hpp"

#include <cmath>

#include "engine/meaning.hpp"
#include "engine/setting.hpp"

namespace weft::models::endpoint {
namespace {

u32 share_of(const RouterSettings& settings, const char* key) {
  return static_cast<u32>(std::llround(settings.own.real(key) * one_whole));
}

/// Per cent, [index].
std::vector<u32> delays_of(const RouterSettings& settings) {
  constexpr u32 usual_entries = 128, usual_step = 50;
  std::vector<u32> table;
  if (settings.own.has("cct_percent")) {
    for (const i64 percent : settings.own.integers("cct_percent")) table.push_back(static_cast<u32>(percent));
    return table;
  }
  for (u32 index = 0; index < usual_entries; ++index) table.push_back(index * usual_step);
  return table;
}

}  // namespace

std::vector<Setting> congestion_rows() {
  return {
      row::integer("router.window_cells", "cells", 0, {0, 1 << 30},
                   "under way from a node to another at most, until their acknowledgements are back; 0: any number."),
      row::choice("router.ecn", "none", {"none", "dcqcn", "infiniband"},
                  "dcqcn: switches mark packets where many cells wait, and sources that are told so slow down (Zhu et "
                  "al., SIGCOMM 2015); infiniband: the same with InfiniBand's marks (FECN), notifications (BECN) and "
                  "table of delays (CCT)."),
      row::integer("router.ecn_min_cells", "cells", 16, {0, 1 << 20},
                   "that wait for an output without packets being marked that leave through it (dcqcn), or none that "
                   "leave are marked (infiniband: the threshold).")
          .only_with("router.ecn", {"dcqcn", "infiniband"}),
      row::integer("router.ecn_max_cells", "cells", 64, {1, 1 << 20},
                   "that wait for an output at most before all packets are marked; between the two the probability "
                   "rises from 0 to router.ecn_max_probability.")
          .only_with("router.ecn", {"dcqcn"}),
      row::real("router.ecn_max_probability", "", 0.01, {0.0, 1.0}, "of marking at router.ecn_max_cells.")
          .only_with("router.ecn", {"dcqcn"}),
      row::integer("router.cnp_cycles", "cycles", 500, {1, 1 << 30},
                   "between two notifications of a destination to the same source.")
          .only_with("router.ecn", {"dcqcn"}),
      row::integer("router.rate_timer_cycles", "cycles", 550, {1, 1 << 30},
                   "after which a source that has heard nothing raises its rate, and trusts more (T and K of DCQCN).")
          .only_with("router.ecn", {"dcqcn"}),
      row::integer("router.rate_counter_cells", "cells", 20'000, {1, 1 << 30},
                   "after which it raises its rate as well (B of DCQCN).")
          .only_with("router.ecn", {"dcqcn"}),
      row::real("router.rate_gain", "", 1.0 / 256, {1e-6, 1.0},
                "weight of the latest in a source's estimate of congestion (g of DCQCN).")
          .only_with("router.ecn", {"dcqcn"}),
      row::integer("router.rate_stages", "", 5, {1, 1'000},
                   "expiries of timer or counter in which a rate halves its way back; then its aim rises (F of DCQCN).")
          .only_with("router.ecn", {"dcqcn"}),
      row::real("router.rate_step", "", 0.001, {1e-6, 1.0},
                "share of the node's link by which the aim rises then (R_AI of DCQCN).")
          .only_with("router.ecn", {"dcqcn"}),
      row::real("router.rate_fast_step", "", 0.01, {1e-6, 1.0},
                "by which it rises, more each time, when timer and counter both have expired so often (R_HI of DCQCN).")
          .only_with("router.ecn", {"dcqcn"}),
      row::real("router.rate_least", "", 0.001, {1e-6, 1.0}, "share of the node's link that a flow keeps in any case.")
          .only_with("router.ecn", {"dcqcn"}),
      row::integer("router.ecn_marking_rate", "packets", 0, {0, 65'535},
                   "infiniband: mean number of packets that might be marked between two that are (Marking_Rate).")
          .only_with("router.ecn", {"infiniband"}),
      row::integer("router.ecn_least_cells", "cells", 1, {1, 4096},
                   "infiniband: shorter packets are not marked (Packet_Size).")
          .only_with("router.ecn", {"infiniband"}),
      row::integers(
          "router.cct_percent", "%", {0, 1'000'000},
          "infiniband: what a source waits after a packet, in per cent of the time that the packet takes, for "
          "each index of a flow (CCT); not given: 0, 50, 100... of 128 entries.")
          .only_with("router.ecn", {"infiniband"}),
      row::integer("router.cct_increase", "", 1, {1, 127},
                   "infiniband: by which the index of a flow rises with a notification (CCTI_Increase).")
          .only_with("router.ecn", {"infiniband"}),
      row::integer("router.cct_timer_cycles", "cycles", 2'000, {1, 1 << 30},
                   "infiniband: after so long the index falls by one (CCTI_Timer).")
          .only_with("router.ecn", {"infiniband"})};
}

CongestionSettings congestion_settings(const RouterSettings& settings) {
  const auto whole = [&](const char* key) { return static_cast<u32>(settings.own.integer(key)); };
  CongestionSettings s;
  s.window_cells = whole("window_cells");
  s.longest_packet = settings.packet_phits;
  s.ecn = meaning_of<Ecn>(settings.own.text("ecn"),
                          {{"none", Ecn::none}, {"dcqcn", Ecn::dcqcn}, {"infiniband", Ecn::infiniband}});
  s.min_cells = whole("ecn_min_cells");
  s.max_cells = whole("ecn_max_cells");
  s.probability = static_cast<u64>(std::llround(settings.own.real("ecn_max_probability") * 0x1p32));
  s.quiet_ticks = s.ecn == Ecn::infiniband ? 0 : Tick{whole("cnp_cycles")} * settings.cycle_ticks;
  s.marking_rate = whole("ecn_marking_rate");
  s.least_cells = whole("ecn_least_cells");
  s.delays = {.table = delays_of(settings),
              .increase = whole("cct_increase"),
              .timer_ticks = Tick{whole("cct_timer_cycles")} * settings.cycle_ticks};
  s.rates = {.gain = share_of(settings, "rate_gain"),
             .timer_ticks = Tick{whole("rate_timer_cycles")} * settings.cycle_ticks,
             .counter_cells = whole("rate_counter_cells"),
             .stages = whole("rate_stages"),
             .step = share_of(settings, "rate_step"),
             .fast_step = share_of(settings, "rate_fast_step"),
             .least = share_of(settings, "rate_least")};
  return s;
}

Tick longest_gap(const CongestionSettings& settings, Tick busy) {
  switch (settings.ecn) {
    case Ecn::none:
      return 0;
    case Ecn::dcqcn:
      return busy * one_whole / std::max(settings.rates.least, 1U);
    case Ecn::infiniband:
      return busy + (busy * settings.delays.table.back() + 99) / 100;
  }
  throw Bug("a control of congestion without gaps");
}

}  // namespace weft::models::endpoint
