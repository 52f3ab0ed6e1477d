// `weft topology --find`: networks of each kind of about so many nodes.
#pragma once

#include <string>

#include "engine/base/types.hpp"

namespace weft::tools {

struct FindOptions {
  u64 nodes = 0;     ///< about how many
  u32 radix = 0;     ///< most ports of a router; 0: any number
  std::string json;  ///< "-": standard output, which then holds nothing else; empty: as text
  std::string cost;  ///< prices and floor; empty: nothing is said of cost
};
/// Lists networks of each kind of about that size. Throws ConfigError if there is none.
void find_topologies(const FindOptions& options);

}  // namespace weft::tools
