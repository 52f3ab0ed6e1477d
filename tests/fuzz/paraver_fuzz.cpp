// Fuzz target of the reader of Paraver traces: any source or tag is of waits alone, roots are tasks.
#include "tests/fuzz/trace_formats.hpp"

namespace {

using weft::workloads::TraceEvent;

void check(const TraceEvent& event, std::uint32_t tasks) {
  WEFT_ASSERT(event.kind == TraceEvent::Kind::wait || event.peer != TraceEvent::any);
  WEFT_ASSERT(event.root == TraceEvent::no_root || event.root < tasks);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::fuzz::read_as("paraver", data, size, {.of_event = check});
  return 0;
}
