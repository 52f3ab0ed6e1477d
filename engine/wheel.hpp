// The pending events of one type: a timing wheel of one-tick slots for the near future and a heap for the far one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"

namespace weft::engine {

/// Holds plain events of one type. Push and take are O(1) within the horizon; slots are lists of fixed-size chunks from
/// a common free list, so memory follows the number of pending events and nothing is allocated in steady state.
/// The order of the events of one tick is unspecified: models must not depend on it.
template <class Event>
class Wheel {
 public:
  /// `horizon`: ticks that the wheel itself covers, rounded up to a power of two >= 64.
  explicit Wheel(Tick horizon) {
    const Tick size = std::bit_ceil(std::max<Tick>(horizon, 64));
    slots_.assign(size, nullptr);
    busy_.assign(size / 64, 0);
    mask_ = size - 1;
  }
  Wheel(const Wheel&) = delete;
  Wheel& operator=(const Wheel&) = delete;
  Wheel(Wheel&&) noexcept = default;
  Wheel& operator=(Wheel&&) noexcept = default;

  /// Adds an event for `tick`, which must not be earlier than the tick last taken.
  void push(Tick tick, const Event& event) {
    WEFT_DEBUG_ASSERT(tick >= now_);
    if (tick - now_ > mask_) [[unlikely]]
      return push_far(tick, event);
    place(tick) = event;
  }
  /// Adds an event for `tick` that fill(event) writes, every field of it, where it is kept.
  template <class Fill>
  void push_filled(Tick tick, Fill&& fill) {
    WEFT_DEBUG_ASSERT(tick >= now_);
    if (tick - now_ <= mask_) [[likely]]
      return fill(place(tick));
    Event event;
    fill(event);
    push_far(tick, event);
  }

  /// Earliest tick >= the one last taken that holds an event, or `never`.
  [[nodiscard]] Tick next() const {
    const Tick far = far_.empty() ? never : far_.front().tick;
    if (near_ == 0) return far;
    const Tick size = mask_ + 1;
    Tick slot = now_ & mask_;
    u64 bits = busy_[slot >> 6] & (~u64{0} << (slot & 63));
    Tick word = slot >> 6;
    for (Tick steps = 0; steps <= size / 64; ++steps) {
      if (bits != 0) {
        const Tick found = 64 * word + static_cast<Tick>(std::countr_zero(bits));
        return std::min(far, now_ + ((found - slot) & mask_));
      }
      word = (word + 1) & (size / 64 - 1);
      bits = busy_[word];
    }
    return far;
  }

  /// Moves the wheel to `tick` and hands each of its events to `take(event)`; `far(event)` and later `near(event)` are
  /// called some events earlier, to prefetch what the event names and then what that leads to. No event of an earlier
  /// tick may be left. Events may be pushed for later ticks meanwhile.
  template <class Take, class Far, class Near>
  u64 take(Tick tick, Take&& take, Far&& far, Near&& near) {
    advance(tick);
    const Tick slot = tick & mask_;
    if (((busy_[slot >> 6] >> (slot & 63)) & 1) == 0) return 0;
    Chunk* chunk = slots_[slot];
    slots_[slot] = nullptr;
    busy_[slot >> 6] &= ~(u64{1} << (slot & 63));
    Ahead far_ahead{chunk}, near_ahead{chunk};
    for (u32 i = 0; i < far_lead && far_ahead.chunk != nullptr; ++i) far_ahead.step(far);
    for (u32 i = 0; i < near_lead && near_ahead.chunk != nullptr; ++i) near_ahead.step(near);
    u64 taken = 0;
    while (chunk != nullptr) {
      const u32 count = chunk->count;
      for (u32 i = 0; i < count; ++i) {
        far_ahead.step(far);
        near_ahead.step(near);
        take(chunk->events[i]);
      }
      taken += count;
      Chunk* const next = chunk->next;
      chunk->next = free_;
      free_ = chunk;
      chunk = next;
    }
    near_ -= taken;
    return taken;
  }

  /// Moves the wheel to `tick` and hands out its events like the other `take`, with one announcement per event.
  template <class Take, class Far>
  u64 take(Tick tick, Take&& take_event, Far&& far) {
    return take(tick, take_event, far, [](const Event&) {});
  }

  /// Calls f(tick, event) for all pending events, in no particular order.
  template <class F>
  void for_each(F&& f) const {
    for (Tick slot = 0; slot < slots_.size(); ++slot) {
      for (const Chunk* chunk = slots_[slot]; chunk != nullptr; chunk = chunk->next) {
        for (u32 i = 0; i < chunk->count; ++i) f(now_ + ((slot - now_) & mask_), chunk->events[i]);
      }
    }
    for (const Far& far : far_) f(far.tick, far.event);
  }
  /// Moves an empty wheel to `tick`.
  void start_at(Tick tick) {
    WEFT_ASSERT(pending() == 0);
    now_ = tick;
  }

  [[nodiscard]] u64 pending() const { return near_ + far_.size(); }
  [[nodiscard]] std::size_t bytes() const {
    return slots_.size() * sizeof(Chunk*) + slabs_.size() * slab_chunks * sizeof(Chunk) + far_.capacity() * sizeof(Far);
  }

 private:
  static constexpr u32 far_lead = 48, near_lead = 14;  ///< events; loads from memory take the time of about 20
  static constexpr std::size_t chunk_bytes = 1024;
  static constexpr u32 chunk_events = static_cast<u32>((chunk_bytes - 16) / sizeof(Event));
  static constexpr std::size_t slab_chunks = 32;
  static_assert(chunk_events >= 4);

  struct Chunk {
    Chunk* next = nullptr;
    u32 count = 0;
    Event events[chunk_events];
  };
  /// Goes through the events of one tick ahead of those that are being taken.
  struct Ahead {
    const Chunk* chunk;
    u32 at = 0;
    template <class F>
    void step(F&& f) {
      if (chunk == nullptr) return;
      f(chunk->events[at]);
      if (++at < chunk->count) return;
      chunk = chunk->next;
      at = 0;
    }
  };
  struct Far {
    Tick tick;
    Event event;
  };
  static bool later(const Far& a, const Far& b) { return a.tick > b.tick; }

  [[nodiscard]] Event& place(Tick tick) {
    const Tick slot = tick & mask_;
    Chunk* chunk = slots_[slot];
    if (chunk == nullptr || chunk->count == chunk_events) [[unlikely]]
      chunk = add_chunk(slot);
    ++near_;
    return chunk->events[chunk->count++];
  }

  // What is rare is kept out of the models' functions, which are compiled into one large loop.

  [[gnu::noinline]] void push_far(Tick tick, const Event& event) {
    far_.push_back({tick, event});
    std::push_heap(far_.begin(), far_.end(), later);
  }

  [[gnu::noinline]] Chunk* add_chunk(Tick slot) {
    Chunk* const fresh = new_chunk();
    fresh->next = slots_[slot];
    fresh->count = 0;
    slots_[slot] = fresh;
    busy_[slot >> 6] |= u64{1} << (slot & 63);
    return fresh;
  }

  void advance(Tick tick) {
    WEFT_DEBUG_ASSERT(tick >= now_);
    now_ = tick;
    while (!far_.empty() && far_.front().tick - now_ <= mask_) [[unlikely]] {
        std::pop_heap(far_.begin(), far_.end(), later);
        place(far_.back().tick) = far_.back().event;
        far_.pop_back();
      }
  }

  Chunk* new_chunk() {
    if (free_ == nullptr) {
      slabs_.push_back(std::make_unique_for_overwrite<Chunk[]>(slab_chunks));
      for (std::size_t i = 0; i < slab_chunks; ++i) {
        slabs_.back()[i].next = free_;
        free_ = &slabs_.back()[i];
      }
    }
    Chunk* const chunk = free_;
    free_ = chunk->next;
    return chunk;
  }

  std::vector<Chunk*> slots_;
  std::vector<u64> busy_;
  std::vector<std::unique_ptr<Chunk[]>> slabs_;
  std::vector<Far> far_;
  Chunk* free_ = nullptr;
  Tick now_ = 0, mask_ = 0;
  u64 near_ = 0;
};

}  // namespace weft::engine
