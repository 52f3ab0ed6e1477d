// Blocks of CLOG2; see the header.
#include "workloads/trace/format/mpe/clog2_log.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t most_block_size = std::size_t{64} << 20;
constexpr std::size_t least_block_size = 256;
/// Blocks in a row in which no task does anything.
constexpr u64 most_blocks_without_events = 100'000;
constexpr i32 message_sent = -101, message_received = -102;
constexpr i32 communicator_freed = 10;
constexpr u64 gibibyte = u64{1} << 30;
constexpr std::size_t table_entry_bytes = 40;

}  // namespace

Clog2Log::Clog2Log(std::unique_ptr<ByteSource> bytes, const MpeDefinitions& known, MpeDefinitions* learn)
    : bytes_(std::move(bytes)), known_(known), learn_(learn) {
  read_preamble();
  cursor_.swapped = preamble_.big_endian != (std::endian::native == std::endian::big);
  block_.resize(preamble_.block_bytes);
  block_at_ = clog2_preamble_bytes;
  if (learn_ == nullptr) return;
  learn_->tasks = preamble_.tasks;
  has_logged_.assign(preamble_.tasks, false);
}

std::string Clog2Log::place(u64 position) const { return fmt::format("{}: byte {}", bytes_->name(), position); }

void Clog2Log::reject(u64 position, const std::string& problem, const std::string& got,
                      const std::string& expected) const {
  throw InputError(fmt::format("{}: {} (got {}); expected {}", place(position), problem, got, expected));
}

bool Clog2Log::read_preamble() {
  const std::string head = read_head(*bytes_, clog2_preamble_bytes);
  if (head.size() < clog2_preamble_bytes)
    reject(head.size(), "the file ends in its preamble", fmt::format("{} bytes", head.size()), "1024 bytes");
  std::vector<std::string_view> texts;
  for (std::size_t at = 0; at < head.size() && head[at] != '\0';) {
    const std::size_t end = std::min(head.find('\0', at), head.size());
    texts.push_back(std::string_view(head).substr(at, end - at));
    at = end + 1;
  }
  preamble_.version = texts.empty() ? "" : texts[0];
  if (preamble_.version < "CLOG-02.30" || preamble_.version > "CLOG-02.99")
    reject(0, "a version of CLOG2 that is not read", quoted(preamble_.version.data(), preamble_.version.size()),
           "CLOG-02.30 to CLOG-02.44, as mpe2 of MPICH2 1.0.4 and later writes them");
  for (std::size_t i = 1; i < texts.size();) {
    const std::string_view title = texts[i++];
    std::vector<std::string_view> values;
    while (i < texts.size() && !texts[i].ends_with('=')) values.push_back(texts[i++]);
    take_field(title, values);
  }
  if (preamble_.block_bytes == 0) reject(0, "the preamble has no block size", "none", "block_size=");
  if (preamble_.tasks == 0) reject(0, "the preamble has no number of processes", "none", "max_comm_world_size=");
  return true;
}

void Clog2Log::take_field(std::string_view title, const std::vector<std::string_view>& values) {
  const auto value = [&] { return values.empty() ? std::string_view() : values[0]; };
  const auto number = [&](u64 least, u64 most) {
    u64 found = 0;
    if (!read_number(value(), found) || found < least || found > most)
      reject(0, fmt::format("{} of the preamble", title), quoted(value().data(), value().size()),
             fmt::format("{} to {}", least, most));
    return found;
  };
  if (title == "is_big_endian=") {
    preamble_.big_endian = value().starts_with("TRUE");
  } else if (title == "is_finalzed=") {
    if (!value().starts_with("TRUE"))
      reject(0, "the log is one of a single process that has not been merged", "is_finalzed=FALSE",
             "the merged log (clog2_join of mpe2 merges what an aborted run has left)");
  } else if (title == "block_size=") {
    preamble_.block_bytes = number(least_block_size, most_block_size);
  } else if (title == "max_comm_world_size=") {
    preamble_.tasks = static_cast<u32>(number(1, max_trace_tasks));
  } else if (title == "commtable_fptr=" && values.size() == 3) {
    u64 high = 0, unit = 0, low = 0;
    if (read_number(values[0], high) && read_number(values[1], unit) && read_number(values[2], low) &&
        unit == gibibyte && high < gibibyte)
      preamble_.table_at = high * unit + low;
  }
}

bool Clog2Log::read(std::vector<MpeRecord>& records) {
  records.clear();
  if (ended_) return false;
  ended_ = !read_block(records);
  blocks_without_events_ = records.empty() ? blocks_without_events_ + 1 : 0;
  if (blocks_without_events_ > most_blocks_without_events)
    reject(block_at_, fmt::format("more than {} blocks in a row without an event", most_blocks_without_events),
           "one more", "events");
  if (ended_ && learn_ != nullptr) {
    if (logged_ < preamble_.tasks) {
      const auto missing = std::ranges::find(has_logged_, false) - has_logged_.begin();
      reject(block_at_, "ranks are missing", fmt::format("no record of rank {} of {}", missing, preamble_.tasks),
             "at least MPI_COMM_WORLD of each");
    }
    read_table();
  }
  block_at_ += block_.size();
  return true;
}

/// False if it is the last one.
bool Clog2Log::read_block(std::vector<MpeRecord>& records) {
  std::size_t filled = 0;
  while (filled < block_.size()) {
    const std::size_t got = bytes_->read(block_.data() + filled, block_.size() - filled);
    if (got == 0) break;
    filled += got;
  }
  const char* const begin = block_.data();
  for (std::size_t at = 0;;) {
    const u64 position = block_at_ + at;
    if (filled - at < clog2_header_bytes)
      reject(position, filled < block_.size() ? "the log is truncated" : "a block ends without an end record",
             fmt::format("{} bytes", filled - at), "a record");
    const char* const header = begin + at;
    const u32 type = static_cast<u32>(cursor_.i32_at(header + 20));
    if (type >= clog2_record_types)
      reject(position, "unknown type of record", fmt::format("{}", static_cast<i32>(type)), "0 to 11");
    if (type == clog2_end_of_log || type == clog2_end_of_block) return type == clog2_end_of_block;
    const std::size_t bytes = clog2_header_bytes + clog2_body_bytes[type];
    if (filled - at < bytes)
      reject(position, filled < block_.size() ? "the log is truncated" : "a record does not fit into its block",
             fmt::format("{} of {} bytes", filled - at, bytes), "a whole record");
    at += bytes;
    if (type != clog2_event && type != clog2_event_with_data && type != clog2_message) {
      if (learn_ != nullptr) read_definition(type, header, position);
      continue;
    }
    MpeRecord& record = records.emplace_back();
    record.position = position;
    record.task = task_at(header, position);
    const i32 communicator = cursor_.i32_at(header + 8);
    record.communicator = learn_ != nullptr ? static_cast<u32>(communicator) : known_.number_of(communicator);
    if (!nanoseconds_of(cursor_.f64_at(header), record.time_ns))
      reject(position, "a time that cannot be", fmt::format("{} s", cursor_.f64_at(header)), "-1e9 to 1e9 s");
    const char* const body = header + clog2_header_bytes;
    record.type = cursor_.i32_at(body);
    if (type != clog2_message) continue;
    if (record.type != message_sent && record.type != message_received)
      reject(position, "unknown kind of message", fmt::format("{}", record.type), "-101 (sent) or -102 (received)");
    record.kind = record.type == message_sent ? MpeRecord::Kind::sent : MpeRecord::Kind::received;
    const i32 remote = cursor_.i32_at(body + 4), rank = cursor_.i32_at(body + 8), size = cursor_.i32_at(body + 16);
    record.tag = static_cast<u32>(cursor_.i32_at(body + 12));
    record.bytes = static_cast<u32>(size);
    if (size < 0) reject(position, "a negative size of a message", fmt::format("{}", size), "0 or more bytes");
    // Messages between groups: sender and receiver know them by different communicators.
    if (remote != communicator) record.communicator = 0;
    if (rank < 0) {  // MPI_PROC_NULL
      records.pop_back();
      continue;
    }
    if (learn_ != nullptr) continue;
    record.peer = known_.task_of(remote, static_cast<u32>(rank));
    if (record.peer == TraceEvent::any)
      reject(position, "an unknown partner of a message", fmt::format("rank {} of communicator {}", rank, remote),
             "one that the log defines");
  }
}

u32 Clog2Log::task_at(const char* header, u64 position) {
  const i32 communicator = cursor_.i32_at(header + 8), rank = cursor_.i32_at(header + 12);
  const u32 task = rank < 0 ? TraceEvent::any : known_.task_of(communicator, static_cast<u32>(rank));
  if (task == TraceEvent::any)
    reject(position, "an unknown process", fmt::format("rank {} of communicator {}", rank, communicator),
           fmt::format("a rank below {} of communicator 0, or one that is defined before", preamble_.tasks));
  return task;
}

void Clog2Log::read_definition(u32 type, const char* header, u64 position) {
  const char* const body = header + clog2_header_bytes;
  if (type == clog2_communicator) return read_member(header, position);
  if (type == clog2_event_definition)
    return learn_->define_event(cursor_.i32_at(body), ByteCursor::text_at(body + 32, 32));
  if (type != clog2_state) return;
  const i32 begin = cursor_.i32_at(body + 4), end = cursor_.i32_at(body + 8);
  if (begin == end || begin < 0 || end < 0)
    reject(position, "a state needs two events", fmt::format("{} and {}", begin, end), "two different numbers from 0");
  learn_->define_state(begin, end, ByteCursor::text_at(body + 40, 32));
}

void Clog2Log::read_member(const char* header, u64 position) {
  const char* const body = header + clog2_header_bytes;
  const i32 type = cursor_.i32_at(body), communicator = cursor_.i32_at(body + 4), rank = cursor_.i32_at(body + 8),
            world = cursor_.i32_at(body + 12);
  // A process has no rank in the remote group of a communicator between groups.
  if (type == communicator_freed || rank < 0) return;
  const i32 tasks = static_cast<i32>(preamble_.tasks);
  if (world < 0 || world >= tasks || rank >= tasks || (communicator == 0 && rank != world))
    reject(position, "a member that cannot be",
           fmt::format("rank {} of communicator {}, rank {} of all", rank, communicator, world),
           fmt::format("ranks below {}", tasks));
  if (!has_logged_[static_cast<u32>(world)]) {
    has_logged_[static_cast<u32>(world)] = true;
    ++logged_;
  }
  if (communicator != 0) learn_->define_member(communicator, static_cast<u32>(rank), static_cast<u32>(world));
}

/// Nothing of it is needed, but a file that ends in it has been cut.
void Clog2Log::read_table() {
  const u64 expected = block_at_ + block_.size();
  if (preamble_.table_at == 0) return;
  if (preamble_.table_at != expected)
    reject(block_at_, "the preamble has another place for the table of communicators",
           fmt::format("byte {}", preamble_.table_at), fmt::format("byte {}, behind the last block", expected));
  const std::string head = read_head(*bytes_, 4);
  const i32 count = head.size() < 4 ? -1 : cursor_.i32_at(head.data());
  u64 got = 0;
  while (const std::size_t more = bytes_->read(block_.data(), block_.size())) got += more;
  if (count < 0 || got < static_cast<u64>(count) * table_entry_bytes)
    reject(expected, "the table of communicators is truncated", fmt::format("{} bytes", got),
           count < 0 ? "a count" : fmt::format("{} entries of 40 bytes", count));
}

}  // namespace weft::workloads
