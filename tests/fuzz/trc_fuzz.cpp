// Fuzz target of the trace readers: any bytes end in records or in an InputError, and records come back from the store.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "workloads/trace/store/import.hpp"
#include "workloads/trace/store/store_writer.hpp"
#include "workloads/trace/trace_source.hpp"

namespace {

using namespace weft;
using namespace weft::workloads;

constexpr std::uint32_t max_spooled_tasks = 1024;
constexpr std::size_t max_records = 100'000;  // a few compressed bytes can stand for gigabytes

void read(const std::string& bytes) {
  const OpenedTrace trace = open_trace(trace_in_memory(bytes, "fuzz"));
  const auto reader = trace.source->open(0);
  std::vector<TraceRecord> records;
  TraceRecord record;
  while (records.size() < max_records && reader->next(record)) records.push_back(record);
  if (reader->tasks() > max_spooled_tasks) return;

  std::vector<StoreFile> files;
  files.push_back(StoreFile::temporary("trace"));
  StoreWriter writer(files[0], 0, trace.source->has_times(), {}, 1);
  for (const TraceRecord& each : records) writer.add(each, 0, 0);
  std::vector<StoreIndex> shares;
  shares.push_back(writer.finish());
  shares[0].files = 1;
  // Tasks that only others name have no events.
  shares[0].tasks = reader->tasks();
  shares[0].first_block.resize(std::size_t{reader->tasks()} + 1, shares[0].first_block.back());
  const auto store = std::make_shared<const TraceStore>(merged(std::move(shares)), std::move(files));
  std::vector<std::unique_ptr<EventStream>> streams(store->index().tasks);
  for (std::uint32_t task = 0; task < streams.size(); ++task) streams[task] = TraceStore::events(store, task, 1U << 30);
  TraceEvent event;
  for (const TraceRecord& each : records) {
    WEFT_ASSERT(streams[each.task]->next(event) && event == each.event);
  }
  for (const auto& stream : streams) WEFT_ASSERT(!stream->next(event));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const weft::InputError&) {
  }
  return 0;
}
