// Multistage switches as plain routers, for trees with failed links.
#pragma once

#include <memory>

#include "models/routing/routing.hpp"
#include "models/routing/settings.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

/// Modes of multistage switches; `fixed` is "static".
enum class MultistageMode : u8 { adaptive, fixed, static_by_channel, static_by_credits };
/// Whether a packet keeps the channel that it draws at its source: it compares no credits.
[[nodiscard]] constexpr bool keeps_channel(MultistageMode mode) {
  return mode == MultistageMode::fixed || mode == MultistageMode::static_by_channel;
}

/// Routes as MultistagePolicy does: up by free space or by the source's number, down by the digits of the destination.
/// Throws ConfigError for what only that has (router.credit_ties).
[[nodiscard]] std::unique_ptr<Routing> plain_multistage(const Topology& topology, const RouterSettings& settings);

}  // namespace weft::models
