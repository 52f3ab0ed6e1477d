// Fabrics that tests of subnets look at, made from topologies.
#pragma once

#include <string>

#include "models/subnet/subnet.hpp"
#include "models/topology/topology.hpp"

namespace weft::models {

inline Subnet fabric(const std::string& kind, const Parameters& keys) {
  return subnet_of(*make_topology({kind, keys}));
}

}  // namespace weft::models
