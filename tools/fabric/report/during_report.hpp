// What flows get while a part of a fabric is down, over time: as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/fabric/during_loss.hpp"

namespace weft::tools {

[[nodiscard]] std::string text_of(const Fabric& fabric, const LossDuring& found, const LossDuringChoice& choice);
[[nodiscard]] nlohmann::json json_of(const Fabric& fabric, const LossDuring& found, const LossDuringChoice& choice);

}  // namespace weft::tools
