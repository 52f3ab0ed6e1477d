// Who simulates which router, as a function: where the dimensions say it, nobody needs a table of the whole network.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models {

/// Part of a router, by its number. Cheap to copy.
using PartOf = std::function<u32(u32 router)>;

/// Part of a router from a table, [router].
[[nodiscard]] inline PartOf part_of_table(std::vector<u32> part) {
  return [table = std::make_shared<const std::vector<u32>>(std::move(part))](u32 router) { return (*table)[router]; };
}

/// A partition that follows from arithmetic: every process works it out for itself, and nobody builds a graph.
struct RegularPartition {
  std::string method;  ///< as in parallel.partition: "boxes", "subtrees"; empty: there is none
  PartOf part_of;      ///< empty if the routers cannot be shared out over so many parts
  bool even = true;    ///< whether parts are alike beyond their work (of a tree: equally many leaf switches)
  std::string impossible_because;  ///< why there is no `part_of`, in words
};

}  // namespace weft::models
