// Files of weft's tracer: headers, blocks, what they define; and whether they are whole.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/trace/format/weft/weft_records.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// Bytes of a file, or of memory, from any place.
class RecordBytes {
 public:
  /// Throws InputError if it cannot be opened.
  RecordBytes(const TraceInput& input, std::size_t number);
  ~RecordBytes();
  RecordBytes(const RecordBytes&) = delete;
  RecordBytes& operator=(const RecordBytes&) = delete;

  [[nodiscard]] u64 size() const { return size_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Throws InputError if they are not there.
  void read(u64 offset, void* to, std::size_t count) const;
  /// "NAME: byte OFFSET: problem".
  [[noreturn]] void reject(u64 offset, const std::string& problem) const;

 private:
  std::string name_;
  std::shared_ptr<const std::string> memory_;
  int descriptor_ = -1;
  u64 size_ = 0;
};

/// Integers of a block, one after the other.
class RecordFields {
 public:
  RecordFields(const RecordBytes& file, const std::vector<u8>& bytes, u64 offset)
      : file_(&file), bytes_(&bytes), offset_(offset) {}
  [[nodiscard]] bool at_end() const { return at_ == bytes_->size(); }
  /// In the file, of what comes next.
  [[nodiscard]] u64 position() const { return offset_ + at_; }
  u8 byte();
  u64 number(u64 most = ~u64{0});
  i64 signed_number() { return records::unzigzag(number()); }
  [[noreturn]] void reject(const std::string& problem) const { file_->reject(position(), problem); }

 private:
  const RecordBytes* file_;
  const std::vector<u8>* bytes_;
  u64 offset_;  ///< of the bytes in the file
  std::size_t at_ = 0;
};

/// A communicator of a file. Ranks of MPI_COMM_WORLD; no_task for processes that are in none.
struct RecordedCommunicator {
  static constexpr u32 no_task = ~u32{0};
  u32 number = 0;
  bool is_internal = false, is_inter = false;
  std::vector<u32> members, others;
};

struct RecordBlock {
  u64 offset = 0;  ///< of its header
  records::BlockHeader header = {};
};

/// What the file of a rank says of itself.
struct RecordFile {
  records::FileHeader header = {};
  std::vector<RecordBlock> blocks;  ///< of records
  std::vector<RecordedCommunicator> communicators;
  std::vector<i64> marks;
  u64 size = 0;
  std::string note;  ///< what is missing, if something is
};

/// Reads a file but for its records. Throws InputError if it is damaged; that it ends early is a note.
[[nodiscard]] RecordFile read_record_file(const TraceInput& input, std::size_t number);
/// The bytes of a block. Throws InputError if they are not those that were written.
void read_block(const RecordBytes& file, const RecordBlock& block, std::vector<u8>& bytes);

}  // namespace weft::workloads
