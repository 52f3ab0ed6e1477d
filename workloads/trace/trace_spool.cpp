// Per-task streams of variable-length records in an unlinked temporary file; see the header.
//
// A record is packed as varints: a compute as (0, nanoseconds), a message as (kind + 4 * peer, tag, bytes). A varint
// holds seven bits a byte, lowest first, with the top bit set on all but its last byte.
#include "workloads/trace/trace_spool.hpp"

#include <algorithm>
#include <cstring>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

constexpr u32 unseen = 0xFFFF'FFFF;
constexpr u32 dropped = 0xFFFF'FFFE;
constexpr std::size_t max_block_bytes = 64 * 1024;
constexpr std::size_t max_record_bytes = 5 + 5 + 10;
constexpr std::size_t min_task_buffer_bytes = 512;

u8* pack(u8* to, u64 value) {
  while (value >= 0x80) {
    *to++ = static_cast<u8>(value) | 0x80;
    value >>= 7;
  }
  *to++ = static_cast<u8>(value);
  return to;
}

const u8* unpack(const u8* from, u64& value) {
  value = 0;
  for (u32 shift = 0;; shift += 7) {
    const u8 byte = *from++;
    value |= static_cast<u64>(byte & 0x7F) << shift;
    if (byte < 0x80) return from;
  }
}

}  // namespace

/// One task's operations, read through a buffer of its own.
class SpoolStream final : public TaskStream {
 public:
  SpoolStream(std::shared_ptr<const TraceSpool> spool, const TraceSpool::Slot* slot, std::size_t buffer_bytes)
      : spool_(std::move(spool)), slot_(slot), left_(slot == nullptr ? 0 : slot->stored_bytes) {
    buffer_bytes_ = static_cast<std::size_t>(std::min<u64>(buffer_bytes, left_));
  }

  Op next() override {
    if (end_ - at_ < max_record_bytes && left_ > 0) refill();
    if (at_ == end_) return {};
    const u8* from = buffer_.data() + at_;
    u64 head = 0;
    Op op;
    from = unpack(from, head);
    op.kind = static_cast<OpKind>(head & 3);
    op.peer = static_cast<u32>(head >> 2);
    if (op.kind != OpKind::compute) {
      u64 tag = 0;
      from = unpack(from, tag);
      op.tag = static_cast<u32>(tag);
    }
    from = unpack(from, op.amount);
    at_ = static_cast<std::size_t>(from - buffer_.data());
    return op;
  }

 private:
  /// Blocks of a task form one stream of bytes, so a record may begin in one read and end in the next.
  void refill() {
    if (buffer_.empty()) buffer_.resize(buffer_bytes_);
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    end_ -= at_;
    at_ = 0;
    while (end_ < buffer_.size() && left_ > 0) {
      const TraceSpool::Block& block = slot_->blocks[block_ix_];
      const std::size_t count = std::min<std::size_t>(block.bytes - block_at_, buffer_.size() - end_);
      spool_->read_back(block.offset + block_at_, buffer_.data() + end_, count);
      end_ += count;
      left_ -= count;
      block_at_ += count;
      if (block_at_ == block.bytes) {
        ++block_ix_;
        block_at_ = 0;
      }
    }
  }

  std::shared_ptr<const TraceSpool> spool_;
  const TraceSpool::Slot* slot_;
  std::vector<u8> buffer_;
  std::size_t buffer_bytes_ = 0;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  u64 left_;  ///< bytes not read into the buffer yet
  std::size_t block_ix_ = 0;
  std::size_t block_at_ = 0;
};

TraceSpool::TraceSpool(KeepTask keep, SpoolLimits limits) : keep_(std::move(keep)), limits_(limits) {}

bool TraceSpool::keeps(TaskId task) const { return !keep_ || keep_(task.value()); }

u64 TraceSpool::blocks() const {
  u64 count = 0;
  for (const Slot& slot : slots_) count += slot.blocks.size();
  return count;
}

u32 TraceSpool::slot_for(u32 task) {
  if (task >= slot_of_.size()) slot_of_.resize(std::size_t{task} + 1, unseen);
  u32& slot = slot_of_[task];
  if (slot == unseen) {
    slot = dropped;
    if (!keep_ || keep_(task)) {
      slot = static_cast<u32>(slots_.size());
      slots_.emplace_back();
    }
  }
  return slot;
}

void TraceSpool::add(u32 task, const Op& op) {
  WEFT_DEBUG_ASSERT(!finished_ && op.kind != OpKind::end);
  ++records_;
  const u32 slot_ix = slot_for(task);
  if (slot_ix == dropped) return;
  ++kept_records_;
  Slot& slot = slots_[slot_ix];
  u8 packed[max_record_bytes];
  u8* at = packed;
  if (op.kind == OpKind::compute) {
    *at++ = static_cast<u8>(OpKind::compute);
  } else {
    at = pack(at, (u64{op.peer} << 2) | static_cast<u64>(op.kind));
    at = pack(at, op.tag);
  }
  at = pack(at, op.amount);
  const std::size_t count = static_cast<std::size_t>(at - packed);
  if (slot.pending.size() + count > max_block_bytes) store(slot);
  const std::size_t before = slot.pending.capacity();
  slot.pending.insert(slot.pending.end(), packed, at);
  if (slot.pending.capacity() == before) return;
  buffered_bytes_ += slot.pending.capacity() - before;
  if (buffered_bytes_ > std::max<u64>(limits_.buffering_bytes, min_task_buffer_bytes * slots_.size())) store_all();
}

void TraceSpool::finish() {
  store_all();
  if (file_) file_->flush();
  for (Slot& slot : slots_) slot.blocks.shrink_to_fit();
  finished_ = true;
}

void TraceSpool::store(Slot& slot) {
  if (slot.pending.empty()) return;
  slot.blocks.push_back({stored_bytes_, static_cast<u32>(slot.pending.size())});
  slot.stored_bytes += slot.pending.size();
  append(slot.pending.data(), slot.pending.size());
  slot.pending.clear();
}

/// Also gives the buffers back: tasks that have ended would keep theirs for nothing.
void TraceSpool::store_all() {
  for (Slot& slot : slots_) {
    store(slot);
    slot.pending = std::vector<u8>();  // {} would keep its memory
  }
  buffered_bytes_ = 0;
}

void TraceSpool::append(const u8* bytes, std::size_t count) {
  stored_bytes_ += count;
  if (file_) return file_->write(bytes, count);
  memory_.insert(memory_.end(), bytes, bytes + count);
  if (memory_.size() > limits_.memory_bytes) move_to_file();
}

void TraceSpool::move_to_file() {
  file_ = std::make_unique<SpoolFile>("trace");
  file_->write(memory_.data(), memory_.size());
  memory_ = std::vector<u8>();  // {} would keep its memory
}

void TraceSpool::read_back(u64 offset, u8* to, std::size_t count) const {
  if (file_) return file_->read(offset, to, count);
  std::memcpy(to, memory_.data() + offset, count);
}

std::unique_ptr<TaskStream> TraceSpool::open(std::shared_ptr<const TraceSpool> spool, TaskId task) {
  WEFT_ASSERT(spool->finished_ && spool->keeps(task));
  const u32 id = task.value();
  const u32 slot_ix = id < spool->slot_of_.size() ? spool->slot_of_[id] : unseen;
  const Slot* slot = slot_ix < dropped ? &spool->slots_[slot_ix] : nullptr;
  const u64 share = spool->limits_.buffering_bytes / std::max<u64>(spool->slots_.size(), 1);
  const std::size_t buffer = std::clamp<std::size_t>(share, min_task_buffer_bytes, max_block_bytes);
  return std::make_unique<SpoolStream>(std::move(spool), slot, buffer);
}

}  // namespace weft::workloads
