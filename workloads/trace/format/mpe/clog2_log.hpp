// CLOG2, the binary log of MPE 2: preamble, blocks of records, a table of communicators (docs/trace-formats.md).
#pragma once

#include <string_view>
#include <vector>

#include "workloads/trace/format/mpe/byte_cursor.hpp"
#include "workloads/trace/format/mpe/mpe_log.hpp"

namespace weft::workloads {

inline constexpr std::size_t clog2_preamble_bytes = 1024;
inline constexpr std::size_t clog2_record_types = 12;
inline constexpr std::size_t clog2_header_bytes = 24;
/// Bytes of records behind their header, by type.
inline constexpr u8 clog2_body_bytes[clog2_record_types] = {0, 0, 112, 104, 40, 8, 40, 24, 16, 48, 48, 8};
enum Clog2Type : u8 {
  clog2_end_of_log,
  clog2_end_of_block,
  clog2_state,
  clog2_event_definition,
  clog2_constant,
  clog2_event,
  clog2_event_with_data,
  clog2_message,
  clog2_collective,
  clog2_communicator,
  clog2_source_line,
  clog2_time_shift
};

/// What the first 1024 bytes say.
struct Clog2Preamble {
  std::string version;
  bool big_endian = true;
  std::size_t block_bytes = 0;
  u32 tasks = 0;
  u64 table_at = 0;  ///< of communicators; 0: not said
};

class Clog2Log final : public MpeLog {
 public:
  Clog2Log(std::unique_ptr<ByteSource> bytes, const MpeDefinitions& known, MpeDefinitions* learn);
  bool read(std::vector<MpeRecord>& records) override;
  [[nodiscard]] std::string place(u64 position) const override;

 private:
  bool read_preamble();
  void take_field(std::string_view title, const std::vector<std::string_view>& values);
  bool read_block(std::vector<MpeRecord>& records);
  void read_definition(u32 type, const char* header, u64 position);
  void read_member(const char* header, u64 position);
  void read_table();
  [[nodiscard]] u32 task_at(const char* header, u64 position);
  [[noreturn]] void reject(u64 position, const std::string& problem, const std::string& got,
                           const std::string& expected) const;

  std::unique_ptr<ByteSource> bytes_;
  const MpeDefinitions& known_;
  MpeDefinitions* learn_;
  Clog2Preamble preamble_;
  ByteCursor cursor_;
  std::vector<char> block_;
  u64 block_at_ = 0;  ///< offset of the block
  u64 blocks_without_events_ = 0;
  bool ended_ = false;
  std::vector<bool> has_logged_;  ///< [task], in the first pass
  u32 logged_ = 0;
};

}  // namespace weft::workloads
