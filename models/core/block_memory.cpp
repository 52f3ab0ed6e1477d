// Memory of a network's blocks.
#include "models/core/block_memory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <new>

#include "engine/base/error.hpp"
#include "models/core/large_pages.hpp"

namespace weft::models {

void BlockMemory::allocate(std::size_t bytes) {
  constexpr std::size_t line = 64;
  bytes_ = (std::max<std::size_t>(bytes, 1) + line - 1) / line * line;
  try {
    memory_.reset(static_cast<std::byte*>(allocate_large(bytes_)));
  } catch (const std::bad_alloc&) {
    throw SystemError(
        fmt::format("not enough memory for the network ({} MiB on this process); use more ranks", bytes_ >> 20));
  }
}

}  // namespace weft::models
