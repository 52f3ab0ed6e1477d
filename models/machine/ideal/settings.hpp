// What ideal networks declare in table [ideal], and what it means.
#pragma once

#include <vector>

#include "engine/parameters.hpp"
#include "models/endpoint/message_costs.hpp"

namespace weft::models::ideal {

using Costs = MessageCosts;

/// The keys of table [ideal].
[[nodiscard]] std::vector<Setting> setting_rows();

/// The costs that their values stand for, as RouterSettings::own has them.
[[nodiscard]] Costs costs_of(const Parameters& own);

}  // namespace weft::models::ideal
