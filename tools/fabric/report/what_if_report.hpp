// A fabric before and after links or switches are gone: the figures of both side by side, as text, as JSON, as a page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/subnet/forwarding.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/fabric/routed_state.hpp"
#include "tools/fabric/what_if.hpp"

namespace weft::tools {

struct WhatIfColumn {
  std::string name;  ///< key in JSON and heading: tables, before, after
  RoutedState state;
};

struct WhatIf {
  std::string engine;
  Removal removal;
  std::vector<u32> cut_off;  ///< hosts that had a path to the others
  std::size_t hosts_left = 0;
  std::vector<WhatIfColumn> columns;
};

struct WhatIfChoice {
  std::string engine;
  std::vector<std::string> without;  ///< names, as removal_of takes them
  u64 count = 1000, seed = 1;        ///< of random bisect patterns
};

/// `tables`: as the fabric is routed now, for a column of its own; null: there are none. Throws what removal_of and the
/// engine throw.
[[nodiscard]] WhatIf what_if(const Fabric& fabric, const models::ForwardingTables* tables, const WhatIfChoice& choice);

[[nodiscard]] std::string text_of(const Fabric& fabric, const WhatIf& found, const WhatIfChoice& choice);
[[nodiscard]] nlohmann::json json_of(const Fabric& fabric, const WhatIf& found, const WhatIfChoice& choice);
[[nodiscard]] std::string what_if_page(const Fabric& fabric, const WhatIf& found, const WhatIfChoice& choice);

/// So many names of what is cut off or taken away are printed.
constexpr std::size_t most_what_if_names = 20;

}  // namespace weft::tools
