// Which routing engine suits a fabric, where nobody has said which: tried, not guessed.
#pragma once

#include <string>

#include "models/subnet/engine/routing_engine.hpp"

namespace weft::models {

/// Tables of an engine.
struct BestRouting {
  std::string engine;
  FabricRouting routing;
};

/// Entries of tables (switches times targets) up to which all engines are tried; for larger fabrics it is updn, or dor
/// where links carry packets one way only.
constexpr u64 most_entries_tried = u64{1} << 24;

/// Tries all engines. Those come first whose routes join all hosts that can be joined and are free of credit loops in
/// no more than `most_layers` virtual layers; among them the one whose most loaded link carries most uniform traffic;
/// of those within a hundredth of it the one with the fewest layers, then dmodk, minhop, updn, sssp, dor, and others by
/// their names. If none is free of credit loops: updn, or dor where links carry packets one way only. Layers are those
/// that keep the routes free of credit loops. `one_layer`: only one is allowed, and routes of the last resort may close
/// loops. Deterministic. Throws ConfigError if the last resort cannot route it.
[[nodiscard]] BestRouting best_routing(const Subnet& subnet, u32 most_layers, bool one_layer = false);

/// Load of uniform traffic, of what a host's link carries, at which the most loaded link between switches is full under
/// these tables; 1 at most.
[[nodiscard]] double uniform_bound(const Subnet& subnet, const ForwardingTables& tables);

}  // namespace weft::models
