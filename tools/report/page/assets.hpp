// The files that pages embed: style sheets and scripts, built in by embed.cmake.
#pragma once

#include <string_view>
#include <vector>

namespace weft::tools::page {

struct Asset {
  std::string_view name;  ///< "page.js"; what it is says its ending
  std::string_view text;
};

/// In the order in which a page needs them.
[[nodiscard]] const std::vector<Asset>& assets();

}  // namespace weft::tools::page
