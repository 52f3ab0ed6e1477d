// By which rule an output of a switch chooses among those that ask for it: router.scheduling.
#pragma once

#include "engine/setting.hpp"
#include "models/routing/settings.hpp"

namespace weft::models::arbiter {

enum class Scheduling : u8 { islip, age, random, vl_arbitration };

[[nodiscard]] Setting scheduling_row();
/// What router.scheduling says.
[[nodiscard]] Scheduling scheduling_of(const RouterSettings& settings);

}  // namespace weft::models::arbiter
