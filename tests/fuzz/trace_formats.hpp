// What fuzz targets of trace formats share: any bytes end in events or in an InputError, twice the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::fuzz {

/// Asserts what one format has besides: of an event, and of all of them if all could be read.
struct MoreChecks {
  void (*of_event)(const workloads::TraceEvent& event, std::uint32_t tasks) = nullptr;
  void (*of_all)(const std::vector<workloads::TraceRecord>& records) = nullptr;
};

/// Reads bytes as a trace of a format of which one file is a trace, too.
inline void read_as(const std::string& format, const std::uint8_t* data, std::size_t size, MoreChecks more = {}) {
  constexpr std::size_t max_records = 100'000;  // a few compressed bytes can stand for gigabytes
  using namespace workloads;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    const OpenedTrace trace = open_trace(trace_in_memory(bytes, "fuzz"), format);
    const std::size_t communicators = trace.source->communicators().size(), names = trace.source->names().size();
    std::vector<TraceRecord> records;
    for (int round = 0; round < 2; ++round) {
      const auto reader = trace.source->open(0);
      TraceRecord record;
      std::uint64_t last_ns = 0;
      for (std::size_t number = 0; number < max_records && reader->next(record); ++number) {
        const TraceEvent& event = record.event;
        WEFT_ASSERT(record.task < reader->tasks() && event.communicator < communicators);
        WEFT_ASSERT(event.begin_ns <= event.end_ns);
        WEFT_ASSERT(!trace.source->has_times() || reader->tasks() > 1 || event.end_ns >= last_ns);
        last_ns = event.end_ns;
        WEFT_ASSERT(event.kind < TraceEvent::Kind::enter || event.name < names);
        WEFT_ASSERT(event.peer == TraceEvent::any || event.peer < reader->tasks());
        if (more.of_event != nullptr) more.of_event(event, reader->tasks());
        if (round == 0)
          records.push_back(record);
        else
          WEFT_ASSERT(number < records.size() && records[number].event == event);
      }
      if (more.of_all != nullptr && records.size() < max_records) more.of_all(records);
    }
  } catch (const InputError&) {
  }
}

}  // namespace weft::fuzz
