// Streams from the blocks of a store.
#include "workloads/trace/store/trace_store.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t least_stream_bytes = 512;

/// Whether an event names only what its trace has, and amounts to no more than the index says: who reads it looks up
/// lists with what it names.
bool fits(const TraceEvent& event, const StoreIndex& index) {
  using Is = TraceEvent::Kind;
  const auto is_task = [&index](u32 number) { return number < index.tasks; };
  if (event.communicator >= index.communicators.size()) return false;
  switch (event.kind) {
    case Is::compute:
      return event.bytes <= index.computation.amount;
    case Is::send:
    case Is::isend:
    case Is::receive:
    case Is::ireceive: {
      const bool any_fits = event.kind >= Is::receive && event.peer == TraceEvent::any;
      return (any_fits || is_task(event.peer)) &&
             (event.bytes <= index.message.amount || event.bytes == TraceEvent::unknown_bytes);
    }
    case Is::wait:
    case Is::probe:
      return event.peer == TraceEvent::any || is_task(event.peer);
    case Is::collective:
      return event.root == TraceEvent::no_root || is_task(event.root);
    case Is::enter:
    case Is::leave:
    case Is::mark:
    case Is::count:
      return event.name < index.names.size();
  }
  return false;
}

}  // namespace

/// Reads the blocks of a task one after the other through a buffer that may be smaller than a block.
class StoreStream final : public EventStream {
 public:
  StoreStream(std::shared_ptr<const TraceStore> store, std::span<const StoreBlock> blocks, std::size_t buffer_bytes)
      : store_(std::move(store)), blocks_(blocks), unpacker_(store_->index_.has_times) {
    u64 all = 0;
    for (const StoreBlock& block : blocks) all += block.bytes;
    buffer_bytes_ = static_cast<std::size_t>(std::min<u64>(buffer_bytes, all));
  }

  bool next(TraceEvent& event) override {
    for (;;) {
      const u8* const from = buffer_.data() + at_;
      if (const u8* const after = unpacker_.unpack(from, buffer_.data() + end_, event)) {
        at_ = static_cast<std::size_t>(after - buffer_.data());
        if (!fits(event, store_->index_)) [[unlikely]]
          throw InputError(
              "an event names a task, communicator, region or size that the trace has not (its store is damaged); "
              "delete the store");
        return true;
      }
      if (left_in_block_ > 0) {
        refill();
      } else if (at_ != end_) {
        throw InputError("a block ends within an event (the store of a trace is damaged); delete it");
      } else if (next_block_ == blocks_.size()) {
        return false;
      } else {
        left_in_block_ = blocks_[next_block_].bytes;
        ++next_block_;
        unpacker_.reset();
        refill();
      }
    }
  }

 private:
  /// More of the block; only ever of one at a time.
  void refill() {
    if (at_ < end_) std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    end_ -= at_;
    at_ = 0;
    // An event that is longer than the buffer (with long lists) makes it grow.
    if (end_ == buffer_.size()) buffer_.resize(std::max(buffer_bytes_, 2 * buffer_.size()));
    const std::size_t count = std::min<std::size_t>(buffer_.size() - end_, left_in_block_);
    const StoreBlock& block = blocks_[next_block_ - 1];
    store_->files_[block.file].read(block.offset + block.bytes - left_in_block_, buffer_.data() + end_, count);
    end_ += count;
    left_in_block_ -= static_cast<u32>(count);
  }

  std::shared_ptr<const TraceStore> store_;
  std::span<const StoreBlock> blocks_;
  EventUnpacker unpacker_;
  std::vector<u8> buffer_;
  std::size_t buffer_bytes_ = 0, at_ = 0, end_ = 0, next_block_ = 0;
  u32 left_in_block_ = 0;
};

/// Events of a task that does nothing.
class NoEvents final : public EventStream {
 public:
  bool next(TraceEvent& /*event*/) override { return false; }
};

TraceStore::TraceStore(StoreIndex index, std::vector<StoreFile> files)
    : index_(std::move(index)), files_(std::move(files)) {
  const auto damaged = [] { throw InputError("the index of a trace store names what is not there; delete it"); };
  if (index_.files != files_.size() || index_.first_block.size() != std::size_t{index_.tasks} + 1 ||
      index_.first_block.back() != index_.blocks.size() || !std::ranges::is_sorted(index_.first_block) ||
      index_.tasks > max_trace_tasks || index_.communicators.empty() || !index_.communicators[0].members.empty())
    damaged();
  for (const TraceCommunicator& communicator : index_.communicators) {
    for (const u32 member : communicator.members) {
      if (member >= index_.tasks) damaged();
    }
  }
  for (const StoreBlock& block : index_.blocks) {
    if (block.file >= files_.size() || block.offset > files_[block.file].bytes() ||
        block.bytes > files_[block.file].bytes() - block.offset)
      damaged();
  }
}

std::shared_ptr<const TraceStore> TraceStore::open(const std::string& directory) {
  StoreIndex index = StoreIndex::load(directory + "/index");
  std::vector<StoreFile> files;
  for (u32 i = 0; i < index.files; ++i) files.push_back(StoreFile::open(fmt::format("{}/events-{}", directory, i)));
  return std::make_shared<const TraceStore>(std::move(index), std::move(files));
}

u64 TraceStore::stored_bytes() const {
  u64 bytes = 0;
  for (const StoreBlock& block : index_.blocks) bytes += block.bytes;
  return bytes;
}

std::unique_ptr<EventStream> TraceStore::events(std::shared_ptr<const TraceStore> store, u32 task, u64 streams) {
  const StoreIndex& index = store->index_;
  WEFT_ASSERT(task < index.tasks);
  if (!index.has_events(task)) return std::make_unique<NoEvents>();
  const std::span blocks =
      std::span(index.blocks)
          .subspan(index.first_block[task], index.first_block[task + std::size_t{1}] - index.first_block[task]);
  const u64 share = default_buffering_bytes / std::max<u64>(streams, 1);
  const std::size_t buffer = std::clamp<std::size_t>(share, least_stream_bytes, 64 * 1024);
  return std::make_unique<StoreStream>(std::move(store), blocks, buffer);
}

}  // namespace weft::workloads
