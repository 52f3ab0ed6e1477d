// Fuzz target of the reader of liballprof's text.
#include "tests/fuzz/trace_formats.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::fuzz::read_as("liballprof", data, size);
  return 0;
}
