// What messages hold, between processes: the sender puts it into its heap, the receiver takes it from there.
#pragma once

#include "tools/cosim/process/channel.hpp"

namespace weft::tools::cosim {

/// Room for a message of this process; its data follows the block.
Block* new_block(std::uint32_t own_task, std::uint32_t number, std::uint64_t bytes);
[[nodiscard]] inline void* data_of(Block* block) { return block + 1; }
/// The message `number` of a task; null if it holds nothing.
Block* block_of(std::uint32_t task, std::uint32_t number);
/// Its receiver needs it no more.
void release(std::uint32_t task, std::uint32_t number);

}  // namespace weft::tools::cosim
