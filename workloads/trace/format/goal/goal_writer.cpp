// GOAL text: operations in the order of their numbers, each with what it requires.
#include "workloads/trace/format/goal/goal_writer.hpp"

#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "workloads/trace/format/goal/goal_sink.hpp"

namespace weft::workloads {
namespace {

class GoalTextWriter final : public GoalSink {
 public:
  explicit GoalTextWriter(const TextSink& write) : write_(write) {}

  void begin(u32 task) override { add("rank {} {{\n", task); }
  void end() override { add("}}\n"); }
  void operation(u32 number, const GraphOp& op) override {
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
      case GraphOp::Kind::meet:  // of linear programs alone
      case GraphOp::Kind::join:
        add("join");
        break;
      case GraphOp::Kind::until:
        add("until {}", op.amount);
        break;
      case GraphOp::Kind::pause:
        add("pause {}", op.amount);
        break;
    }
    const bool message =
        op.kind == GraphOp::Kind::send || op.kind == GraphOp::Kind::receive || op.kind == GraphOp::Kind::probe;
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
  void requires_of(u32 number, u32 on, bool start) override {
    add("l{} {} l{}\n", number, start ? "irequires" : "requires", on);
  }
  void requires_any(u32 number, const std::vector<std::pair<u32, bool>>& on) override {
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

}  // namespace

u64 write_goal(const Program& program, const TextSink& write) {
  GoalTextWriter writer(write);
  writer.start_file(program.tasks());
  walk_as_goal(program, writer);
  const u64 operations = writer.finish();
  if (operations == 0)
    throw ConfigError(fmt::format("'{}' has no operations (nothing to write); give it some", program.name()));
  return operations;
}

}  // namespace weft::workloads
