// By the object that the caller's code is in; see the header.
#include "tools/cosim/process/library/preloaded/caller.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>

namespace weft::tools::cosim {
namespace {

/// Objects that are no part of the program.
bool is_of_the_library(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash == nullptr ? path : slash + 1;
  for (const char* prefix : {"libmpi.so", "libmpi_", "libopen-", "libpmix", "libevent", "libhwloc", "mca_", "libweft-",
                             "libucp", "libucs", "libuct", "libfabric", "libmca_"}) {
    if (std::strncmp(name, prefix, std::strlen(prefix)) == 0) return true;
  }
  return false;
}

}  // namespace

bool is_of_the_program(const void* caller) {
  constexpr std::size_t places = 256;
  static std::atomic<std::uintptr_t> known[places];  // the lowest bit: it is
  const auto address = reinterpret_cast<std::uintptr_t>(caller) << 1;
  std::atomic<std::uintptr_t>& place = known[(address >> 3) % places];
  const std::uintptr_t entry = place.load(std::memory_order_relaxed);
  if ((entry & ~std::uintptr_t{1}) == address) return (entry & 1) != 0;
  Dl_info info;
  const bool is = ::dladdr(caller, &info) == 0 || info.dli_fname == nullptr || !is_of_the_library(info.dli_fname);
  place.store(address | (is ? 1 : 0), std::memory_order_relaxed);
  return is;
}

}  // namespace weft::tools::cosim
