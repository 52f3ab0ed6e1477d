// ALOG, the text log of MPE: six integers and a comment a line (docs/trace-formats.md).
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/text/line_reader.hpp"
#include "workloads/trace/format/mpe/mpe_log.hpp"

namespace weft::workloads {

/// Longest line in bytes.
inline constexpr std::size_t max_alog_line_bytes = 4096;

/// Whether the first lines (but empty ones and comments) have six integers each.
[[nodiscard]] bool looks_like_alog(std::string_view head);

class AlogLog final : public MpeLog {
 public:
  AlogLog(std::unique_ptr<ByteSource> bytes, const MpeDefinitions& known, MpeDefinitions* learn);
  bool read(std::vector<MpeRecord>& records) override;
  [[nodiscard]] std::string place(u64 line) const override;

 private:
  struct Line {
    i64 type = 0, process = 0, task = 0, data = 0, cycle = 0, time_us = 0;
    std::string_view comment;
  };
  void take(std::string_view text, std::vector<MpeRecord>& records);
  void take_header(const Line& line, std::string_view text);
  void take_message(const Line& line, std::string_view text, std::vector<MpeRecord>& records);
  [[nodiscard]] u32 rank(i64 value, const char* name, std::string_view text) const;
  void finish();
  [[noreturn]] void reject(const std::string& problem, std::string_view got, const std::string& expected) const {
    lines_.reject(problem, got, expected);
  }

  LineReader lines_;
  const MpeDefinitions& known_;
  MpeDefinitions* learn_;
  u64 event_line_ = 0;
  u32 declared_ = 0;              ///< processes of the header
  std::vector<bool> has_logged_;  ///< [task], in the first pass
};

}  // namespace weft::workloads
