// For how long a process has been computing: by processor time or by instructions, as weft asks for it.
#pragma once

#include <cstdint>

#include "tools/cosim/process/channel.hpp"

namespace weft::tools::cosim {

/// False if this machine cannot.
bool begin_measuring(const Board& board);
void start_measuring();
/// Since then.
std::uint64_t measured_ns();

}  // namespace weft::tools::cosim
