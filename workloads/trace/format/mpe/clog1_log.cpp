// Blocks of CLOG-1; see the header.
#include "workloads/trace/format/mpe/clog1_log.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t default_block_bytes = 65536, old_block_bytes = 1024;  // MPICH up to 1.1.2 had small ones
constexpr std::size_t record_header_bytes = 24;
constexpr u64 most_idle_blocks = 100'000;
constexpr i32 type_end_of_log = -2, type_end_of_block = -1, type_event = 1, type_event_definition = 5, type_state = 6;
constexpr i32 least_type = -2, most_type = 8;
/// Records with their header, by type from -2.
constexpr std::size_t record_bytes[] = {24, 24, 0, 56, 48, 48, 40, 48, 80, 72, 32};
constexpr i32 event_sent = -101, event_received = -102;
constexpr std::size_t message_text_bytes = 16;

bool is_type(i32 type) { return type >= least_type && type <= most_type && type != 0; }

}  // namespace

bool looks_like_clog1(std::string_view head) {
  const ByteCursor cursor{.swapped = std::endian::native == std::endian::little};
  std::size_t at = 0;
  constexpr u32 looked_at = 4;
  for (u32 i = 0; i < looked_at; ++i) {
    if (head.size() - at < record_header_bytes) return false;
    const char* const header = head.data() + at;
    i64 ns = 0;
    const i32 type = cursor.i32_at(header + 8);
    if (!nanoseconds_of(cursor.f64_at(header), ns) || !is_type(type) || cursor.i32_at(header + 16) < 0) return false;
    const std::size_t bytes = record_bytes[type - least_type];
    if (static_cast<std::size_t>(cursor.i32_at(header + 12)) * 8 != bytes) return false;
    if (type < 0) return i > 0;
    at += bytes;
    if (at > head.size()) return false;
  }
  return true;
}

Clog1Log::Clog1Log(std::unique_ptr<ByteSource> bytes, const MpeDefinitions& known, MpeDefinitions* learn)
    : bytes_(std::move(bytes)), known_(known), learn_(learn), block_(default_block_bytes) {
  cursor_.swapped = std::endian::native == std::endian::little;
}

std::string Clog1Log::place(u64 position) const { return fmt::format("{}: byte {}", bytes_->name(), position); }

void Clog1Log::reject(u64 position, const std::string& problem, const std::string& got,
                      const std::string& expected) const {
  throw InputError(fmt::format("{}: {} (got {}); expected {}", place(position), problem, got, expected));
}

/// Whether the block holds so many bytes, now or after reading.
bool Clog1Log::fill(std::size_t bytes) {
  while (filled_ < bytes) {
    const std::size_t got = bytes_->read(block_.data() + filled_, block_.size() - filled_);
    if (got == 0) return false;
    filled_ += got;
  }
  return true;
}

bool Clog1Log::read(std::vector<MpeRecord>& records) {
  records.clear();
  if (ended_) return false;
  ended_ = !read_block(records);
  blocks_without_events_ = records.empty() ? blocks_without_events_ + 1 : 0;
  if (blocks_without_events_ > most_idle_blocks)
    reject(block_at_, fmt::format("more than {} blocks in a row without an event", most_idle_blocks), "one more",
           "events");
  if (ended_ && learn_ != nullptr) check_ranks();
  // The next block may have come with this one.
  const std::size_t used = std::min(block_bytes_, filled_);
  std::copy(block_.begin() + static_cast<std::ptrdiff_t>(used), block_.begin() + static_cast<std::ptrdiff_t>(filled_),
            block_.begin());
  filled_ -= used;
  block_at_ += block_bytes_;
  return true;
}

/// False if it is the last one.
bool Clog1Log::read_block(std::vector<MpeRecord>& records) {
  const std::size_t most = block_bytes_ == 0 ? default_block_bytes : block_bytes_;
  fill(most);
  const std::size_t end = std::min(most, filled_);
  for (std::size_t at = 0;;) {
    const u64 position = block_at_ + at;
    if (end - at < record_header_bytes)
      reject(position, end < most ? "the log is truncated" : "a block ends without an end record",
             fmt::format("{} bytes", end - at), "a record");
    const char* const header = block_.data() + at;
    const i32 type = cursor_.i32_at(header + 8), length = cursor_.i32_at(header + 12);
    if (!is_type(type)) reject(position, "unknown type of record", fmt::format("{}", type), "-2, -1, 1 to 8");
    const std::size_t bytes = record_bytes[type - least_type];
    if (static_cast<std::size_t>(length) * 8 != bytes)
      reject(position, "a record of another length", fmt::format("{} words of 8 bytes", length),
             fmt::format("{}", bytes / 8));
    if (end - at < bytes)
      reject(position, end < most ? "the log is truncated" : "a record does not fit into its block",
             fmt::format("{} of {} bytes", end - at, bytes), "a whole record");
    at += bytes;
    if (type == type_end_of_log || type == type_end_of_block) {
      if (block_bytes_ == 0)
        block_bytes_ = type == type_end_of_block && at <= old_block_bytes ? old_block_bytes : default_block_bytes;
      return type == type_end_of_block;
    }
    const i32 rank = cursor_.i32_at(header + 16);
    if (rank < 0 || static_cast<u32>(rank) >= max_trace_tasks)
      reject(position, "a rank that cannot be", fmt::format("{}", rank), fmt::format("0 to {}", max_trace_tasks - 1));
    if (learn_ != nullptr) {
      if (static_cast<u32>(rank) >= has_logged_.size()) has_logged_.resize(static_cast<u32>(rank) + std::size_t{1});
      has_logged_[static_cast<u32>(rank)] = true;
      learn_->tasks = static_cast<u32>(has_logged_.size());
      read_definition(type, header, position);
    }
    if (type == type_event) read_event(header, position, records);
  }
}

void Clog1Log::read_event(const char* header, u64 position, std::vector<MpeRecord>& records) {
  const char* const body = header + record_header_bytes;
  MpeRecord& record = records.emplace_back();
  record.position = position;
  record.task = static_cast<u32>(cursor_.i32_at(header + 16));
  record.type = cursor_.i32_at(body);
  if (!nanoseconds_of(cursor_.f64_at(header), record.time_ns))
    reject(position, "a time that cannot be", fmt::format("{} s", cursor_.f64_at(header)), "-1e9 to 1e9 s");
  if (record.type != event_sent && record.type != event_received) return;
  record.kind = record.type == event_sent ? MpeRecord::Kind::sent : MpeRecord::Kind::received;
  read_message(body + 16, position, record);
  const i32 peer = cursor_.i32_at(body + 4);
  if (peer < 0) {  // MPI_PROC_NULL
    records.pop_back();
    return;
  }
  record.peer = static_cast<u32>(peer);
  if (learn_ == nullptr && record.peer >= known_.tasks)
    reject(position, "an unknown partner of a message", fmt::format("rank {}", peer),
           fmt::format("one below {}", known_.tasks));
}

/// "TAG SIZE".
void Clog1Log::read_message(const char* text, u64 position, MpeRecord& record) const {
  const char* const end = text + ::strnlen(text, message_text_bytes);
  i32 tag = 0, size = 0;
  const auto first = std::from_chars(text, end, tag);
  const char* at = first.ptr;
  while (at < end && *at == ' ') ++at;
  const auto second = std::from_chars(at, end, size);
  if (first.ec != std::errc() || second.ec != std::errc() || second.ptr != end || size < 0)
    reject(position, "a message without tag and size", quoted(text, static_cast<std::size_t>(end - text)),
           "'TAG BYTES'");
  record.tag = static_cast<u32>(tag);
  record.bytes = static_cast<u32>(size);
}

void Clog1Log::read_definition(i32 type, const char* header, u64 position) {
  const char* const body = header + record_header_bytes;
  if (type == type_event_definition)
    return learn_->define_event(cursor_.i32_at(body), ByteCursor::text_at(body + 8, 16));
  if (type != type_state) return;
  const i32 begin = cursor_.i32_at(body + 4), end = cursor_.i32_at(body + 8);
  if (begin == end || begin < 0 || end < 0)
    reject(position, "a state needs two events", fmt::format("{} and {}", begin, end), "two different numbers from 0");
  learn_->define_state(begin, end, ByteCursor::text_at(body + 40, 16));
}

void Clog1Log::check_ranks() const {
  if (has_logged_.empty()) reject(block_at_, "the log has no records", "none", "records of ranks");
  const auto missing = std::ranges::find(has_logged_, false);
  if (missing != has_logged_.end())
    reject(block_at_, "ranks are missing",
           fmt::format("no record of rank {} of {}", missing - has_logged_.begin(), has_logged_.size()),
           "some of each");
}

}  // namespace weft::workloads
