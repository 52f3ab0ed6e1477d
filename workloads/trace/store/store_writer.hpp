// Sorts events by task into blocks of one data file.
#pragma once

#include <vector>

#include "workloads/program/keep_task.hpp"
#include "workloads/program/store_file.hpp"
#include "workloads/trace/store/packing.hpp"
#include "workloads/trace/store/store_index.hpp"

namespace weft::workloads {

/// Largest block in bytes, but for single events that are longer.
inline constexpr std::size_t most_block_bytes = 64 * 1024;

/// Memory: the events that are not in the file yet, `buffering_bytes` in all (least 512 bytes a task), and 24 bytes a
/// block.
class StoreWriter {
 public:
  static constexpr u64 default_buffering_bytes = u64{64} << 20;
  /// `file_number`: of the data file in the index. Of tasks that are not kept events are only counted.
  StoreWriter(StoreFile& file, u32 file_number, bool has_times, KeepTask keep = {},
              u64 buffering_bytes = default_buffering_bytes);

  /// Events of a part come one after the other; parts in ascending order. `position`: of the event in the part.
  void add(const TraceRecord& record, u32 part, u64 position);
  /// What is known of what was added, its blocks by task (StoreIndex::first_block is for who merges indices); the file
  /// is flushed. Once.
  [[nodiscard]] StoreIndex finish();

 private:
  struct Slot {
    explicit Slot(bool has_times) : packer(has_times) {}
    EventPacker packer;
    std::vector<u8> pending;
    u32 events = 0, part = 0;  ///< of the pending ones
    std::vector<StoreBlock> blocks;
  };
  Slot* slot_of(u32 task);
  void store(Slot& slot);

  StoreFile& file_;
  u32 file_number_;
  bool has_times_;
  KeepTask keep_;
  u64 buffering_bytes_;
  u64 buffered_bytes_ = 0;    ///< capacity of all pending buffers
  std::vector<u32> slot_of_;  ///< [task], or unseen or dropped
  std::vector<u32> task_of_;  ///< [slot]
  std::vector<Slot> slots_;
  StoreIndex index_;
};

}  // namespace weft::workloads
