// Writes ALOG as MPE's converter from CLOG does.
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

#include "engine/base/error.hpp"
#include "workloads/trace/format/mpe/mpe_writer.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t alog_written_at_once = std::size_t{256} * 1024;
constexpr i64 ns_a_microsecond = 1000;

/// What the header says of the records.
struct AlogCounts {
  u64 records = 0, of_communicators = 0, cut_times = 0;
  i64 last_us = 0;
};

class AlogFile {
 public:
  explicit AlogFile(const std::string& path) : path_(path), file_(path, std::ios::binary | std::ios::trunc) { check(); }
  template <class... Values>
  void line(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
    text_ += '\n';
    if (text_.size() > alog_written_at_once) flush();
  }
  void finish() {
    flush();
    file_.close();
    check();
  }

 private:
  void flush() {
    file_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
    check();
  }
  void check() {
    if (!file_)
      throw SystemError(fmt::format("cannot write '{}' ({}); check the folder and the space on its disk", path_,
                                    std::strerror(errno)));
  }
  std::string path_;
  std::ofstream file_;
  std::string text_;
};

void write_header(AlogFile& file, const MpeWriter& records, const AlogCounts& counts) {
  const auto states = records.states(), moments = records.moments();
  file.line("-1 0 0 0 0 0 weft");
  file.line("-2 0 0 {} 0 0", counts.records);
  file.line("-3 0 0 {} 0 0", records.index().tasks);
  file.line("-4 0 0 1 0 0");
  file.line("-5 0 0 {} 0 0", 2 * states.size() + moments.size());
  file.line("-6 0 0 0 0 0");
  file.line("-7 0 0 0 0 {}", counts.last_us);
  file.line("-8 0 0 1 0 0");
  file.line("-11 0 0 0 0 0");
  for (const MpeWrittenState& moment : moments) file.line("-9 0 0 {} 0 0 {}", moment.begin, moment.text);
  for (const MpeWrittenState& state : states) file.line("-13 0 {} {} 0 0 white {}", state.begin, state.end, state.text);
}

}  // namespace

std::vector<std::string> write_alog(const std::shared_ptr<const TraceStore>& store, const std::string& path) {
  MpeWriter records(store, MpeNumbering::from_one);
  AlogCounts counts;
  records.write([&](const MpeRecord& record) {
    ++counts.records;
    counts.last_us = record.time_ns / ns_a_microsecond;
    if (record.communicator != 0) ++counts.of_communicators;
    if (record.time_ns % ns_a_microsecond != 0) ++counts.cut_times;
  });
  AlogFile file(path);
  write_header(file, records, counts);
  records.write([&](const MpeRecord& record) {
    const i64 us = record.time_ns / ns_a_microsecond;
    if (record.kind == MpeRecord::Kind::event) return file.line("{} {} 0 0 0 {}", record.type, record.task, us);
    file.line("{} {} 0 {} 0 {} {} {}", record.kind == MpeRecord::Kind::sent ? -101 : -102, record.task, record.peer, us,
              static_cast<i32>(record.tag), record.bytes);
  });
  file.finish();
  std::vector<std::string> losses = records.losses();
  if (counts.of_communicators > 0)
    losses.push_back(fmt::format("the communicators of {} records", counts.of_communicators));
  if (counts.cut_times > 0) losses.push_back(fmt::format("nanoseconds of {} times", counts.cut_times));
  return losses;
}

}  // namespace weft::workloads
