// Fuzz target of the partition reader: any bytes give a whole partition or an InputError, nothing else.
#include <cstddef>
#include <string>

#include "engine/base/error.hpp"
#include "engine/partition_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  constexpr weft::u32 vertices = 4, parts = 2;
  const std::string text(data, data + bytes);
  try {
    const auto part = weft::engine::read_partition(text, "fuzz", vertices, parts);
    WEFT_ASSERT(part.size() == vertices);
    for (const auto p : part) WEFT_ASSERT(p < parts);
  } catch (const weft::InputError&) {
  }
  return 0;
}
