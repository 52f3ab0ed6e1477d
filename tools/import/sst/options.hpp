// The parameters of SST's merlin, ember and firefly, in one place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/import/importer.hpp"

namespace weft::tools::sst {

/// `names` of a row are separated by ", "; "merlin.linkcontrol:link_bw" is a parameter of one type of component alone.
[[nodiscard]] const std::vector<ForeignOption>& options();
/// The row of a parameter of a component of that type; null if there is none.
[[nodiscard]] const ForeignOption* option_of(std::string_view type, std::string_view name);
/// The parameter whose name is nearest, "" if none is near.
[[nodiscard]] std::string option_near(const std::string& name);

}  // namespace weft::tools::sst
