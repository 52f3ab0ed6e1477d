// Pauses: recorded ones against a walk tick by tick, random ones against the laws that they are drawn by.
#include "workloads/program/noise.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "workloads/program/processors.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {
namespace {

/// When work is over that goes on in each tick that is in no pause.
Tick walked(const std::vector<Pause>& pauses, Tick period, Tick phase, Tick begin, Tick work) {
  Tick now = begin;
  for (; work > 0; ++now) {
    const Tick place = (now + phase) % period;
    bool paused = false;
    for (const Pause& pause : pauses) paused = paused || (place >= pause.begin && place < pause.begin + pause.length);
    if (!paused) --work;
  }
  return now;
}

TEST(RecordedNoise, WorkGoesOnInTheTicksThatAreInNoPause) {
  const std::vector<std::vector<Pause>> recordings = {
      {{3, 4}, {9, 1}, {10, 2}, {15, 0}, {18, 2}}, {{0, 5}}, {{5, 5}}, {{0, 1}, {19, 1}}, {{4, 0}}, {}, {{0, 19}}};
  for (const auto& pauses : recordings) {
    const RecordedNoise noise(pauses, 20, 7);
    for (u32 task = 0; task < 5; ++task) {
      for (Tick begin = 0; begin < 45; ++begin) {
        for (Tick work = 0; work < 50; ++work) {
          ASSERT_EQ(noise.end_of(task, begin, work), walked(pauses, 20, noise.phase(task), begin, work))
              << task << ' ' << begin << ' ' << work;
        }
      }
    }
  }
}

TEST(RecordedNoise, ByHand) {
  // A pause of 100 every 1000; the task's tick 0 is `phase` in the recording.
  const RecordedNoise noise({{0, 100}}, 1000, 1);
  const Tick first = 1000 - noise.phase(3);  // the pauses begin at first, first + 1000...
  EXPECT_EQ(noise.end_of(3, first + 100, 900), first + 1000) << "over when the pause begins";
  EXPECT_EQ(noise.end_of(3, first + 100, 901), first + 1101);
  EXPECT_EQ(noise.end_of(3, first + 40, 10), first + 110) << "the pause that runs is waited for";
  EXPECT_EQ(noise.end_of(3, first, 1), first + 101);
  EXPECT_EQ(noise.end_of(3, first + 40, 0), first + 40) << "nothing takes no time";
  EXPECT_EQ(noise.end_of(3, first + 100, 9'000'000'000), first + 10'000'000'000);
}

TEST(RecordedNoise, EveryTaskBeginsElsewhere) {
  const RecordedNoise noise({{0, 1}}, 1'000'000, 1);
  double sum = 0;
  for (u32 task = 0; task < 1000; ++task) {
    EXPECT_LT(noise.phase(task), 1'000'000U);
    sum += static_cast<double>(noise.phase(task));
  }
  EXPECT_NEAR(sum / 1000, 500'000, 5 * 1e6 / std::sqrt(12.0 * 1000));
  EXPECT_NE(RecordedNoise({{0, 1}}, 1'000'000, 2).phase(0), noise.phase(0)) << "by the seed";
}

TEST(RecordedNoise, WhatEndsTooLateEndsAtTheLastTick) {
  const RecordedNoise noise({{0, 99}}, 100, 1);
  EXPECT_EQ(noise.end_of(0, 0, last_tick - 1), last_tick);
  EXPECT_EQ(noise.end_of(0, 0, ~Tick{0}), last_tick);
}

TEST(RandomNoise, WorkInTwoPartsEndsWithTheWhole) {
  for (const bool exponential : {false, true}) {
    for (const double length : {1.0, 12.4, 50.0}) {
      const RandomNoise noise(50, length, exponential, 3);
      for (u32 task = 0; task < 50; ++task) {
        for (const Tick first : {1U, 7U, 100U, 1000U}) {
          const Tick begin = 37 * task;
          EXPECT_EQ(noise.end_of(task, noise.end_of(task, begin, first), 333), noise.end_of(task, begin, first + 333));
        }
      }
    }
  }
}

/// Mean over many tasks of how much longer work takes.
double slow_down(const Noise& noise, Tick work) {
  constexpr u32 tasks = 400;
  double sum = 0;
  for (u32 task = 0; task < tasks; ++task)
    sum += static_cast<double>(noise.end_of(task, 1000 + task, work) - 1000 - task) / static_cast<double>(work);
  return sum / tasks;
}

TEST(RandomNoise, ProcessorsWorkWhileNoPauseRuns) {
  // Pauses that begin by Poisson's law, whatever their lengths, leave exp(-length / interval) of the time.
  struct Case {
    double interval, length;
  };
  for (const auto& [interval, length] : {Case{1000, 10}, Case{1000, 100}, Case{1000, 1000}, Case{10.5, 3}}) {
    for (const bool exponential : {false, true}) {
      const RandomNoise noise(interval, length, exponential, 11);
      const double intervals = 250, expected = std::exp(length / interval);
      const double measured = slow_down(noise, static_cast<Tick>(intervals * interval));
      // The deviation of the sum of n pauses, 400 tasks; lengths that are rounded to ticks: 1 / (24 length^2).
      const double sigma = std::sqrt(2 * expected * length / interval * length / interval / intervals / 400);
      EXPECT_NEAR(measured, expected, 5 * expected * sigma + expected * 0.01 * (exponential && length < 10 ? 1 : 0))
          << interval << ' ' << length << ' ' << exponential;
    }
  }
}

TEST(RandomNoise, PausesOfTasksAreIndependentAndTheirNumberIsPoissons) {
  const RandomNoise noise(1000, 1, false, 5);
  constexpr u32 tasks = 4000;
  double sum = 0, squares = 0;
  for (u32 task = 0; task < tasks; ++task) {
    const auto pauses = static_cast<double>(noise.end_of(task, 0, 20'000) - 20'000);
    sum += pauses;
    squares += pauses * pauses;
  }
  const double mean = sum / tasks, variance = squares / tasks - mean * mean;
  EXPECT_NEAR(mean, 20, 5 * std::sqrt(20.0 / tasks) + 0.02);
  EXPECT_NEAR(variance, 20, 5 * 20 * std::sqrt(2.0 / tasks) + 0.1);
}

TEST(RandomNoise, APauseMayRunAtTickZero) {
  const RandomNoise noise(1000, 1000, true, 5);
  u32 waiting = 0;
  for (u32 task = 0; task < 1000; ++task) waiting += noise.end_of(task, 0, 1) > 1 ? 1 : 0;
  EXPECT_NEAR(waiting, 1000 * (1 - std::exp(-1.0)), 5 * std::sqrt(1000 * 0.25));
  EXPECT_EQ(noise.end_of(0, 0, 0), 0U);
}

TEST(Processors, FactorsThenPauses) {
  Processors slow;
  slow.factors = {1, 2.5, 0};
  EXPECT_EQ(slow.end_of(0, 100, 7), 107U);
  EXPECT_EQ(slow.end_of(1, 100, 7), 117U) << "rounded down";
  EXPECT_EQ(slow.end_of(2, 100, 7), 100U);
  EXPECT_EQ(slow.least_factor(), 0);
  slow.noise = std::make_unique<RecordedNoise>(std::vector<Pause>{{0, 10}}, 20, 1);
  EXPECT_EQ(slow.end_of(1, 100, 8), slow.noise->end_of(1, 100, 20));
  EXPECT_EQ(slow.end_of(2, 100, 7), 100U);
  EXPECT_EQ(slow.end_of(1, 100, last_tick), last_tick);
  EXPECT_EQ(Processors{}.least_factor(), 1);
}

}  // namespace
}  // namespace weft::workloads
