// Rows of [simulation]: seed, time scale and when a run ends.
#include "tools/run/config/settings.hpp"

namespace weft::tools::rows {

std::vector<Setting> simulation() {
  // Cycle counts stay far enough below 2^63 that a cycle may be many ticks.
  constexpr i64 most_cycles = 1'000'000'000'000;
  return {
      row::integer("simulation.seed", "", 1, {0}, "Seed of all random numbers: same config and seed, same history."),
      row::choice("simulation.stop", "auto", {"auto", "steady-state", "workload-complete", "cycles"},
                  "When the run ends: after the measurement in steady state, when the workload has ended and all its "
                  "packets are delivered, or after simulation.cycles. auto: cycles if simulation.cycles is given, else "
                  "steady-state for synthetic traffic and workload-complete for all other workloads."),
      row::integer("simulation.cycles", "cycles", 0, {0, most_cycles}, "Stop after so many cycles; 0 = not given."),
      row::integer("simulation.max_cycles", "cycles", 0, {0, most_cycles},
                   "Safety limit: stop after so many cycles whatever else was asked for; 0 = no limit."),
      row::integer("simulation.tick_ps", "ps", 0, {0, 1'000'000'000},
                   "Length of a tick of simulated time. 0 = a tick is a network cycle of no stated length. With "
                   "link.rate_gbps the time of a phit must be a whole number of ticks; without it a tick is a cycle."),
      row::integer(
          "simulation.launch_cycles", "cycles", 1000, {1, most_cycles},
          "Several jobs ([[job]]): those that follow others begin, and background ends, at multiples of so many "
          "cycles."),
      row::integer("simulation.watchdog_cycles", "cycles", 100'000, {1, most_cycles},
                   "No delivery for so long with packets in the network is a deadlock and ends the run; at least what "
                   "links, routers and sources may take without one."),
  };
}

}  // namespace weft::tools::rows
