// GOAL binary: a first walk finds how long the ranks are, which stands before them, a second one writes them.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>

#include "engine/base/error.hpp"
#include "workloads/trace/format/goal/goal_binary_reader.hpp"
#include "workloads/trace/format/goal/goal_sink.hpp"
#include "workloads/trace/format/goal/goal_writer.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t most_held_goal_bytes = 256 * 1024;

/// Tags of one communicator, as they are; of several, (communicator, tag) to a number.
class GoalTags {
 public:
  void meet(const GraphOp& op) {
    communicators_.insert(op.communicator);
    if (op.tag == GraphOp::any) {
      any_tag_ = true;
    } else {
      tags_.emplace(std::pair{op.communicator, op.tag}, 0);
    }
  }
  /// When all have been met. False: a receive of any tag would take messages of other communicators.
  [[nodiscard]] bool finish() {
    if (communicators_.size() < 2) return true;
    u32 number = 0;
    for (auto& [tag, mapped] : tags_) mapped = number++;
    return !any_tag_;
  }
  [[nodiscard]] u32 of(const GraphOp& op) const {
    return communicators_.size() < 2 ? op.tag : tags_.at({op.communicator, op.tag});
  }

 private:
  std::set<u32> communicators_;
  std::map<std::pair<u32, u32>, u32> tags_;
  bool any_tag_ = false;
};

/// Gathers the graph of each task, and hands it on when it is whole.
class GoalBinaryWalk : public GoalSink {
 public:
  explicit GoalBinaryWalk(const Program& program) : program_(program) {}

  void begin(u32 task) override { task_ = task; }
  void operation(u32 /*number*/, const GraphOp& op) override {
    if (op.kind == GraphOp::Kind::probe) refuse("probes");
    if (op.kind == GraphOp::Kind::join) refuse("joins");
    if (op.kind == GraphOp::Kind::until || op.kind == GraphOp::Kind::pause) refuse("waits for times");
    GraphOp added = op;
    added.one_suffices = false;
    graph_.add(added);
  }
  void requires_of(u32 number, u32 on, bool start) override { graph_.require(number, on, start); }
  void requires_any(u32 /*number*/, const std::vector<std::pair<u32, bool>>& /*on*/) override {
    refuse("operations that begin when one of what they require is there");
  }
  void end() override { write(graph_.finish(fmt::format("{}: rank {}", program_.name(), task_))); }

 protected:
  virtual void write(const GraphBuilder::Finished& graph) = 0;
  /// In bytes.
  [[nodiscard]] static u64 length_of(const GraphBuilder::Finished& graph) {
    const auto roots = static_cast<u64>(std::ranges::count(graph.ops, u32{0}, &GraphOp::missing));
    return 2 * sizeof(u32) + roots * sizeof(u32) + graph.ops.size() * goal_binary_op_bytes +
           graph.dependents.size() * sizeof(u32);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw ConfigError(
        fmt::format("task {} of '{}' has {} (GOAL's binary form has sends, receives and computations "
                    "only); write a .goal file",
                    task_, program_.name(), what));
  }

  const Program& program_;
  u32 task_ = 0;
  GraphBuilder graph_;
};

/// The first walk.
class GoalBinaryExtents final : public GoalBinaryWalk {
 public:
  using GoalBinaryWalk::GoalBinaryWalk;
  void write(const GraphBuilder::Finished& graph) override {
    lengths.push_back(length_of(graph));
    operations += graph.ops.size();
    for (const GraphOp& op : graph.ops) {
      last_stream = std::max(last_stream, op.stream);
      last_nic = std::max(last_nic, op.nic);
      if (op.kind != GraphOp::Kind::compute) tags.meet(op);
    }
  }
  std::vector<u64> lengths;
  u64 operations = 0;
  u8 last_stream = 0, last_nic = 0;
  GoalTags tags;
};

/// The second.
class GoalBinaryWriter final : public GoalBinaryWalk {
 public:
  GoalBinaryWriter(const Program& program, const GoalTags& tags, const TextSink& write)
      : GoalBinaryWalk(program), tags_(tags), sink_(write) {}

  template <class Number>
  void put(Number value) {
    for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
      held_ += static_cast<char>(static_cast<u8>(value >> (8 * byte)));
  }
  void write(const GraphBuilder::Finished& graph) override {
    put(static_cast<u32>(graph.ops.size()));
    put(static_cast<u32>(std::ranges::count(graph.ops, u32{0}, &GraphOp::missing)));
    for (u32 number = 0; number < graph.ops.size(); ++number) {
      if (graph.ops[number].missing == 0) put(number);
    }
    for (const GraphOp& op : graph.ops) {
      const bool computes = op.kind == GraphOp::Kind::compute;
      put(op.missing);
      put(static_cast<u8>(computes ? 3 : op.kind == GraphOp::Kind::receive ? 2 : 1));
      put(computes ? u32{0} : op.peer);
      put(op.amount);
      put(computes ? u32{0} : tags_.of(op));
      put(op.stream);
      put(op.nic);
      put(op.on_completion);
      put(op.first_dependent);
      put(op.on_start);
      put(op.first_dependent + op.on_completion);
      if (held_.size() > most_held_goal_bytes) flush();
    }
    for (const u32 dependent : graph.dependents) put(dependent);
    if (held_.size() > most_held_goal_bytes) flush();
  }
  void flush() {
    sink_(held_);
    held_.clear();
  }

 private:
  const GoalTags& tags_;
  const TextSink& sink_;
  std::string held_;
};

}  // namespace

u64 write_goal_binary(const Program& program, const TextSink& write) {
  GoalBinaryExtents extents(program);
  walk_as_goal(program, extents);
  if (extents.operations == 0)
    throw ConfigError(fmt::format("'{}' has no operations (nothing to write); give it some", program.name()));
  if (!extents.tags.finish()) {
    throw ConfigError(
        fmt::format("'{}' has receives of any tag and several communicators (GOAL's binary form has none of these, so "
                    "that tags have to tell them apart); write a .goal file",
                    program.name()));
  }
  GoalBinaryWriter writer(program, extents.tags, write);
  writer.put(goal_binary_magic);
  writer.put(program.tasks());
  writer.put(extents.last_stream);
  writer.put(extents.last_nic);
  u64 at = sizeof(u32) + 2 * sizeof(u8) + 2 * sizeof(u64) * u64{program.tasks()};  // counted from byte 8
  for (const u64 length : extents.lengths) {
    writer.put(at);
    writer.put(at + length);
    at += length;
  }
  walk_as_goal(program, writer);
  writer.flush();
  return extents.operations;
}

}  // namespace weft::workloads
