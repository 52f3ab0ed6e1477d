// The protocols that tests of the kernel run with.
#pragma once

#include <string>

#include "engine/kernel.hpp"

namespace weft::engine::testing {

inline constexpr Protocol protocols[] = {Protocol::windowed, Protocol::null_message};

/// Where a failure was found.
inline std::string name(Protocol protocol) { return protocol == Protocol::windowed ? "windowed" : "null-message"; }

}  // namespace weft::engine::testing
