// Bubble routers compiled for their dimensions and three channels, each in a file of its own.
#pragma once

#include "tests/models/network/scripted_host.hpp"

namespace weft::models::testing {

template <u32 Dimensions>
Result run_sized_bubble(const Case& setup, const Topology& topology, const std::vector<Send>& script);
template <>
Result run_sized_bubble<2>(const Case& setup, const Topology& topology, const std::vector<Send>& script);
template <>
Result run_sized_bubble<3>(const Case& setup, const Topology& topology, const std::vector<Send>& script);

}  // namespace weft::models::testing
