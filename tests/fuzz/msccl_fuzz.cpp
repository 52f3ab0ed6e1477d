// Fuzz target of the reader of MSCCL's algorithms: any bytes give a program whose lanes begin, or an InputError.
#include <cstddef>
#include <string>

#include "engine/error.hpp"
#include "workloads/msccl/msccl.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  using namespace weft;
  try {
    const auto program = workloads::make_msccl(workloads::read_msccl(std::string(data, data + bytes), "fuzz"),
                                               {.bytes = 1000, .repetitions = 2});
    const u32 last = program->tasks() - 1;
    for (u32 lane = 0; lane < program->lanes(); ++lane) {
      const auto stream = program->open_lane(TaskId(last), lane);
      constexpr u32 operations = 1000;
      for (u32 k = 0; k < operations; ++k) {
        const workloads::Op op = stream->next();
        if (op.kind == workloads::OpKind::end) break;
        WEFT_ASSERT(op.kind != workloads::OpKind::send || (op.peer < program->tasks() && op.peer != last));
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}
