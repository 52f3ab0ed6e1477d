// Line parser of .trc; see the header for the grammar.
#include "workloads/trace/format/trc_reader.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

const char* expected_record(char kind) {
  if (kind == 's') return "s FROM TO TAG BYTES";
  if (kind == 'r') return "r FROM TO TAG BYTES";
  if (kind == 'c') return "c RANK DURATION";
  return "a line that begins with s, r, c or #";
}

}  // namespace

TrcReader::TrcReader(std::unique_ptr<ByteSource> source) : lines_(std::move(source), max_trc_line_bytes) {}

bool TrcReader::next(TraceRecord& record) {
  for (std::string_view line; lines_.next_whole(line);) {
    current_ = {line.data(), line.data() + line.size()};
    while (current_.end > current_.begin && is_blank(current_.end[-1])) --current_.end;
    const char* at = current_.begin;
    while (at < current_.end && is_blank(*at)) ++at;
    if (lines_.number() - record_line_ > most_lines_without_record) {
      reject(fmt::format("more than {} empty or comment lines in a row", most_lines_without_record), current_.begin,
             static_cast<std::size_t>(current_.end - current_.begin), "records like 's 0 1 7 1024'");
    }
    if (at == current_.end) continue;
    if (*at == '#') {
      const std::size_t length = static_cast<std::size_t>(current_.end - at);
      if (std::memchr(at, 0, length) != nullptr) reject("NUL byte in a comment", at, length, "text");
      continue;
    }
    const char kind = *at;
    const bool alone = at + 1 == current_.end || is_blank(at[1]);
    if (!alone || (kind != 's' && kind != 'r' && kind != 'c')) {
      reject("unknown record", at, static_cast<std::size_t>(current_.end - at), expected_record(0));
    }
    ++records_;
    record_line_ = lines_.number();
    record.event = TraceEvent{};
    if (kind == 'c') {
      parse_compute(at + 1, record);
      return true;
    }
    record.event.kind = kind == 's' ? TraceEvent::Kind::send : TraceEvent::Kind::receive;
    if (parse_message(at + 1, record)) return true;
  }
  if (records_ == 0) {
    throw InputError(
        fmt::format("{}: holds no records (got {} empty or comment lines); expected lines like 's 0 1 7 1024'",
                    lines_.name(), lines_.number()));
  }
  return false;
}

bool TrcReader::parse_message(const char* at, TraceRecord& record) {
  const u32 from = rank(at, {"FROM", max_trace_tasks - 1});
  const u32 to = rank(at, {"TO", max_trace_tasks - 1});
  record.event.tag = static_cast<u32>(number(at, {"TAG", max_trace_tag}));
  record.event.bytes = number(at, {"BYTES", max_trace_bytes});
  expect_end(at);
  const bool sends = record.event.kind == TraceEvent::Kind::send;
  if (from == to) {
    ++(sends ? self_sends_ : self_receives_);
    return false;
  }
  record.task = sends ? from : to;
  record.event.peer = sends ? to : from;
  return true;
}

void TrcReader::parse_compute(const char* at, TraceRecord& record) {
  record.event.kind = TraceEvent::Kind::compute;
  record.task = rank(at, {"RANK", max_trace_tasks - 1});
  record.event.bytes = number(at, {"DURATION", max_trace_compute_ns});
  expect_end(at);
}

u32 TrcReader::rank(const char*& at, const Field& field) {
  const u32 value = static_cast<u32>(number(at, field));
  tasks_ = std::max(tasks_, value + 1);
  return value;
}

u64 TrcReader::number(const char*& at, const Field& field) {
  while (at < current_.end && is_blank(*at)) ++at;
  const char* digit = at;
  u64 value = 0;
  while (digit < current_.end && *digit >= '0' && *digit <= '9') {
    value = value * 10 + static_cast<u64>(*digit - '0');
    if (value > field.max) reject_field(at, field);
    ++digit;
  }
  if (digit == at || (digit < current_.end && !is_blank(*digit))) reject_field(at, field);
  at = digit;
  return value;
}

void TrcReader::expect_end(const char* at) {
  while (at < current_.end && is_blank(*at)) ++at;
  if (at == current_.end) return;
  const char kind = *std::find_if_not(current_.begin, current_.end, is_blank);
  reject("extra field", at, static_cast<std::size_t>(current_.end - at), expected_record(kind));
}

void TrcReader::reject_field(const char* at, const Field& field) const {
  const char* stop = std::find_if(at, current_.end, is_blank);
  const std::size_t length = static_cast<std::size_t>(stop - at);
  const std::string name = field.name;
  const std::string range = fmt::format("an integer 0..{}", field.max);
  const char kind = *std::find_if_not(current_.begin, current_.end, is_blank);
  if (length == 0) {
    const std::size_t whole = static_cast<std::size_t>(current_.end - current_.begin);
    reject("field " + name + " is missing", current_.begin, whole, expected_record(kind));
  }
  const bool minus = *at == '-';
  const bool digits = length > (minus ? 1u : 0u) &&
                      std::all_of(at + (minus ? 1 : 0), stop, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) reject("field " + name + " is not an integer", at, length, range);
  reject("field " + name + (minus ? " is negative" : " is too large"), at, length, range);
}

void TrcReader::reject(const std::string& problem, const char* got, std::size_t length,
                       const std::string& expected) const {
  lines_.reject(problem, {got, length}, expected);
}

}  // namespace weft::workloads
