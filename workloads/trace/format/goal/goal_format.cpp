// GOAL as formats of traces, text and binary.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/program/graph_program.hpp"
#include "workloads/trace/format/goal/goal_binary_reader.hpp"
#include "workloads/trace/format/goal/goal_text_reader.hpp"
#include "workloads/trace/format/goal/goal_writer.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

/// The first word after comments is num_ranks, or there is nothing but comments of this form.
bool looks_like_goal(std::string_view head) {
  constexpr std::string_view blanks = " \t\r\n";
  bool comments = false;
  for (;;) {
    const std::size_t start = head.find_first_not_of(blanks);
    if (start == std::string_view::npos) return comments;
    head.remove_prefix(start);
    const bool line = head.starts_with("//");
    if (!line && !head.starts_with("/*")) return head.starts_with("num_ranks");
    comments = true;
    const std::size_t end = line ? head.find('\n') : head.find("*/", 2);
    if (end == std::string_view::npos) return true;
    head.remove_prefix(end + (line ? 1 : 2));
  }
}

bool looks_like_goal_binary(std::string_view head) {
  constexpr std::string_view magic("\x7F\x10\0\0\0\0\0\0", 8);
  static_assert(goal_binary_magic == 0x107F);
  return head.starts_with(magic);
}

template <class Reader>
std::unique_ptr<Program> goal_program(const TraceInput& input, const std::string& name, KeepTask keep,
                                      const TaskLimits& limits, const std::string& /*library*/) {
  if (input.files.size() > 1) throw InputError(fmt::format("{}: programs in GOAL are one file; name it", input.path));
  Reader reader(open_input(input), std::move(keep));
  return std::make_unique<GraphProgram>(reader, name, limits);
}

[[maybe_unused]] const bool goal_registered = TraceFormats::instance().add(
    "goal", {.help = "GOAL text (LogGOPSim, Schedgen): graphs of 'send', 'recv', 'calc', and what they require",
             .recognises = [](std::string_view head, const TraceInput& /*input*/) { return looks_like_goal(head); },
             .program = goal_program<GoalTextReader>,
             .write_program = write_goal,
             .writes_requests = true,
             .ending = ".goal"});
[[maybe_unused]] const bool goal_binary_registered = TraceFormats::instance().add(
    "goal-binary",
    {.help = "GOAL binary (LogGOPSim's txt2bin)",
     .recognises = [](std::string_view head, const TraceInput& /*input*/) { return looks_like_goal_binary(head); },
     .program = goal_program<GoalBinaryReader>,
     .write_program = write_goal_binary,
     .writes_requests = true,
     .ending = ".goal.bin"});

}  // namespace
}  // namespace weft::workloads
