// Splits a trace into one compact stream per task, in one pass over the file. Traces interleave their tasks in any way
// and can be larger than memory, so the streams live in an unlinked temporary file; only small ones stay in memory.
#pragma once

#include <memory>
#include <vector>

#include "engine/types.hpp"
#include "workloads/program/keep_task.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/spool_file.hpp"

namespace weft::workloads {

/// Sizes that the spool works with; the defaults are for use, others for tests.
struct SpoolLimits {
  u64 memory_bytes = 16ull << 20;  ///< a spool smaller than this needs no file
  u64 buffering_bytes =
      64ull << 20;  ///< all write buffers together, and all read buffers together (least: 512 bytes a task)
};

/// Write with `add` in file order, then `finish`, then `open` any number of streams, from any thread. Memory: a write
/// buffer of at most 64 KiB and an index of 16 bytes per written block for each kept task, 4 bytes for each other task.
class TraceSpool {
 public:
  explicit TraceSpool(KeepTask keep = {}, SpoolLimits limits = {});
  TraceSpool(const TraceSpool&) = delete;
  TraceSpool& operator=(const TraceSpool&) = delete;

  /// Appends an operation to a task's stream, or only counts it if the task is not kept.
  /// Throws SystemError if the disk of TMPDIR (default /tmp) is full or not writable.
  void add(u32 task, const Op& op);
  void finish();

  /// The stream of a kept task, empty if it has no records. `spool` stays alive as long as its streams.
  [[nodiscard]] static std::unique_ptr<TaskStream> open(std::shared_ptr<const TraceSpool> spool, TaskId task);

  [[nodiscard]] bool keeps(TaskId task) const;
  [[nodiscard]] u64 records() const { return records_; }  ///< all, kept or not
  [[nodiscard]] u64 kept_records() const { return kept_records_; }
  [[nodiscard]] u64 stored_bytes() const { return stored_bytes_; }  ///< of the packed streams
  [[nodiscard]] u64 blocks() const;                                 ///< entries of the index
  [[nodiscard]] bool in_memory() const { return file_ == nullptr; }

 private:
  friend class SpoolStream;
  struct Block {
    u64 offset = 0;
    u32 bytes = 0;
  };
  struct Slot {
    std::vector<u8> pending;    ///< packed but not stored yet
    std::vector<Block> blocks;  ///< what is stored, in order
    u64 stored_bytes = 0;
  };
  u32 slot_for(u32 task);
  void store(Slot& slot);
  void store_all();
  void append(const u8* bytes, std::size_t count);
  void move_to_file();
  void read_back(u64 offset, u8* to, std::size_t count) const;

  KeepTask keep_;
  SpoolLimits limits_;
  std::vector<u32> slot_of_;  ///< [task], or one of the two marks unseen and dropped
  std::vector<Slot> slots_;
  std::vector<u8> memory_;  ///< the store until it outgrows limits_.memory_bytes
  std::unique_ptr<SpoolFile> file_;
  u64 stored_bytes_ = 0;
  u64 buffered_bytes_ = 0;  ///< capacity of all pending buffers
  u64 records_ = 0;
  u64 kept_records_ = 0;
  bool finished_ = false;
};

}  // namespace weft::workloads
