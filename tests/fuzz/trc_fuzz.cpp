// Fuzz target of the trace readers: any bytes end in records or in an InputError, and records come back from the spool.
// With clang: -std=c++20 -g -O1 -fsanitize=fuzzer,address -I. this file engine/error.cpp workloads/trace/*.cpp -llzma
// -lzstd.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/error.hpp"
#include "workloads/trace/trace_reader.hpp"
#include "workloads/trace/trace_spool.hpp"

namespace {

using namespace weft;
using namespace weft::workloads;

constexpr std::uint32_t max_spooled_tasks = 1024;
constexpr std::size_t max_records = 100'000;  // a few compressed bytes can stand for gigabytes

void read(const std::string& bytes) {
  const auto reader = open_trace(decompressed(bytes_in_memory(bytes, "fuzz")), "auto");
  std::vector<TraceRecord> records;
  TraceRecord record;
  while (records.size() < max_records && reader->next(record)) records.push_back(record);
  if (reader->tasks() > max_spooled_tasks) return;

  const auto spool = std::make_shared<TraceSpool>(KeepTask{}, SpoolLimits{u64{16} << 20, 1});
  for (const TraceRecord& each : records) spool->add(each.task, each.op);
  spool->finish();
  std::vector<std::unique_ptr<TaskStream>> streams(reader->tasks());
  for (std::uint32_t task = 0; task < reader->tasks(); ++task) streams[task] = TraceSpool::open(spool, TaskId(task));
  for (const TraceRecord& each : records) WEFT_ASSERT(streams[each.task]->next() == each.op);
  for (const auto& stream : streams) WEFT_ASSERT(stream->next().kind == OpKind::end);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const weft::InputError&) {
  }
  return 0;
}
