// Fuzz target of the readers and writers of MPE's logs: any bytes end in events or in an InputError; what was read can
// be written as CLOG2 and ALOG, and comes back with as many sends.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "workloads/trace/store/import.hpp"
#include "workloads/trace/trace_source.hpp"

namespace {

using namespace weft;
using namespace weft::workloads;

constexpr u32 most_tasks = 1024;
constexpr u64 most_events = 100'000;  // a few compressed bytes can stand for gigabytes

std::shared_ptr<const TraceStore> stored(const TraceSource& source) {
  std::vector<StoreFile> files;
  files.push_back(StoreFile::temporary("trace"));
  std::vector<StoreIndex> shares;
  shares.push_back(import_share(source, 0, 1, files[0], {}, {}));
  return std::make_shared<const TraceStore>(merged(std::move(shares)), std::move(files));
}

void read(const std::string& bytes, const char* format) {
  const OpenedTrace trace = open_trace(trace_in_memory(bytes, "fuzz"), format);
  const auto reader = trace.source->open(0);
  const std::size_t names = trace.source->names().size(), groups = trace.source->communicators().size();
  TraceRecord record;
  u64 events = 0, sent = 0;
  while (events < most_events && reader->next(record)) {
    ++events;
    const TraceEvent& event = record.event;
    WEFT_ASSERT(record.task < reader->tasks() && event.peer < reader->tasks());
    WEFT_ASSERT(event.name < names || event.kind < TraceEvent::Kind::enter);
    WEFT_ASSERT(event.communicator < groups && event.begin_ns <= event.end_ns);
    sent += event.kind == TraceEvent::Kind::send || event.kind == TraceEvent::Kind::isend ? 1 : 0;
  }
  if (reader->tasks() > most_tasks || events == most_events) return;
  const auto store = stored(*trace.source);
  for (const char* other : {"clog2", "alog"}) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("weft-mpe-fuzz-" + std::to_string(::getpid()))).string();
    TraceFormats::instance().find(other)->write(store, path);
    if (events > 0) {
      const OpenedTrace again = open_trace(find_trace(path), other);
      const auto second = again.source->open(0);
      u64 sent_again = 0;
      while (second->next(record))
        sent_again +=
            record.event.kind == TraceEvent::Kind::send || record.event.kind == TraceEvent::Kind::isend ? 1 : 0;
      WEFT_ASSERT(sent_again == sent);
    }
    std::filesystem::remove(path);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const char* format : {"clog2", "clog1", "alog"}) {
    try {
      read(bytes, format);
    } catch (const weft::InputError&) {
    }
  }
  return 0;
}
