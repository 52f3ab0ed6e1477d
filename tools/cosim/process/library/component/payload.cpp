// Blocks of messages by their sizes, used again when they have been received; see the header.
#include "tools/cosim/process/library/component/payload.hpp"

#include <bit>

#include "tools/cosim/process/library/component/link.hpp"

namespace weft::tools::cosim {
namespace {

constexpr unsigned smallest = 7, buckets = 41;
constexpr std::uint64_t step = std::uint64_t{1} << 20;  ///< of memory that is asked for at a time

/// Blocks of a size, those that were used first in front; offsets, 0 for none.
struct Bucket {
  std::uint64_t first = 0, last = 0;
};
Bucket used[buckets];
std::uint64_t end = Heap::entry_bytes + 64, reserved = Heap::entry_bytes;
std::uint64_t entries_reserved = 0, entries_returned = 0;
constexpr std::uint64_t entries_step = 65536;  ///< bytes of them

Block* at(std::byte* own, std::uint64_t offset) { return reinterpret_cast<Block*>(own + offset); }
std::atomic<std::uint64_t>& entry(std::byte* heap, std::uint32_t number) {
  return reinterpret_cast<std::atomic<std::uint64_t>*>(heap)[number];
}

/// A block of a size that has been received, if the one that was used first has been.
std::uint64_t old_block(std::byte* own, Bucket& bucket) {
  const std::uint64_t offset = bucket.first;
  if (offset == 0 || at(own, offset)->is_taken.load(std::memory_order_acquire) == 0) return 0;
  bucket.first = at(own, offset)->next;
  if (bucket.first == 0) bucket.last = 0;
  return offset;
}

/// Memory of entries of messages that have all been received.
void return_entries(std::byte* own, std::uint64_t base) {
  while (entries_returned < entries_reserved) {
    const auto first = static_cast<std::uint32_t>(entries_returned / 8);
    for (std::uint32_t number = first; number < first + entries_step / 8; ++number) {
      if (entry(own, number).load(std::memory_order_relaxed) != 0) return;
    }
    give_back(base + entries_returned, entries_step);
    entries_returned += entries_step;
  }
}

}  // namespace

Block* new_block(std::uint32_t own_task, std::uint32_t number, std::uint64_t bytes) {
  std::byte* const own = heap(own_task);
  const std::uint64_t base = heap_at(board().tasks, own_task);
  const unsigned width = static_cast<unsigned>(std::bit_width(bytes + sizeof(Block) - 1));
  const unsigned size = width < smallest ? smallest : width;
  if (size >= buckets) fail("a message of more than 1 TiB");
  std::uint64_t offset = old_block(own, used[size]);
  if (offset == 0) {
    offset = end;
    end += std::uint64_t{1} << size;
    if (end > Heap::bytes) fail("no room for messages that are sent and not received");
    if (end > reserved) {
      const std::uint64_t wanted = (end - reserved + step - 1) / step * step;
      reserve(base + reserved, wanted);
      reserved += wanted;
    }
  }
  const std::uint64_t entry_end = (std::uint64_t{number} + 1) * 8;
  if (entry_end > entries_reserved) {
    return_entries(own, base);
    reserve(base + entries_reserved, entries_step);
    entries_reserved += entries_step;
  }
  Block* const block = at(own, offset);
  block->is_taken.store(0, std::memory_order_relaxed);
  block->bucket = size;
  block->bytes = bytes;
  block->number = number;
  block->next = 0;
  Bucket& bucket = used[size];
  (bucket.last == 0 ? bucket.first : at(own, bucket.last)->next) = offset;
  bucket.last = offset;
  entry(own, number).store(offset, std::memory_order_release);
  return block;
}

Block* block_of(std::uint32_t task, std::uint32_t number) {
  std::byte* const there = heap(task);
  const std::uint64_t offset = entry(there, number).load(std::memory_order_acquire);
  return offset == 0 ? nullptr : at(there, offset);
}

void release(std::uint32_t task, std::uint32_t number) {
  Block* const block = block_of(task, number);
  entry(heap(task), number).store(0, std::memory_order_relaxed);
  if (block != nullptr) block->is_taken.store(1, std::memory_order_release);
}

}  // namespace weft::tools::cosim
