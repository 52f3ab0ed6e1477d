// Numbers under which what is no record enters the digest of a checkpoint, for its writer and its reader.
#pragma once

#include "engine/types.hpp"

namespace weft::tools {

inline constexpr u64 run_id = ~u64{0}, text_id = run_id - 1;

}  // namespace weft::tools
