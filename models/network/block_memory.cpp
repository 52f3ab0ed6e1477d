// Large pieces are in huge pages: that spares the page walks.
#include "models/network/block_memory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sys/mman.h>

#include "engine/error.hpp"

namespace weft::models {

void BlockMemory::allocate(std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{1} << 21;
  bytes_ = std::max<std::size_t>(bytes, 64);
  const bool large = bytes_ >= 4 * huge_page;
  const std::size_t alignment = large ? huge_page : 64;
  bytes_ = (bytes_ + alignment - 1) / alignment * alignment;
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, bytes_)));
  if (!memory_) {
    throw SystemError(
        fmt::format("not enough memory for the network ({} MiB on this process); use more ranks", bytes_ >> 20));
  }
  if (large) madvise(memory_.get(), bytes_, MADV_HUGEPAGE);
}

}  // namespace weft::models
