// The options of CODES' model-net and of the programs that read its files, in one place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/import/importer.hpp"

namespace weft::tools::codes {

/// `names` of a row are separated by ", ".
[[nodiscard]] const std::vector<ForeignOption>& options();
/// The option whose name is nearest to `name`, "" if none is near.
[[nodiscard]] std::string option_near(const std::string& name);

}  // namespace weft::tools::codes
