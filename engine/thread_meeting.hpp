// A barrier of threads at which each publishes values for the others: reductions are made of it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::engine {

/// What each thread has published at each use of the barrier, a meeting. A thread comes to every meeting, in order,
/// and says at most `most` values.
class ThreadMeeting {
 public:
  static constexpr std::size_t most = 14;

  explicit ThreadMeeting(u32 threads) : places_(threads) {}

  /// Says the values for this thread's next meeting.
  void say(u32 thread, std::span<const u64> values) {
    Place& place = places_[thread];
    const u64 meeting = place.meeting.load(std::memory_order_relaxed) + 1;
    std::ranges::copy(values, place.said[meeting % 2].begin());
    place.meeting.store(meeting, std::memory_order_release);
  }
  /// Whether `other` has come to the meeting at which `thread` is.
  [[nodiscard]] bool has_come(u32 other, u32 thread) const {
    return places_[other].meeting.load(std::memory_order_acquire) >=
           places_[thread].meeting.load(std::memory_order_relaxed);
  }
  /// What `other`, who has come, said there. Good until `thread` comes to the next meeting but one: nobody gets there
  /// before all have come to the next one.
  [[nodiscard]] const u64* said(u32 other, u32 thread) const {
    return places_[other].said[places_[thread].meeting.load(std::memory_order_relaxed) % 2].data();
  }

 private:
  struct alignas(128) Place {
    std::atomic<u64> meeting = 0;
    std::array<std::array<u64, most>, 2> said{};  ///< at even and at odd meetings
  };
  std::vector<Place> places_;
};

}  // namespace weft::engine
