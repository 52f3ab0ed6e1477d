// What NICs that choose routes declare in [router]; docs/myrinet.md has the rules.
#pragma once

#include <optional>
#include <vector>

#include "engine/base/setting.hpp"
#include "models/nic/nics.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models::endpoint {

[[nodiscard]] std::vector<Setting> setting_rows();

/// What is wrong with them, if anything is: keys of other schemes, routes that have no numbers, probes that are longer
/// than packets.
[[nodiscard]] std::optional<Complaint> check_nics(const RouterChoice& choice);

/// Their values, times in ticks.
[[nodiscard]] NicSettings nic_settings(const RouterSettings& settings);

}  // namespace weft::models::endpoint
