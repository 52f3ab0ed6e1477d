// Routing engines side by side on a fabric, and the tables that were recorded on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/routed_state.hpp"

namespace weft::tools {

/// What an engine makes of a fabric.
struct EngineRow {
  std::string engine;           ///< "recorded tables" for those
  std::string refusal;          ///< why the engine does not route it; empty: it does
  RoutedState state;            ///< of the hosts of the largest part
  u32 lanes = 1;                ///< virtual lanes that keep its routes free of deadlock; 0: more than most_lanes
  std::optional<double> shift;  ///< shift_bandwidth; of large fabrics, or where routes are lost, nothing
  double seconds = 0;           ///< that the engine took; 0 of recorded tables
  [[nodiscard]] bool routed() const { return refusal.empty(); }
};

/// As many virtual lanes as data may use in InfiniBand.
constexpr u32 most_lanes = 15;

struct EngineComparison {
  const Fabric* fabric = nullptr;
  std::size_t hosts = 0;  ///< that are compared
  std::vector<EngineRow> rows;
};

struct CompareChoice {
  std::vector<std::string> engines;
  u64 patterns = 1000, seed = 1;
};

/// `tables`: recorded ones, compared first; null: there are none. Keeps `fabric`. Patterns are shared out over the
/// ranks; the comparison is on rank 0 and, but for the seconds, the same for any number of them. Collective.
[[nodiscard]] EngineComparison compare_engines(const Fabric& fabric, const models::ForwardingTables* tables,
                                               const CompareChoice& choice, engine::Transport& transport,
                                               Progress& progress);

}  // namespace weft::tools
