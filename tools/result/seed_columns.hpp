// The columns of the table of seeds by name and unit: what the JSON summary and the HDF5 file are filled from.
#pragma once

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// Calls f(name, member of SeedRow, unit) for each column.
template <class F>
void for_each_seed_column(F&& f) {
  constexpr const char* load = "phits/node/cycle";
  f("seed", &SeedRow::seed, "");
  f("digest", &SeedRow::digest, "");
  f("cycles", &SeedRow::cycles, "cycles");
  f("converged", &SeedRow::converged, "");
  f("packets_delivered", &SeedRow::packets_delivered, "packets");
  f("load_injected", &SeedRow::load_injected, load);
  f("load_accepted", &SeedRow::load_accepted, load);
  f("load_accepted_ci95", &SeedRow::load_accepted_ci95, load);
  f("latency_mean", &SeedRow::latency_mean, "cycles");
  f("latency_mean_ci95", &SeedRow::latency_mean_ci95, "cycles");
  f("latency_p99", &SeedRow::latency_p99, "cycles");
  f("distance_mean", &SeedRow::distance_mean, "links");
}

}  // namespace weft::tools
