// Files of connections of CODES' dragonflies: records of numbers of 32 bits, the lower byte first. Within groups: two
// routers, and in files of three numbers the colour of the cable; between groups: two routers of the whole network.
#pragma once

#include <string>
#include <vector>

#include "tools/import/fabric_text.hpp"
#include "tools/import/importer.hpp"

namespace weft::tools::codes {

struct Cable {
  u32 a = 0, b = 0;  ///< a < b
  u32 count = 1;     ///< side by side
};

/// Cables of a group of `routers`, each once whether a file has both of its directions or one; in order. Throw
/// ConfigError with file and offset for a file that is cut off, and for routers that there are not.
[[nodiscard]] std::vector<Cable> read_group_cables(const ForeignFile& file, i64 routers);
[[nodiscard]] std::vector<Cable> read_global_cables(const ForeignFile& file, i64 routers, i64 routers_per_group);

/// What CODES' generator for Cray's XC makes: rows and columns joined all to all, with so many cables side by side.
[[nodiscard]] std::vector<Cable> cray_group_cables(i64 rows, i64 columns, i64 row_cables, i64 column_cables);
/// And between groups: of each row two routers side by side, with two cables to the routers of the same place.
[[nodiscard]] std::vector<Cable> cray_global_cables(i64 groups, i64 rows, i64 columns);

/// Whether every two routers of a group have one cable.
[[nodiscard]] bool joins_all(const std::vector<Cable>& cables, i64 routers);
/// Whether any two groups have as many cables as any others, within one, and every router of `with_links` as many.
[[nodiscard]] bool is_even(const std::vector<Cable>& cables, i64 groups, i64 routers_per_group);
/// Whether a dragonfly's cables are those of a group's global ports in turn, counted up from the group on: port k leads
/// to the group k + 1 further on.
[[nodiscard]] bool is_relative(const std::vector<Cable>& cables, i64 groups, i64 routers_per_group, i64 links);

}  // namespace weft::tools::codes
