// Starts to load a cache line. A function of its own because GCC drops calls of functions that only prefetch.
#pragma once

namespace weft::engine {

/// Loads the line of `address` into the core's caches without waiting for it. Harmless for any address.
inline void prefetch(const void* address) {
#if defined(__x86_64__)
  // GCC 12 takes a function that only calls __builtin_prefetch for one without effect and deletes its calls.
  asm volatile("prefetcht0 (%0)" : : "r"(address));
#else
  __builtin_prefetch(address);
#endif
}

}  // namespace weft::engine
