// Who simulates which router, as a function: where the dimensions say it, nobody needs a table of the whole network.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "engine/types.hpp"

namespace weft::models {

/// Part of a router, by its number. Cheap to copy.
using PartOf = std::function<u32(u32 router)>;

/// The same from a table, [router].
[[nodiscard]] inline PartOf part_of_table(std::vector<u32> part) {
  return [table = std::make_shared<const std::vector<u32>>(std::move(part))](u32 router) { return (*table)[router]; };
}

}  // namespace weft::models
