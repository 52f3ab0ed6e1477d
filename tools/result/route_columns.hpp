// What NICs that choose routes did, by name and unit: what the JSON summary and the HDF5 file are filled from.
#pragma once

#include "models/core/statistics.hpp"

namespace weft::tools {

/// Calls f(name, member of models::RouteCounts, unit) for each count.
template <class F>
void for_each_route_count(F&& f) {
  using models::RouteCounts;
  f("out_of_order_packets", &RouteCounts::out_of_order, "packets");
  f("stopped_packets", &RouteCounts::stopped, "packets");
  f("rerouted", &RouteCounts::rerouted, "");
  f("forced", &RouteCounts::forced, "");
  f("probes", &RouteCounts::probes, "packets");
}

}  // namespace weft::tools
