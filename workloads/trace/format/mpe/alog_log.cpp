// Lines of ALOG; see the header.
#include "workloads/trace/format/mpe/alog_log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t lines_a_piece = 1024;
constexpr u64 most_lines_without_event = 1'000'000;
constexpr i64 most_microseconds = 1'000'000'000'000'000;
constexpr std::size_t looked_at_bytes = 4096;
constexpr i64 alog_processes = -3, alog_event_name = -9, alog_state = -13, alog_sent = -101, alog_received = -102;
constexpr i64 alog_least_header = -13;

bool is_gap(char c) { return c == ' ' || c == '\t'; }

void skip_gaps(std::string_view& text) {
  while (!text.empty() && is_gap(text[0])) text.remove_prefix(1);
}

bool take_integer(std::string_view& text, i64& value) {
  skip_gaps(text);
  std::string_view rest = text;
  const std::optional<i64> number = take_number<i64>(rest);
  if (!number || (!rest.empty() && !is_gap(rest[0]))) return false;
  value = *number;
  text = rest;
  return true;
}

}  // namespace

bool looks_like_alog(std::string_view head) {
  head = head.substr(0, looked_at_bytes);
  u32 lines = 0;
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && lines > 0) return true;  // it may be cut
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    skip_gaps(line);
    if (line.empty() || line[0] == '#') continue;
    for (u32 field = 0; field < 6; ++field)
      if (i64 value = 0; !take_integer(line, value)) return false;
    ++lines;
  }
  return lines > 0;
}

AlogLog::AlogLog(std::unique_ptr<ByteSource> bytes, const MpeDefinitions& known, MpeDefinitions* learn)
    : lines_(std::move(bytes), max_alog_line_bytes), known_(known), learn_(learn) {}

std::string AlogLog::place(u64 line) const { return lines_.place(line); }

bool AlogLog::read(std::vector<MpeRecord>& records) {
  records.clear();
  std::string_view text;
  for (std::size_t i = 0; i < lines_a_piece; ++i) {
    if (!lines_.next_whole(text)) {
      if (i > 0) return true;
      if (learn_ != nullptr) finish();
      return false;
    }
    take(text, records);
    if (lines_.number() - event_line_ > most_lines_without_event)
      reject(fmt::format("more than {} lines in a row without an event", most_lines_without_event), text, "events");
  }
  return true;
}

void AlogLog::take(std::string_view text, std::vector<MpeRecord>& records) {
  skip_gaps(text);
  if (text.empty() || text[0] == '#') return;
  Line line;
  std::string_view rest = text;
  for (i64* const field : {&line.type, &line.process, &line.task, &line.data, &line.cycle, &line.time_us})
    if (!take_integer(rest, *field)) reject("a line without six integers", text, "TYPE PROCESS TASK DATA CYCLE TIME");
  skip_gaps(rest);
  line.comment = rest;
  if (line.type == alog_sent || line.type == alog_received) return take_message(line, text, records);
  if (line.type < 0) {
    if (line.type < alog_least_header) reject("unknown type of line", text, "-13 to -1, -101, -102 or an event from 0");
    if (learn_ != nullptr) take_header(line, text);
    return;
  }
  if (line.type > INT32_MAX) reject("the number of an event is too large", text, "one below 2^31");
  MpeRecord& record = records.emplace_back();
  record.type = static_cast<i32>(line.type);
  record.task = rank(line.process, "PROCESS", text);
  if (line.time_us < -most_microseconds || line.time_us > most_microseconds)
    reject("a time that cannot be", text, "microseconds of less than 30 years");
  record.time_ns = line.time_us * 1000;
  record.position = event_line_ = lines_.number();
  if (learn_ == nullptr) return;
  if (record.task >= has_logged_.size()) has_logged_.resize(record.task + std::size_t{1});
  has_logged_[record.task] = true;
  learn_->tasks = std::max(learn_->tasks, record.task + 1);
}

void AlogLog::take_message(const Line& line, std::string_view text, std::vector<MpeRecord>& records) {
  std::string_view rest = line.comment;
  i64 tag = 0, bytes = 0;
  if (!take_integer(rest, tag) || !take_integer(rest, bytes))
    reject("a message without tag and size", text,
           "-101 FROM 0 TO 0 TIME TAG BYTES, or -102 TO 0 FROM 0 TIME TAG BYTES");
  skip_gaps(rest);
  if (!rest.empty()) reject("extra field", rest, "nothing behind TAG BYTES");
  if (tag < INT32_MIN || tag > INT32_MAX || bytes < 0 || bytes > INT32_MAX)
    reject("tag or size is beyond 32 bits", text, "a tag, and 0 to 2147483647 bytes");
  if (line.time_us < -most_microseconds || line.time_us > most_microseconds)
    reject("a time that cannot be", text, "microseconds of less than 30 years");
  const u32 task = rank(line.process, "PROCESS", text);
  event_line_ = lines_.number();
  if (line.data < 0) return;  // MPI_PROC_NULL
  MpeRecord& record = records.emplace_back();
  record.kind = line.type == alog_sent ? MpeRecord::Kind::sent : MpeRecord::Kind::received;
  record.task = task;
  record.peer = rank(line.data, "DATA (the partner)", text);
  record.tag = static_cast<u32>(tag);
  record.bytes = static_cast<u32>(bytes);
  record.time_ns = line.time_us * 1000;
  record.position = lines_.number();
  if (learn_ == nullptr) return;
  if (task >= has_logged_.size()) has_logged_.resize(task + std::size_t{1});
  has_logged_[task] = true;
  learn_->tasks = std::max({learn_->tasks, task + 1, record.peer + 1});
}

void AlogLog::take_header(const Line& line, std::string_view text) {
  const auto number = [&](i64 value) {
    if (value < 0 || value > INT32_MAX) reject("the number of an event cannot be", text, "0 to 2147483647");
    return static_cast<i32>(value);
  };
  if (line.type == alog_processes) {
    if (line.data < 1 || line.data > max_trace_tasks)
      reject("the number of processes cannot be", text, fmt::format("1 to {}", max_trace_tasks));
    declared_ = static_cast<u32>(line.data);
  } else if (line.type == alog_event_name) {
    if (!line.comment.empty()) learn_->define_event(number(line.data), std::string(line.comment));
  } else if (line.type == alog_state) {
    const i32 begin = number(line.task), end = number(line.data);
    if (begin == end) reject("a state needs two events", text, "-13 0 BEGIN END 0 0 COLOUR NAME");
    std::string_view name = line.comment;
    while (!name.empty() && !is_gap(name[0])) name.remove_prefix(1);  // the colour
    skip_gaps(name);
    while (!name.empty() && is_gap(name.back())) name.remove_suffix(1);
    learn_->define_state(begin, end, std::string(name.empty() ? line.comment : name));
  }
}

u32 AlogLog::rank(i64 value, const char* name, std::string_view text) const {
  const i64 most = (learn_ != nullptr ? i64{max_trace_tasks} : i64{known_.tasks}) - 1;
  if (value < 0 || value > most) reject(fmt::format("{} is no rank", name), text, fmt::format("0 to {}", most));
  return static_cast<u32>(value);
}

void AlogLog::finish() {
  if (declared_ > 0 && learn_->tasks > declared_)
    throw InputError(
        fmt::format("{}: more ranks than processes (got rank {}); expected ranks below {}, as its line -3 "
                    "says",
                    lines_.name(), learn_->tasks - 1, declared_));
  if (learn_->tasks == 0)
    throw InputError(fmt::format("{}: holds no events (got {} lines); expected lines like '-101 0 0 1 0 25 7 1024'",
                                 lines_.name(), lines_.number()));
  learn_->tasks = std::max(learn_->tasks, declared_);
  has_logged_.resize(learn_->tasks);
  // Where the log itself says how many ranks there are, some may have had nothing to log.
  const auto missing = std::ranges::find(has_logged_, false);
  if (declared_ == 0 && missing != has_logged_.end())
    throw InputError(fmt::format("{}: ranks are missing (got no event of rank {} of {}); expected some of each",
                                 lines_.name(), missing - has_logged_.begin(), has_logged_.size()));
}

}  // namespace weft::workloads
