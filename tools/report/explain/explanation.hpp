// Where the time of tasks goes, and for whom they wait: found from a timeline, by the rules of docs/where-time-goes.md.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tools/result/timeline/timeline_reader.hpp"

namespace weft::tools::explain {

/// What a moment of a task goes to.
enum class Part : u8 {
  compute,
  send,           ///< overhead, or the network does not take more
  receive,        ///< a message that is there is handled
  late_sender,    ///< waits for a message that its sender has not begun to send
  transfer,       ///< waits for one that is in flight
  late_receiver,  ///< waits for a receive that takes a message of its own, by rendezvous
  other,          ///< waits for something else: another lane, a probe, a collective operation by a cost model
  idle            ///< has not begun, or is over, or waits for a time of the outside world
};
inline constexpr std::size_t part_count = 8;
inline constexpr std::array<const char*, part_count> part_names{
    "compute", "send", "receive", "late sender", "transfer", "late receiver", "other waits", "idle"};
/// Parts as names of keys and columns.
inline constexpr std::array<const char*, part_count> part_keys{
    "compute", "send", "receive", "late_sender", "transfer", "late_receiver", "other_waits", "idle"};

/// Ticks by part.
struct Parts {
  std::array<Tick, part_count> ticks{};
  [[nodiscard]] Tick& of(Part part) { return ticks[static_cast<std::size_t>(part)]; }
  [[nodiscard]] Tick of(Part part) const { return ticks[static_cast<std::size_t>(part)]; }
  [[nodiscard]] Tick sum() const;
  [[nodiscard]] Tick waits() const {
    return of(Part::late_sender) + of(Part::transfer) + of(Part::late_receiver) + of(Part::other);
  }
  void add(const Parts& more);
};

/// How long a task waited for another one; numbers of the job.
struct PairWait {
  u32 task = 0, peer = 0;
  Parts waits;
};

/// What tasks did within a collective call or region, in the innermost one.
struct CallTime {
  std::string name;  ///< empty: in none
  Parts parts;       ///< of all tasks together
};

/// A stretch of the critical path: what a task did, or a transfer that leads to it.
struct PathSegment {
  Tick begin = 0, end = 0;
  u32 task = 0;
  u32 from = 0;  ///< of a transfer: the task that began it; else as `task`
  Part part = Part::compute;
};

/// A part of a row of the timeline.
struct Drawn {
  static constexpr u32 nobody = ~u32{0};
  Tick begin = 0, end = 0;
  u32 task = 0;
  u32 peer = nobody;  ///< for whom it waits
  u8 lane = 0;
  Part part = Part::compute;
};

/// A job, or all of a run without jobs. Tasks are numbered in the job.
struct JobExplanation {
  std::string name;
  Tick begin = 0, end = 0;        ///< of the first, and of the last of its tasks
  std::vector<Parts> tasks;       ///< [task]; each adds up to `end` - `begin`
  std::vector<PairWait> pairs;    ///< by task and peer
  std::vector<CallTime> calls;    ///< with most waiting first; empty if tasks have several lanes
  std::vector<PathSegment> path;  ///< from `begin` to `end` without gaps
  std::vector<Drawn> drawn;       ///< by task, lane and time; if it was asked for
  bool drawn_whole = true;        ///< nothing was left out of it
  [[nodiscard]] Tick time() const { return end - begin; }
  [[nodiscard]] Parts all_tasks() const;
  [[nodiscard]] Parts path_parts() const;
};

/// Takes two passes over the timeline. Memory: 32 bytes for each record that took time, 8 to 24 for each message, and
/// 32 for each of the first `most_drawn` parts of rows. Throws InputError as the reader.
[[nodiscard]] std::vector<JobExplanation> explain(const timeline::TimelineReader& timeline, u64 most_drawn = 0);

}  // namespace weft::tools::explain
