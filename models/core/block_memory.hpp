// The memory of a network's blocks: one piece, with large pages where it is large, since blocks are visited at random.
#pragma once

#include <cstddef>
#include <memory>

#include "models/core/large_pages.hpp"

namespace weft::models {

/// Not initialised, and not touched: pages that nobody writes take nothing.
class BlockMemory {
 public:
  /// Aligned to 64 bytes at least. Throws SystemError if there is not so much. Once.
  void allocate(std::size_t bytes);
  [[nodiscard]] std::byte* get() const { return memory_.get(); }
  /// What it takes: at least what was asked for.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* p) const { free_large(p); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace weft::models
