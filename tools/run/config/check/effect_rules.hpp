// Reasons why a key changes nothing that depend on more than one other key, or on the network: each beside the row of
// its key (rows_*.cpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/router_kind.hpp"
#include "tools/run/config/config.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::tools {

/// The kinds that a run uses, and the rows that they declare.
struct KindsInUse {
  std::string topology;
  std::vector<std::string> routers;  ///< its own, then that whose routes it takes
  const workloads::WorkloadKind& workload;

  explicit KindsInUse(const Config& config);
  [[nodiscard]] const models::RouterKind& router() const { return models::router_kind(routers.front()); }
  /// The row of a key that a kind in use declares; null: none does.
  [[nodiscard]] const Setting* row(const std::string& key) const;
};

/// Modes of the kinds in use that packets go by.
[[nodiscard]] std::vector<std::string> modes_in_use(const Config& config);

/// Whether nodes have no links of their own to routers: what only the network itself says.
[[nodiscard]] bool nodes_sit_inside(const Config& config);

/// Why a key has no effect ("KEY = VALUE has no effect WHY"), and what to do; empty: remove it.
struct NoEffect {
  std::string why;
  std::string advice = {};
};
using EffectRule = std::function<std::optional<NoEffect>(const Config&, const KindsInUse&)>;
/// By key.
using EffectRules = std::vector<std::pair<std::string, EffectRule>>;

namespace rows {
[[nodiscard]] EffectRules effects_of_router();
[[nodiscard]] EffectRules effects_of_topology_and_link();
[[nodiscard]] EffectRules effects_of_faults();
}  // namespace rows

}  // namespace weft::tools
