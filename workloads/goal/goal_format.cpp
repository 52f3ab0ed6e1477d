// GOAL as formats of traces, text and binary.
#include "workloads/goal/goal_binary_reader.hpp"
#include "workloads/goal/goal_text_reader.hpp"
#include "workloads/program/graph_program.hpp"
#include "workloads/trace/trace_reader.hpp"

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
std::unique_ptr<Program> goal_program(std::unique_ptr<ByteSource> bytes, const std::string& name, KeepTask keep,
                                      const TaskLimits& limits) {
  Reader reader(std::move(bytes), std::move(keep));
  return std::make_unique<GraphProgram>(reader, name, limits);
}

}  // namespace
}  // namespace weft::workloads

namespace {
const bool goal_registered = weft::workloads::TraceFormats::instance().add(
    "goal",
    {"GOAL text (LogGOPSim, Schedgen): graphs of 'send', 'recv', 'calc', and what they require",
     weft::workloads::looks_like_goal, nullptr, weft::workloads::goal_program<weft::workloads::GoalTextReader>});
const bool goal_binary_registered = weft::workloads::TraceFormats::instance().add(
    "goal-binary", {"GOAL binary (LogGOPSim's txt2bin)", weft::workloads::looks_like_goal_binary, nullptr,
                    weft::workloads::goal_program<weft::workloads::GoalBinaryReader>});
}  // namespace
