// Pauses of processors: what the system does while tasks would work (docs/programs.md, "Noise").
#pragma once

#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Pauses of the processors of each task: a pure function of the task and the time.
class Noise {
 public:
  virtual ~Noise() = default;
  /// When `work` ticks of work that begin at `begin` are over, which go on only outside pauses; at most last_tick.
  /// Nothing takes no time, also in a pause.
  [[nodiscard]] virtual Tick end_of(u32 task, Tick begin, Tick work) const = 0;
};

/// A pause, in ticks.
struct Pause {
  Tick begin = 0, length = 0;
};

/// Pauses that repeat themselves; each task begins at a place of its own, drawn from the seed.
class RecordedNoise final : public Noise {
 public:
  /// `pauses`: ascending, apart, within the period, which they do not fill.
  RecordedNoise(const std::vector<Pause>& pauses, Tick period, u64 seed);
  [[nodiscard]] Tick end_of(u32 task, Tick begin, Tick work) const override;
  /// Where in the period a task is at tick 0.
  [[nodiscard]] Tick phase(u32 task) const;

 private:
  /// A pause and what is before it in the period.
  struct Mark {
    Tick begin = 0, length = 0;
    Tick worked = 0;  ///< ticks outside pauses
  };
  std::vector<Mark> marks_;
  Tick period_, work_of_period_;
  u64 seed_;
};

/// Pauses that begin at random (a Poisson process), also while others last.
class RandomNoise final : public Noise {
 public:
  /// Means in ticks: from one begin to the next, at least 1, and of lengths, at least 1 and no more than the interval.
  RandomNoise(double interval, double length, bool exponential, u64 seed);
  [[nodiscard]] Tick end_of(u32 task, Tick begin, Tick work) const override;

 private:
  /// A pause; those before tick 0 begin at negative ticks.
  struct Begin {
    i64 at = 0, length = 0;
  };
  static constexpr u32 most_pauses = 32;  ///< of a slice: more have a chance below 2^-64

  u32 draw(u32 task, i64 slice, Begin (&pauses)[most_pauses]) const;

  std::vector<u64> chances_;  ///< [n] that a slice has no more than n pauses, of 2^64
  double length_;
  bool exponential_;
  u64 seed_;
  i64 slice_;     ///< ticks
  i64 lookback_;  ///< slices that pauses may last into after their own
};

}  // namespace weft::workloads
