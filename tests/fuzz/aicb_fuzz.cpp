// Fuzz target of the reader of AICB's files: any bytes give a program whose lanes begin, or an InputError.
#include <cstddef>
#include <string>

#include "engine/base/error.hpp"
#include "tests/fuzz/begin_lanes.hpp"
#include "workloads/generator/accelerator/aicb.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  using namespace weft;
  try {
    const auto program = workloads::make_aicb(workloads::read_aicb(std::string(data, data + bytes), "fuzz"), "fuzz", 2);
    fuzz::begin_lanes(*program);
  } catch (const InputError&) {
  }
  return 0;
}
