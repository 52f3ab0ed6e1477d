// Memory of large tables.
#include "models/core/large_pages.hpp"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace weft::models {

void* allocate_large(std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{1} << 21, line = 64;
  const bool large = bytes >= huge_page;
  void* memory = nullptr;
  if (posix_memalign(&memory, large ? huge_page : line, bytes) != 0) throw std::bad_alloc();
  // A hint: where there are no huge pages it is as any memory.
  if (large) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void free_large(void* memory) noexcept { std::free(memory); }

}  // namespace weft::models
