// What becomes of each event of a task within its window: the decisions of a cut, before anything is written.
#pragma once

#include <unordered_map>
#include <vector>

#include "workloads/trace/edit/cut.hpp"
#include "workloads/trace/edit/cut_counts.hpp"

namespace weft::workloads {

/// The missing end of a message that crosses, `count` times.
struct MissingEnd {
  u32 task = 0;
  bool at_begin = false;
  TraceEvent event;  ///< a send or a receive, with the numbers of the whole trace
  u64 count = 1;
};

struct TaskPlan {
  u64 first = 0;                               ///< number of the first event within
  std::vector<bool> kept;                      ///< [event within]
  std::unordered_map<u64, TraceEvent> turned;  ///< receives in place of waits, by number of the event
  std::vector<TraceEvent> late_waits;          ///< to be added at the end
};

/// Plans one task after the other.
class CutPlanner {
 public:
  CutPlanner(const CutChoice& choice, const KeptTasks& kept, const CutCounts& counts, CutReport& report)
      : choice_(choice), kept_(kept), counts_(counts), report_(report) {}

  [[nodiscard]] TaskPlan plan(u32 task, TaskWalk& walk);
  [[nodiscard]] const std::vector<MissingEnd>& missing() const { return missing_; }

 private:
  using Kind = TraceEvent::Kind;
  using Numbers = std::unordered_map<ChannelKey, u64, ChannelKeyHash>;
  bool keeps_send(const TaskWalk& walk);
  bool keeps_receive(const TaskWalk& walk, const TraceEvent& receive);
  bool keeps_call(const TaskWalk& walk);
  bool keeps_probe(const TaskWalk& walk);
  void plan_wait(const TaskWalk& walk, TaskPlan& plan);
  void plan_event(const TaskWalk& walk, TaskPlan& plan);
  [[nodiscard]] bool is_whole() const { return kept_.all() && choice_.window.kind == CutWindow::Kind::all; }
  void note(Crossing crossing, const TaskWalk& walk, const TraceEvent& event);
  void miss(u32 task, bool at_begin, const TraceEvent& event);

  const CutChoice& choice_;
  const KeptTasks& kept_;
  const CutCounts& counts_;
  CutReport& report_;
  std::vector<MissingEnd> missing_;
  // The task at hand:
  u32 task_ = 0;
  Numbers sends_, receives_;
  std::unordered_map<u32, u64> calls_;
};

}  // namespace weft::workloads
