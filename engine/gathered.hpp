// Rows of all ranks in one list.
#pragma once

#include <vector>

#include "engine/transport.hpp"

namespace weft::engine {

/// All ranks' rows on rank 0, rank after rank; empty elsewhere. T is copied byte by byte. Collective.
template <class T>
[[nodiscard]] std::vector<T> gathered(Transport& transport, const std::vector<T>& mine) {
  std::vector<T> all;
  for (const auto& rows : gather_values<T>(transport, mine)) all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace weft::engine
