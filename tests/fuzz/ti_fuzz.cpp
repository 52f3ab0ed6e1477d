// Fuzz target of the reader of time-independent traces.
#include "tests/fuzz/trace_formats.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::fuzz::read_as("ti", data, size);
  return 0;
}
