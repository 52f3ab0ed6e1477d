// Fuzz target of the reader of DUMPI files.
#include "tests/fuzz/trace_formats.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::fuzz::read_as("dumpi", data, size);
  return 0;
}
