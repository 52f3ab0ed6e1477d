// When work is over that pauses interrupt.
#include "workloads/program/noise.hpp"

#include <algorithm>
#include <cmath>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {
namespace {

/// Noise has a generator of its own, apart from all that networks and workloads draw.
constexpr u64 of_noise = 0x6e6f697365;
u64 noise_bits(u64 seed, u32 task, u64 counter) {
  return engine::random_bits(engine::remix(seed, of_noise), task, counter, engine::Use::source_gap);
}

u64 scaled(u64 bits, u64 bound) { return static_cast<u64>((static_cast<u128>(bits) * bound) >> 64); }

/// Longest exponential length, in means: of the least number that to_unit makes, 2^-53.
constexpr double longest_exponential = 37;

}  // namespace

RecordedNoise::RecordedNoise(const std::vector<Pause>& pauses, Tick period, u64 seed) : period_(period), seed_(seed) {
  Tick paused = 0, end = 0;
  for (const Pause& pause : pauses) {
    WEFT_ASSERT(pause.begin >= end);
    end = pause.begin + pause.length;
    if (pause.length != 0) marks_.push_back({pause.begin, pause.length, pause.begin - paused});
    paused += pause.length;
  }
  WEFT_ASSERT(end <= period && paused < period);
  work_of_period_ = period - paused;
}

Tick RecordedNoise::phase(u32 task) const { return scaled(noise_bits(seed_, task, 0), period_); }

Tick RecordedNoise::end_of(u32 task, Tick begin, Tick work) const {
  if (work == 0 || begin >= last_tick) return begin;
  const Tick place = (begin + phase(task)) % period_;
  // Ticks of work from the begin of the period: of what comes before `place`, and then of all of it.
  Tick before = place;
  const auto next = std::ranges::upper_bound(marks_, place, {}, &Mark::begin);
  if (next != marks_.begin()) {
    const Mark& last = *(next - 1);
    before = last.worked + (place - last.begin) - std::min(place - last.begin, last.length);
  }
  const u128 all = static_cast<u128>(before) + work;
  const u128 periods = (all - 1) / work_of_period_;
  const Tick rest = static_cast<Tick>(all - periods * work_of_period_);
  // The last tick of work comes after all pauses that begin before as much work is done.
  Tick end = rest;
  const auto behind = std::ranges::lower_bound(marks_, rest, {}, &Mark::worked);
  if (behind != marks_.begin()) {
    const Mark& last = *(behind - 1);
    end = last.begin + last.length + (rest - last.worked);
  }
  const u128 over = begin + periods * period_ + end - place;
  return static_cast<Tick>(std::min<u128>(over, last_tick));
}

RandomNoise::RandomNoise(double interval, double length, bool exponential, u64 seed)
    : length_(length), exponential_(exponential), seed_(seed), slice_(static_cast<i64>(std::ceil(interval))) {
  WEFT_ASSERT(interval >= 1 && length >= 1 && length <= interval);
  lookback_ = static_cast<i64>((exponential ? longest_exponential : 1) * length / static_cast<double>(slice_)) + 2;
  // How many pauses a slice has: Poisson's law, of its length in intervals.
  const double mean = static_cast<double>(slice_) / interval;
  double chance = std::exp(-mean), sum = 0;
  for (u32 count = 0; count < most_pauses; ++count) {
    sum += chance;
    if (sum * 0x1p64 >= 0x1p64) break;
    chances_.push_back(static_cast<u64>(sum * 0x1p64));
    chance *= mean / (count + 1);
  }
}

/// The pauses that begin in a slice, in ascending order.
u32 RandomNoise::draw(u32 task, i64 slice, Begin (&pauses)[most_pauses]) const {
  const u64 bits = noise_bits(seed_, task, static_cast<u64>(slice));
  const auto count = static_cast<u32>(std::ranges::upper_bound(chances_, engine::remix(bits, 0)) - chances_.begin());
  for (u32 k = 0; k < count && k < most_pauses; ++k) {
    Begin& pause = pauses[k];
    pause.at = slice * slice_ + static_cast<i64>(scaled(engine::remix(bits, 2 * k + 1), static_cast<u64>(slice_)));
    const double drawn = exponential_ ? -std::log(engine::to_unit(engine::remix(bits, 2 * k + 2))) : 1;
    pause.length = std::llround(length_ * drawn);
  }
  std::ranges::sort(pauses, pauses + count, {}, &Begin::at);
  return count;
}

Tick RandomNoise::end_of(u32 task, Tick begin, Tick work) const {
  if (work == 0 || begin >= last_tick) return begin;
  i64 now = static_cast<i64>(begin), left = static_cast<i64>(std::min(work, last_tick));
  Begin pauses[most_pauses];
  for (i64 slice = now / slice_ - lookback_; now < static_cast<i64>(last_tick); ++slice) {
    const u32 count = draw(task, slice, pauses);
    for (u32 k = 0; k < count; ++k) {
      const Begin& pause = pauses[k];
      if (pause.at > now) {
        if (pause.at - now >= left) return static_cast<Tick>(now + left);
        left -= pause.at - now;
        now = pause.at;
      }
      now = std::max(now, pause.at + pause.length);
    }
    if ((slice + 1) * slice_ - now >= left) return static_cast<Tick>(now + left);
  }
  return last_tick;
}

}  // namespace weft::workloads
