// Multistage switches by the width of their masks, each in a file of its own.
#pragma once

#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {

template <unsigned Words>
Result run_multistage(const Case& setup, const Topology& topology, const std::vector<Send>& script);
template <>
Result run_multistage<1>(const Case& setup, const Topology& topology, const std::vector<Send>& script);
template <>
Result run_multistage<4>(const Case& setup, const Topology& topology, const std::vector<Send>& script);

}  // namespace weft::models::testing
