// CLOG-1, the binary log of MPE 1: blocks of records, big-endian (docs/trace-formats.md).
#pragma once

#include <string_view>
#include <vector>

#include "workloads/trace/format/mpe/byte_cursor.hpp"
#include "workloads/trace/format/mpe/mpe_log.hpp"

namespace weft::workloads {

/// Whether a file may be a CLOG-1 log: it begins with a few whole records. There is no mark to go by.
[[nodiscard]] bool looks_like_clog1(std::string_view head);

class Clog1Log final : public MpeLog {
 public:
  Clog1Log(std::unique_ptr<ByteSource> bytes, const MpeDefinitions& known, MpeDefinitions* learn);
  bool read(std::vector<MpeRecord>& records) override;
  [[nodiscard]] std::string place(u64 position) const override;

 private:
  bool fill(std::size_t bytes);
  bool read_block(std::vector<MpeRecord>& records);
  void read_event(const char* header, u64 position, std::vector<MpeRecord>& records);
  void read_message(const char* text, u64 position, MpeRecord& record) const;
  void read_definition(i32 type, const char* header, u64 position);
  void check_ranks() const;
  [[noreturn]] void reject(u64 position, const std::string& problem, const std::string& got,
                           const std::string& expected) const;

  std::unique_ptr<ByteSource> bytes_;
  const MpeDefinitions& known_;
  MpeDefinitions* learn_;
  ByteCursor cursor_;
  std::vector<char> block_;
  std::size_t block_bytes_ = 0;  ///< 0: not known yet
  std::size_t filled_ = 0;
  u64 block_at_ = 0;
  u64 blocks_without_events_ = 0;
  bool ended_ = false;
  std::vector<bool> has_logged_;  ///< [task], in the first pass
};

}  // namespace weft::workloads
