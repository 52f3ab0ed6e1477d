// What ideal networks declare in table [ideal], and what it means.
#pragma once

#include <vector>

#include "engine/base/parameters.hpp"
#include "models/faults/live_faults.hpp"
#include "models/nic/message_costs.hpp"

namespace weft::models::ideal {

using Costs = MessageCosts;

/// The keys of table [ideal].
[[nodiscard]] std::vector<Setting> setting_rows();

/// The costs that their values stand for, as RouterSettings::own has them.
[[nodiscard]] Costs costs_of(const Parameters& own);

/// Throws ConfigError if what fails during the run follows rules that make no sense here.
void check_rules(const LiveFaults& faults);

/// Throws ConfigError for a message that takes longer than can be counted.
[[noreturn, gnu::cold]] void fail_too_long(u64 bytes, Tick ticks);

}  // namespace weft::models::ideal
