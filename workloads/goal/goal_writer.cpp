// GOAL writer: operations in the order of their numbers, each with what it requires.
#include "workloads/goal/goal_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

class GoalWriter {
 public:
  explicit GoalWriter(const TextSink& write) : write_(write) {}

  void begin(u32 task) { add("rank {} {{\n", task); }
  void end() { add("}}\n"); }
  void operation(u32 number, const GraphOp& op) {
    add("l{}: ", number);
    switch (op.kind) {
      case GraphOp::Kind::compute:
        add("calc {}", op.amount);
        break;
      case GraphOp::Kind::send:
        add("send {}b to {}", op.amount, op.peer);
        break;
      case GraphOp::Kind::receive:
        add("recv {}b from ", op.amount);
        word(op.peer);
        break;
      case GraphOp::Kind::probe:
        add("probe {}b from ", op.amount);
        word(op.peer);
        break;
      case GraphOp::Kind::join:
        add("join");
        break;
    }
    const bool message = op.kind != GraphOp::Kind::compute && op.kind != GraphOp::Kind::join;
    if (message && op.tag != 0) {
      add(" tag ");
      word(op.tag);
    }
    if (message && op.communicator != 0) add(" comm {}", op.communicator);
    if (op.stream != 0) add(" cpu {}", op.stream);
    if (op.nic != 0) add(" nic {}", op.nic);
    add("\n");
    ++operations_;
  }
  void requires_of(u32 number, u32 on, bool start) {
    add("l{} {} l{}\n", number, start ? "irequires" : "requires", on);
  }
  void requires_any(u32 number, const std::vector<std::pair<u32, bool>>& on) {
    for (const auto& [op, start] : on) {
      if (start) requires_of(number, op, true);
    }
    add("l{} requires-any", number);
    for (const auto& [op, start] : on) {
      if (!start) add(" l{}", op);
    }
    add("\n");
  }
  u64 finish() {
    write_(text_);
    text_.clear();
    return operations_;
  }
  void start_file(u32 tasks) { add("num_ranks {}\n", tasks); }

 private:
  static constexpr std::size_t most_held = 256 * 1024;
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    if (text_.size() < most_held) return;
    write_(text_);
    text_.clear();
  }
  void word(u32 value) {
    if (value == GraphOp::any) return add("-1");
    add("{}", value);
  }

  const TextSink& write_;
  std::string text_;
  u64 operations_ = 0;
};

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
void write_lanes(const Program& program, u32 task, GoalWriter& writer) {
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

void write_stream(const Program& program, u32 task, GoalWriter& writer) {
  const auto stream = program.open(TaskId(task));
  u32 number = 0;
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next(), ++number) {
    writer.operation(number, graph_op(op));
    if (number > 0) writer.requires_of(number, number - 1, false);
  }
}

void write_graph(const TaskGraph& graph, GoalWriter& writer) {
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

u64 write_goal(const Program& program, const TextSink& write) {
  if (program.switch_groups() > 0) {
    throw ConfigError(
        fmt::format("'{}' has data combined by switches (GOAL has sends and receives only); choose another "
                    "workload.algorithm",
                    program.name()));
  }
  GoalWriter writer(write);
  writer.start_file(program.tasks());
  for (u32 task = 0; task < program.tasks(); ++task) {
    writer.begin(task);
    if (program.has_graphs()) {
      write_graph(program.graph(TaskId(task)), writer);
    } else if (!program.is_linear()) {
      write_lanes(program, task, writer);
    } else {
      write_stream(program, task, writer);
    }
    writer.end();
  }
  const u64 operations = writer.finish();
  if (operations == 0)
    throw ConfigError(fmt::format("'{}' has no operations (nothing to write); give it some", program.name()));
  return operations;
}

}  // namespace weft::workloads
