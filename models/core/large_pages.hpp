// Tables that are visited at random: from a huge page on they lie in huge pages, which spares page walks.
#pragma once

#include <cstddef>
#include <vector>

namespace weft::models {

/// Memory aligned to a huge page if it fills one, else to a cache line; not touched. Throws std::bad_alloc.
[[nodiscard]] void* allocate_large(std::size_t bytes);
void free_large(void* memory) noexcept;

template <class T>
struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>& /*other*/) {}
  [[nodiscard]] T* allocate(std::size_t count) { return static_cast<T*>(allocate_large(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t /*count*/) noexcept { free_large(memory); }
  template <class Other>
  bool operator==(const LargePages<Other>& /*other*/) const {
    return true;
  }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace weft::models
