// Programs as what GOAL has; see the header.
#include "workloads/trace/format/goal/goal_sink.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

/// What a lane has come to: the operation before, and marks that it waited for since.
struct LanePoint {
  static constexpr u32 none = ~u32{0};
  u32 operation = none;
  std::vector<std::pair<u32, u64>> waits = {};  ///< counter, number of the mark from 0
};
/// [counter]: where its marks are.
using Marks = std::vector<std::vector<LanePoint>>;

/// Goes through a lane, whose first operation has that number: `met` is given each operation with its number and where
/// the lane was before, `marked` each mark with where it is. Returns the number behind the last.
template <class Met, class Marked>
u32 walk_lane(const Program& program, u32 task, u32 lane, u32 number, const Met& met, const Marked& marked) {
  const auto stream = program.open_lane(TaskId(task), lane);
  LanePoint point;
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) {
    if (op.kind == OpKind::mark) {
      marked(op.peer, point);
    } else if (op.kind == OpKind::wait) {
      if (op.amount > 0) point.waits.emplace_back(op.peer, op.amount - 1);
    } else {
      met(op, number, point);
      point = {number++, {}};
    }
  }
  return number;
}

/// Operations that must be complete before what comes at that point.
void requirements(const LanePoint& point, const Marks& marks, std::vector<u32>& into) {
  if (point.operation != LanePoint::none) into.push_back(point.operation);
  for (const auto& [counter, number] : point.waits) requirements(marks.at(counter).at(number), marks, into);
}

/// The places of all marks in the file are needed before they are waited for: each lane is gone through twice.
void write_lanes(const Program& program, u32 task, GoalSink& writer) {
  Marks marks(most_counters);
  const auto skip = [](const Op&, u32, const LanePoint&) {};
  const auto note = [&](u32 counter, const LanePoint& point) { marks.at(counter).push_back(point); };
  u32 number = 0;
  for (u32 lane = 0; lane < program.lanes(); ++lane) number = walk_lane(program, task, lane, number, skip, note);
  number = 0;
  for (u32 lane = 0; lane < program.lanes(); ++lane) {
    const auto write = [&](const Op& op, u32 at, const LanePoint& point) {
      GraphOp written = graph_op(op);
      written.stream = static_cast<u8>(lane);
      writer.operation(at, written);
      std::vector<u32> on;
      requirements(point, marks, on);
      std::ranges::sort(on);
      on.erase(std::unique(on.begin(), on.end()), on.end());
      for (const u32 required : on) writer.requires_of(at, required, false);
    };
    number = walk_lane(program, task, lane, number, write, [](u32, const LanePoint&) {});
  }
}

/// Each operation requires the one before: that it has started, if it is a request. What comes after waits requires the
/// requests too.
void write_stream(const Program& program, u32 task, GoalSink& writer) {
  const auto stream = program.open(TaskId(task));
  std::unordered_map<u64, u32> requests;  // number in the stream, to the operation
  std::vector<u32> awaited;
  u64 place = 0;
  u32 number = 0;
  bool after_start = false;
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next(), ++place) {
    if (op.kind == OpKind::await) {
      const auto request = requests.find(op.amount);
      if (request == requests.end()) continue;
      awaited.push_back(request->second);
      requests.erase(request);
      continue;
    }
    writer.operation(number, graph_op(op));
    std::ranges::sort(awaited);
    const bool awaits_last = !awaited.empty() && awaited.back() + 1 == number;
    for (const u32 on : awaited) writer.requires_of(number, on, false);
    awaited.clear();
    if (number > 0 && !awaits_last) writer.requires_of(number, number - 1, after_start);
    after_start = op.kind == OpKind::isend || op.kind == OpKind::ireceive;
    if (after_start) requests.emplace(place, number);
    ++number;
  }
  // Waits at the end order nothing: a task ends when all of its operations are over.
}

void write_graph(const TaskGraph& graph, GoalSink& writer) {
  std::vector<std::vector<std::pair<u32, bool>>> required(graph.ops.size());
  for (u32 number = 0; number < graph.ops.size(); ++number) {
    for (const u32 dependent : graph.on_completion(number)) required[dependent].emplace_back(number, false);
    for (const u32 dependent : graph.on_start(number)) required[dependent].emplace_back(number, true);
  }
  for (u32 number = 0; number < graph.ops.size(); ++number) {
    writer.operation(number, graph.ops[number]);
    if (graph.ops[number].one_suffices) {
      if (!required[number].empty()) writer.requires_any(number, required[number]);
      continue;
    }
    for (const auto& [on, start] : required[number]) writer.requires_of(number, on, start);
  }
}

}  // namespace

void walk_as_goal(const Program& program, GoalSink& sink) {
  if (program.switch_groups() > 0) {
    throw ConfigError(
        fmt::format("'{}' has data combined by switches (GOAL has sends and receives only); choose another "
                    "workload.algorithm",
                    program.name()));
  }
  refuse_meetings(program);
  for (u32 task = 0; task < program.tasks(); ++task) {
    sink.begin(task);
    if (program.has_graphs()) {
      write_graph(program.graph(TaskId(task)), sink);
    } else if (!program.is_linear()) {
      write_lanes(program, task, sink);
    } else {
      write_stream(program, task, sink);
    }
    sink.end();
  }
}

}  // namespace weft::workloads
