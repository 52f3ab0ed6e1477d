// Cutting: counts, then plans and writes one task after the other.
#include "workloads/trace/edit/cut.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/trace/edit/cut_communicators.hpp"
#include "workloads/trace/edit/cut_plan.hpp"
#include "workloads/trace/edit/new_store.hpp"

namespace weft::workloads {
namespace {

/// Order of what a task has in the end. Added sends come first at both places, because nothing waits for them to end:
/// what follows finds the messages that it found in the whole trace.
enum CutPart : u32 {
  names_open_at_begin,
  sends_at_begin,
  receives_at_begin,
  window_part,
  sends_at_end,
  waits_at_end,
  receives_at_end,
  names_open_at_end
};

class CutWriter {
 public:
  CutWriter(const std::shared_ptr<const TraceStore>& store, const CutChoice& choice, const KeptTasks& kept,
            const CutCounts& counts)
      : from_(store),
        index_(store->index()),
        choice_(choice),
        kept_(kept),
        communicators_(index_, kept, counts),
        shift_ns_(choice.window.kind == CutWindow::Kind::all     ? 0
                  : choice.window.kind == CutWindow::Kind::times ? choice.window.from_ns
                                                                 : counts.first_begin_ns()),
        to_(index_.has_times) {}

  void write(u32 task, const TaskPlan& plan);
  void write(const std::vector<MissingEnd>& missing);
  std::shared_ptr<const TraceStore> finish() {
    return to_.finish({.format = index_.format,
                       .tasks = kept_.count(),
                       .has_times = index_.has_times,
                       .in_order = index_.in_order,
                       .communicators = communicators_.kept(),
                       .names = index_.names});
  }

 private:
  using Kind = TraceEvent::Kind;
  struct Times {
    u64 begin_ns = 0, end_ns = 0;
  };
  /// State of a task, while it is written.
  struct State {
    u32 number = 0;
    Times times;
    bool begun = false, ended = false;
    bool last_kept = false;      ///< the event before is there as it was
    std::vector<u32> open;       ///< names of regions
    std::vector<u32> open_last;  ///< when the window ended
    u64 calls = 0;               ///< of them, those of calls
  };
  void begin_window(State& state, const TraceEvent& first);
  void end_window(State& state, u64 next_begin_ns);
  void follow(State& state, const TraceEvent& event) const;
  void put(State& state, TraceEvent event, CutPart part);
  void put_at(const Times& times, bool at_begin, u32 number, TraceEvent event, CutPart part);

  std::shared_ptr<const TraceStore> from_;
  const StoreIndex& index_;
  const CutChoice& choice_;
  const KeptTasks& kept_;
  CutCommunicators communicators_;
  u64 shift_ns_;  ///< to the begin of the part, of the task that is written if clocks are its own
  NewStore to_;
  std::vector<Times> times_;  ///< [new number], shifted
};

void CutWriter::put_at(const Times& times, bool at_begin, u32 number, TraceEvent event, CutPart part) {
  event.begin_ns = event.end_ns = at_begin ? times.begin_ns : times.end_ns;
  event.continues = false;
  communicators_.translate(event);
  to_.add(number, event, part);
}

void CutWriter::begin_window(State& state, const TraceEvent& first) {
  state.begun = true;
  const u64 begin = choice_.window.kind == CutWindow::Kind::times ? choice_.window.from_ns
                    : choice_.window.kind == CutWindow::Kind::all ? 0
                                                                  : first.begin_ns;
  const bool by_events =
      choice_.window.kind == CutWindow::Kind::marks || choice_.window.kind == CutWindow::Kind::region;
  if (choice_.own_clocks && by_events) shift_ns_ = begin;
  state.times = {begin - shift_ns_, begin - shift_ns_};
  for (const u32 name : state.open) {
    TraceEvent enter;
    enter.kind = Kind::enter;
    enter.name = name;
    put_at(state.times, true, state.number, enter, names_open_at_begin);
  }
}

/// What comes next begins at `next_begin_ns`: up to there, or to the end of the window, the task computes.
void CutWriter::end_window(State& state, u64 next_begin_ns) {
  state.ended = true;
  state.open_last = state.open;
  if (choice_.window.kind != CutWindow::Kind::times) return;
  const u64 end = std::max(std::min(next_begin_ns, choice_.window.to_ns), shift_ns_) - shift_ns_;
  if (end <= state.times.end_ns) return;
  if (state.calls == 0) {
    TraceEvent rest;
    rest.bytes = end - state.times.end_ns;
    rest.begin_ns = state.times.end_ns;
    rest.end_ns = end;
    to_.add(state.number, rest, window_part);
  }
  state.times.end_ns = end;
}

void CutWriter::follow(State& state, const TraceEvent& event) const {
  if (event.kind == Kind::enter) {
    state.open.push_back(event.name);
    state.calls += index_.is_call(event.name) ? 1 : 0;
  } else if (event.kind == Kind::leave && !state.open.empty()) {
    state.calls -= index_.is_call(state.open.back()) ? 1 : 0;
    state.open.pop_back();
  }
}

void CutWriter::put(State& state, TraceEvent event, CutPart part) {
  event.begin_ns = std::max(event.begin_ns, shift_ns_ + state.times.begin_ns) - shift_ns_;
  event.end_ns = std::max(event.end_ns - std::min(event.end_ns, shift_ns_), event.begin_ns);
  state.times.end_ns = std::max(state.times.end_ns, event.end_ns);
  communicators_.translate(event);
  to_.add(state.number, event, part);
}

void CutWriter::write(u32 task, const TaskPlan& plan) {
  State state;
  state.number = kept_.number(task);
  WindowTracker tracker(choice_.window, index_.names);
  const auto events = TraceStore::events(from_, task);
  TraceEvent event;
  const bool in_times = choice_.window.kind == CutWindow::Kind::times;
  for (u64 number = 0; !state.ended && events->next(event); ++number) {
    const Where where = tracker.step(event);
    if (!state.begun && (where == Where::within || (where == Where::after && in_times))) begin_window(state, event);
    if (where == Where::after) {
      end_window(state, event.begin_ns);
      break;
    }
    follow(state, event);
    if (where == Where::before) continue;
    const bool kept = plan.kept[number - plan.first];
    const auto turned = plan.turned.find(number);
    const bool as_it_was = kept && turned == plan.turned.end();
    if (kept) {
      event.continues = event.continues && state.last_kept && as_it_was;
      put(state, as_it_was ? event : turned->second, window_part);
    }
    state.last_kept = as_it_was;
  }
  times_.resize(std::max<std::size_t>(times_.size(), state.number + std::size_t{1}));
  times_[state.number] = state.times;
  for (TraceEvent wait : plan.late_waits) put_at(state.times, false, state.number, wait, waits_at_end);
  for (auto name = state.open_last.rbegin(); name != state.open_last.rend(); ++name) {
    TraceEvent leave;
    leave.kind = Kind::leave;
    leave.name = *name;
    put_at(state.times, false, state.number, leave, names_open_at_end);
  }
}

void CutWriter::write(const std::vector<MissingEnd>& missing) {
  for (const MissingEnd& end : missing) {
    const bool sends = end.event.kind == Kind::send;
    const CutPart part =
        end.at_begin ? (sends ? sends_at_begin : receives_at_begin) : (sends ? sends_at_end : receives_at_end);
    const u32 number = kept_.number(end.task);
    for (u64 i = 0; i < end.count; ++i) put_at(times_[number], end.at_begin, number, end.event, part);
  }
}

void check_choice(const StoreIndex& index, const CutWindow& window) {
  if (window.kind != CutWindow::Kind::times) return;
  if (!index.has_times)
    throw ConfigError("the trace has no times (its format says only what came after what); cut it by tasks");
  if (window.from_ns >= window.to_ns)
    throw ConfigError(fmt::format("the window from {} s to {} s is empty; give an end behind the begin",
                                  static_cast<double>(window.from_ns) * 1e-9,
                                  static_cast<double>(window.to_ns) * 1e-9));
  if (window.from_ns > index.end_ns)
    throw ConfigError(fmt::format("the window begins at {} s, when the trace has ended (at {} s); begin earlier",
                                  static_cast<double>(window.from_ns) * 1e-9,
                                  static_cast<double>(index.end_ns) * 1e-9));
}

}  // namespace

CutTrace cut_trace(const std::shared_ptr<const TraceStore>& store, const CutChoice& choice) {
  const StoreIndex& index = store->index();
  check_choice(index, choice.window);
  const KeptTasks kept(choice.tasks, index.tasks);
  CutCounts counts(index, kept);
  for (const u32 task : kept.tasks()) {
    TaskWalk walk(store, task, choice.window);
    counts.add(task, walk);
  }
  counts.finish();
  if (counts.events_within() == 0 && index.events > 0)
    throw ConfigError(
        "no task has an event in the part that is asked for (there are fewer marks or regions of that name, or nothing "
        "happens); choose another part");
  CutTrace result;
  result.report.tasks_without_window = counts.tasks_without_window();
  CutPlanner planner(choice, kept, counts, result.report);
  CutWriter writer(store, choice, kept, counts);
  for (const u32 task : kept.tasks()) {
    TaskWalk walk(store, task, choice.window);
    writer.write(task, planner.plan(task, walk));
  }
  writer.write(planner.missing());
  result.store = writer.finish();
  return result;
}

}  // namespace weft::workloads
