// Routes of InfiniBand switches: by forwarding tables, on virtual lanes that service levels are mapped to at each hop.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/base/setting.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {

/// Their keys: router.sl_by, router.sl_shares, router.sl2vl.
[[nodiscard]] std::vector<Setting> service_level_rows();
/// What is wrong with them.
[[nodiscard]] std::optional<Complaint> check_service_levels(const RouterChoice& choice);

/// What gives packets their service level.
enum class LevelDraws : u8 {
  by_shares,  ///< a draw with the weights of router.sl_shares
  evenly,     ///< for searches, which try few draws: a draw with the same weight for all that have one
};
/// A routing that has the level of a packet in RouteState::phase. Throws ConfigError for levels that get lanes which
/// links do not have, and what table_routes throws.
[[nodiscard]] std::unique_ptr<Routing> service_level_routing(const Topology& topology, const RouterSettings& settings,
                                                             LevelDraws draws);

}  // namespace weft::models
