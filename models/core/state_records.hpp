// The state of an entity as a checkpoint has it: plain bytes, and lists of packets.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "engine/base/error.hpp"
#include "models/core/packet_pool.hpp"

namespace weft::models {

/// Writes an entity's state, or only counts its bytes.
template <class Pool>
struct StateWriter {
  const Pool& pool;
  std::byte* to;  ///< null: count
  std::size_t bytes = 0;

  void operator()(const void* from, std::size_t size) {
    if (to != nullptr) std::memcpy(to + bytes, from, size);
    bytes += size;
  }
  void operator()(const List& list) {
    u32 count = 0;
    pool.for_each(list, [&](const auto&) { ++count; });
    (*this)(&count, sizeof count);
    pool.for_each(list, [&](const auto& stored) { write(stored); });
  }
  /// Plain records, as many as there are.
  template <class Record>
  void table(const std::vector<Record>& records) {
    const u32 count = static_cast<u32>(records.size());
    (*this)(&count, sizeof count);
    if (count != 0) (*this)(records.data(), count * sizeof(Record));
  }
  /// A chain of queues.
  template <class Number, class Find>
  void queues(u32 chain, Number&& /*number*/, Find&& /*find_candidates*/) {
    u32 count = 0;
    pool.for_each_in(chain, [&](const auto&) { ++count; });
    (*this)(&count, sizeof count);
    pool.for_each_in(chain, [&](const auto& stored) { write(stored); });
  }

 private:
  template <class Item>
  void write(const Item& stored) {
    (*this)(&stored.packet, sizeof stored.packet);
    (*this)(&stored.ready_at, sizeof stored.ready_at);
    (*this)(&stored.output, sizeof stored.output);
    (*this)(&stored.vc, sizeof stored.vc);
    const u8 choice = stored.has_choice() ? 1 : 0;
    (*this)(&choice, sizeof choice);
  }
};

/// Reads it; throws InputError where it ends too early.
template <class Pool>
struct StateReader {
  Pool& pool;
  std::span<const std::byte> from;

  void operator()(void* to, std::size_t size) {
    if (size > from.size()) throw InputError("the state of a switch in the checkpoint is too short; take another one");
    std::memcpy(to, from.data(), size);
    from = from.subspan(size);
  }
  void operator()(List& list) {
    u32 count = 0;
    (*this)(&count, sizeof count);
    for (; count > 0; --count) pool.append(list, read());
  }
  /// Plain records, as many as there were.
  template <class Record>
  void table(std::vector<Record>& records) {
    u32 count = 0;
    (*this)(&count, sizeof count);
    if (count > from.size() / sizeof(Record))
      throw InputError("the state of a switch in the checkpoint is too short; take another one");
    records.resize(count);
    if (count != 0) (*this)(records.data(), count * sizeof(Record));
  }
  /// A chain of queues, see PacketPool::put. find_candidates(stored) is asked for what is not saved: candidates.
  template <class Number, class Find>
  void queues(u32& chain, Number&& number, Find&& find_candidates) {
    u32 count = 0;
    (*this)(&count, sizeof count);
    for (; count > 0; --count) {
      const u32 at = read();
      if (pool[at].has_choice()) find_candidates(pool[at]);
      pool.put(chain, at, number);
    }
  }

 private:
  u32 read() {
    const u32 at = pool.take();
    auto& stored = pool[at];
    (*this)(&stored.packet, sizeof stored.packet);
    (*this)(&stored.ready_at, sizeof stored.ready_at);
    (*this)(&stored.output, sizeof stored.output);
    (*this)(&stored.vc, sizeof stored.vc);
    u8 choice = 0;
    (*this)(&choice, sizeof choice);
    stored.candidates = choice != 0 ? 0 : stored.one;
    return at;
  }
};

}  // namespace weft::models
