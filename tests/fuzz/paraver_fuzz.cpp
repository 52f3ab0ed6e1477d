// Fuzz target of the reader of Paraver traces: any bytes end in events or in an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/error.hpp"
#include "workloads/trace/trace_source.hpp"

namespace {

using namespace weft;
using namespace weft::workloads;

constexpr u64 most_events = 100'000;  // a few compressed bytes can stand for gigabytes

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const OpenedTrace trace =
        open_trace(trace_in_memory(std::string(reinterpret_cast<const char*>(data), size), "fuzz"), "paraver");
    const auto reader = trace.source->open(0);
    const std::size_t groups = trace.source->communicators().size();
    TraceRecord record;
    for (u64 events = 0; events < most_events && reader->next(record); ++events) {
      const TraceEvent& event = record.event;
      const bool any_fits = event.kind == TraceEvent::Kind::wait;
      WEFT_ASSERT(event.begin_ns <= event.end_ns);
      WEFT_ASSERT(record.task < reader->tasks());
      WEFT_ASSERT(event.peer < reader->tasks() || (any_fits && event.peer == TraceEvent::any));
      WEFT_ASSERT(event.communicator < groups);
      WEFT_ASSERT(event.root == TraceEvent::no_root || event.root < reader->tasks());
    }
  } catch (const weft::InputError&) {
  }
  return 0;
}
