// Blocks of tasks, written as they fill.
#include "workloads/trace/store/store_writer.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr u32 task_unseen = 0xFFFF'FFFF, task_dropped = 0xFFFF'FFFE;
constexpr std::size_t least_task_buffer_bytes = 512;

void note_largest(LargestAmount& largest, u64 amount, u64 position, u32 part) {
  if (amount > largest.amount) largest = {amount, position, part};
}

}  // namespace

StoreWriter::StoreWriter(StoreFile& file, u32 file_number, bool has_times, KeepTask keep, u64 buffering_bytes)
    : file_(file),
      file_number_(file_number),
      has_times_(has_times),
      keep_(std::move(keep)),
      buffering_bytes_(buffering_bytes) {}

StoreWriter::Slot* StoreWriter::slot_of(u32 task) {
  if (task >= slot_of_.size()) slot_of_.resize(std::size_t{task} + 1, task_unseen);
  u32& slot = slot_of_[task];
  if (slot == task_unseen) {
    slot = task_dropped;
    if (!keep_ || keep_(task)) {
      slot = static_cast<u32>(slots_.size());
      slots_.emplace_back(has_times_);
      task_of_.push_back(task);
    }
  }
  return slot == task_dropped ? nullptr : &slots_[slot];
}

void StoreWriter::add(const TraceRecord& record, u32 part, u64 position) {
  using Kind = TraceEvent::Kind;
  const TraceEvent& event = record.event;
  ++index_.events;
  if (event.kind == Kind::isend || event.kind == Kind::ireceive) ++index_.requests;
  if (event.kind == Kind::compute) {
    note_largest(index_.computation, event.bytes, position, part);
  } else if (event.kind <= Kind::ireceive && event.bytes != TraceEvent::unknown_bytes) {
    note_largest(index_.message, event.bytes, position, part);
  }
  index_.end_ns = std::max(index_.end_ns, event.end_ns);
  Slot* const slot = slot_of(record.task);
  if (slot == nullptr) return;
  if (slot->pending.size() > most_block_bytes - most_packed_bytes || (slot->part != part && slot->events > 0))
    store(*slot);
  if (slot->events == 0) slot->packer.reset();
  slot->part = part;
  const std::size_t before = slot->pending.capacity();
  slot->packer.pack(event, slot->pending);
  ++slot->events;
  if (slot->pending.capacity() == before) return;
  buffered_bytes_ += slot->pending.capacity() - before;
  if (buffered_bytes_ <= std::max<u64>(buffering_bytes_, least_task_buffer_bytes * slots_.size())) return;
  for (Slot& other : slots_) {
    store(other);
    other.pending = std::vector<u8>();  // tasks that have ended would keep theirs for nothing; {} would keep its memory
  }
  buffered_bytes_ = 0;
}

void StoreWriter::store(Slot& slot) {
  if (slot.events == 0) return;
  const u64 offset = file_.append(slot.pending.data(), slot.pending.size());
  slot.blocks.push_back({offset, static_cast<u32>(slot.pending.size()), slot.events, file_number_, slot.part});
  slot.pending.clear();
  slot.events = 0;
}

StoreIndex StoreWriter::finish() {
  for (Slot& slot : slots_) store(slot);
  file_.flush();
  index_.has_times = has_times_;
  index_.tasks = static_cast<u32>(slot_of_.size());
  index_.first_block.assign(std::size_t{index_.tasks} + 1, 0);
  for (u32 task = 0; task < index_.tasks; ++task) {
    if (slot_of_[task] < task_dropped) {
      const std::vector<StoreBlock>& blocks = slots_[slot_of_[task]].blocks;
      index_.blocks.insert(index_.blocks.end(), blocks.begin(), blocks.end());
    }
    index_.first_block[task + std::size_t{1}] = index_.blocks.size();
  }
  return std::move(index_);
}

}  // namespace weft::workloads
