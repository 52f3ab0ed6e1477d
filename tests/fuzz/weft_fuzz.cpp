// Fuzz target of the reader of what the tracer writes: any records end in events or in an InputError. Blocks have
// checksums, which no fuzzer finds by chance, so the input is what lies in blocks: a byte for the number of ranks, one
// that chooses the reading, two for how many bytes are definitions, these, and records, cut into blocks of two threads.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "engine/base/error.hpp"
#include "workloads/trace/format/weft/weft_records.hpp"
#include "workloads/trace/trace_source.hpp"

namespace {

using namespace weft;
using namespace weft::workloads;

void append_block(std::string& file, records::BlockKind kind, std::uint32_t thread, std::uint32_t number,
                  const std::string& bytes, std::uint32_t count) {
  records::BlockHeader header = {};
  header.magic = records::block_magic;
  header.kind = kind;
  header.bytes = static_cast<std::uint32_t>(bytes.size());
  header.records = count;
  header.thread = thread;
  header.number = number;
  header.checksum = records::sum_of(header, bytes.data());
  file.append(reinterpret_cast<const char*>(&header), sizeof header);
  file += bytes;
}

std::string file_of(const std::string& input) {
  records::FileHeader header = {};
  std::memcpy(header.magic, records::file_magic, sizeof header.magic);
  header.header_bytes = sizeof header;
  header.ranks = 1 + static_cast<std::uint8_t>(input[0]) % 64;
  header.rank = header.ranks / 2;
  header.has_inner = static_cast<std::uint8_t>(input[1]) & 1;
  // A recording that was ended from outside may stop anywhere.
  header.state = (input[1] & 2) != 0 ? records::State::recording : records::State::complete;
  std::string blocks;
  const std::size_t wanted = static_cast<std::uint8_t>(input[2]) | std::size_t{static_cast<std::uint8_t>(input[3])}
                                                                       << 8;
  const std::string rest = input.substr(4);
  const std::string definitions = rest.substr(0, std::min(wanted, rest.size()));
  const std::string records = rest.substr(definitions.size());
  append_block(blocks, records::BlockKind::definitions, 0, 0, definitions, 0);
  const bool has_threads = (input[1] & 4) != 0;
  const std::string first = has_threads ? records.substr(0, records.size() / 2) : records;
  // It is not known how many records any bytes are: one at a time is read until something is wrong.
  append_block(blocks, records::BlockKind::records, 0, 0, first, 1U << 20);
  if (has_threads) append_block(blocks, records::BlockKind::records, 1, 0, records.substr(first.size()), 1U << 20);
  header.blocks = has_threads ? 3 : 2;
  header.checksum = records::sum_of(header);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + blocks;
}

void read(const std::string& bytes, const std::string& format) {
  const OpenedTrace trace = open_trace(trace_in_memory(bytes, "fuzz"), format);
  const auto reader = trace.source->open(0);
  const auto communicators = trace.source->communicators();
  const auto names = trace.source->names();
  TraceRecord record;
  u64 begin_ns = 0, end_ns = 0;
  while (reader->next(record)) {
    const TraceEvent& event = record.event;
    WEFT_ASSERT(record.task < reader->tasks() && event.communicator < communicators.size());
    WEFT_ASSERT(event.begin_ns >= begin_ns && event.end_ns >= end_ns && event.end_ns >= event.begin_ns);
    WEFT_ASSERT(event.peer < reader->tasks() || event.peer == TraceEvent::any);
    WEFT_ASSERT(event.name < names.size());
    begin_ns = event.begin_ns;
    end_ns = event.end_ns;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const std::string input(reinterpret_cast<const char*>(data), size);
  for (const char* format : {"weft", "weft-calls"}) {
    try {
      read(file_of(input), format);
    } catch (const weft::InputError&) {
    }
    try {
      read(input, format);  // headers, too
    } catch (const weft::InputError&) {
    }
  }
  return 0;
}
