// What tasks of programs that meet (Program::meets) wait for, and what processes tell each other of it.
#pragma once

#include <algorithm>
#include <compare>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// A meeting: number `number` of a communicator of a job, in the order in which each of its tasks comes to them.
struct MeetingKey {
  u32 job = 0, communicator = 0, number = 0;
  friend auto operator<=>(const MeetingKey&, const MeetingKey&) = default;
};

/// A task that has come to a meeting. Plain data: it lies in checkpoints.
struct TaskMeeting {
  MeetingKey meeting;
  u32 operation = 0;  ///< of the task, that goes on when the meeting is over
  Tick at = 0;        ///< when it came
  u64 ps = 0;         ///< how long the meeting lasts, if `knows`
  u32 what = 0;       ///< Op::peer
  u32 knows = 0;      ///< 1: this task says how long
};

/// Where a task waits that has come.
struct MeetingPlace {
  u32 entity = 0, slot = 0, operation = 0;
};

/// Who of one process has come to a meeting.
struct MeetingShare {
  MeetingKey meeting;
  u32 tasks = 0, knowing = 0;               ///< of them, those that say how long it lasts
  u32 least_what = ~u32{0}, most_what = 0;  ///< Op::peer over these tasks
  Tick last = 0;                            ///< when the last of them came
  u64 ps = 0;

  void add(const MeetingShare& other) {
    tasks += other.tasks;
    knowing += other.knowing;
    least_what = std::min(least_what, other.least_what);
    most_what = std::max(most_what, other.most_what);
    last = std::max(last, other.last);
    ps = std::max(ps, other.ps);
  }
};

}  // namespace weft::workloads
