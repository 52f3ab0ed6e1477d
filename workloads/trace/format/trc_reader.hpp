// Reader of .trc, the text format of INSEE: one record a line, integers only.
//   s FROM TO TAG BYTES     task FROM sends
//   r FROM TO TAG BYTES     task TO waits for that message (the sender always comes first)
//   c RANK DURATION         task RANK computes, in nanoseconds
// Fields are separated by blanks or tabs; empty lines and lines that begin with # are skipped; CRLF ends are accepted.
#pragma once

#include <string>

#include "engine/base/text/line_reader.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// Longest line in bytes, comments included; far above what a record needs.
inline constexpr std::size_t max_trc_line_bytes = 4096;
/// Empty and comment lines in a row at most: a file of nothing else is no trace, however large it says it is.
inline constexpr u64 most_lines_without_record = 1'000'000;

/// Strict: whatever is not exactly a record ends in InputError "file:line: problem (got ...); expected ...".
/// Records with FROM == TO are dropped and counted. BYTES 0 stays 0 here; a simulation sends at least one packet for
/// it.
class TrcReader final : public TraceReader {
 public:
  explicit TrcReader(std::unique_ptr<ByteSource> source);
  bool next(TraceRecord& record) override;
  [[nodiscard]] u64 position() const override { return lines_.number(); }
  [[nodiscard]] u32 tasks() const override { return tasks_; }
  [[nodiscard]] u64 self_sends() const override { return self_sends_; }
  [[nodiscard]] u64 self_receives() const override { return self_receives_; }

 private:
  struct Field {
    const char* name;
    u64 max;
  };
  struct Line {
    const char* begin;
    const char* end;
  };
  bool parse_message(const char* at, TraceRecord& record);
  void parse_compute(const char* at, TraceRecord& record);
  u64 number(const char*& at, const Field& field);
  u32 rank(const char*& at, const Field& field);
  void expect_end(const char* at);
  [[noreturn]] void reject_field(const char* at, const Field& field) const;
  [[noreturn]] void reject(const std::string& problem, const char* got, std::size_t length,
                           const std::string& expected) const;

  LineReader lines_;
  Line current_{nullptr, nullptr};
  u64 records_ = 0;
  u64 record_line_ = 0;  ///< line of the last record
  u64 self_sends_ = 0;
  u64 self_receives_ = 0;
  u32 tasks_ = 0;
};

}  // namespace weft::workloads
