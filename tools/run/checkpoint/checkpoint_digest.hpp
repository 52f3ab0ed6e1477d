// What the writer and the reader of a checkpoint must agree on: numbers under which what is no record enters its
// digest.
#pragma once

#include "engine/base/types.hpp"

namespace weft::tools {

/// A text that only some files have.
inline constexpr const char* plugins_path = "/plugins";
inline constexpr u64 run_id = ~u64{0}, text_id = run_id - 1;

}  // namespace weft::tools
