// Memory of a network's blocks, aligned to cache lines or huge pages.
#include "models/fabric/block_memory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sys/mman.h>

#include "engine/error.hpp"

namespace weft::models {

void BlockMemory::allocate(std::size_t bytes) {
  // Blocks are visited at random: huge pages spare the page walks. What fills no whole one stays on small pages.
  constexpr std::size_t huge_page = std::size_t{1} << 21, line = 64;
  bytes_ = (std::max<std::size_t>(bytes, 1) + line - 1) / line * line;
  const bool large = bytes_ >= huge_page;
  void* memory = nullptr;
  if (posix_memalign(&memory, large ? huge_page : line, bytes_) != 0) memory = nullptr;
  memory_.reset(static_cast<std::byte*>(memory));
  if (!memory_) {
    throw SystemError(
        fmt::format("not enough memory for the network ({} MiB on this process); use more ranks", bytes_ >> 20));
  }
  if (large) madvise(memory_.get(), bytes_, MADV_HUGEPAGE);
}

}  // namespace weft::models
