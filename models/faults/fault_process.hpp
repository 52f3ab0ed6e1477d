// Failures and repairs that are drawn, for each part of a class alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/faults/fault_event.hpp"

namespace weft::models {

/// All links between routers, all routers or all nodes work for a time and are repaired for a time, again and again.
struct FaultProcess {
  FaultEvent::Part part = FaultEvent::Part::link;
  double up_ticks = 0;      ///< mean time from a repair, or the begin of the run, to the failure
  double repair_ticks = 0;  ///< mean time to repair, exponential
  double shape = 1;         ///< of the Weibull law of times to failure; 1: exponential
  std::string place = {};   ///< where it was given, for messages
};

/// Parts of a process, each with the time of its next change. A draw is a function of seed, part and how many there
/// were before: no process of a run needs to know of another.
class FaultDraws {
 public:
  struct Change {
    Tick at = 0;
    u32 part = 0;  ///< and its other direction, if it is a link
    u32 other = 0;
    bool down = false;
  };

  explicit FaultDraws(u64 seed) : seed_(seed) {}

  /// `other`: the same as `part` if the part is no link.
  void add(const FaultProcess& process, u32 part, u32 other);
  /// The change that comes next; none if no part changes again within the time of a run.
  [[nodiscard]] std::optional<Tick> next() const;
  Change take();

 private:
  struct Waiting {
    Change change;
    u32 process = 0, draws = 0;
  };
  /// Later ones first, those of one time by part: the heap's top is the next.
  static bool is_later(const Waiting& a, const Waiting& b);
  void push(Waiting waiting, Tick from);

  u64 seed_;
  std::vector<FaultProcess> processes_;
  std::vector<Waiting> heap_;
};

}  // namespace weft::models
