// Thin trees by their dimensions.
#pragma once

#include <memory>

#include "models/topology/topology.hpp"

namespace weft::models::testing {

/// down:up-ary thin tree of so many levels; a full one if both are the same.
inline std::unique_ptr<Topology> make_tree(i64 down, i64 up, i64 levels) {
  return make_topology({"thin-tree", {{"down", down}, {"up", up}, {"levels", levels}}});
}

}  // namespace weft::models::testing
