// Fuzz target of the reader of VEF traces: any source is of receives alone, roots are tasks, and if all can be read,
// every message that is sent is received.
#include "tests/fuzz/trace_formats.hpp"

namespace {

using weft::workloads::TraceEvent;

void check(const TraceEvent& event, std::uint32_t tasks) {
  WEFT_ASSERT(event.kind == TraceEvent::Kind::receive || event.peer != TraceEvent::any);
  WEFT_ASSERT(event.root == TraceEvent::no_root || event.root < tasks);
}

void check_messages(const std::vector<weft::workloads::TraceRecord>& records) {
  std::size_t sends = 0, receives = 0;
  for (const auto& record : records) {
    sends += record.event.kind == TraceEvent::Kind::send ? 1 : 0;
    receives += record.event.kind == TraceEvent::Kind::receive ? 1 : 0;
  }
  WEFT_ASSERT(sends == receives);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::fuzz::read_as("vef", data, size, {.of_event = check, .of_all = check_messages});
  return 0;
}
