// `weft trace check`: whether a trace can be replayed.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/trace_choice.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::tools {
namespace {

using workloads::LeftOver;
using workloads::TraceCheck;
using workloads::WaitingTask;

constexpr std::size_t most_listed = 100;

std::string or_any(u32 number) { return number == workloads::GraphOp::any ? "any" : std::to_string(number); }

std::string communicator(u32 number) { return number == 0 ? "" : fmt::format("communicator {}, ", number); }

std::string stuck_line(const WaitingTask& task) {
  const std::string line = !task.place.empty() ? fmt::format(" ({})", task.place)
                           : task.line > 0     ? fmt::format(" (line {})", task.line)
                                               : "";
  return fmt::format("task {} waits in its operation {}{}: receive from {}, tag {}, {}{} bytes\n", task.task,
                     task.record, line, or_any(task.from), or_any(task.tag), communicator(task.communicator),
                     task.bytes);
}

std::string left_over_line(const LeftOver& message) {
  return fmt::format("task {} never receives {} from {}, tag {}, {}{} bytes\n", message.to,
                     message.count == 1 ? "a message" : fmt::format("{} messages", message.count), message.from,
                     message.tag, communicator(message.communicator), message.bytes);
}

/// Up to most_listed entries as lines, then how many more there are.
template <class Entry, class Line>
std::string listed(const std::vector<Entry>& entries, Line line) {
  std::string text;
  for (std::size_t ix = 0; ix < std::min(entries.size(), most_listed); ++ix) text += line(entries[ix]);
  if (entries.size() > most_listed) text += "and " + grouped(entries.size() - most_listed) + " more\n";
  return text;
}

[[noreturn]] void fail_check(const std::string& path, const TraceCheck& check) {
  std::string detail = listed(check.stuck, stuck_line) + listed(check.left_over_examples, left_over_line);
  u64 shown = 0;
  for (const LeftOver& message : check.left_over_examples) shown += message.count;
  if (shown < check.left_over) detail += "and " + grouped(check.left_over - shown) + " more left over\n";
  const std::string left_over =
      grouped(check.left_over) + (check.left_over == 1 ? " message is" : " messages are") + " never received";
  if (check.stuck.empty()) {
    throw StuckError(
        fmt::format("{}: {} (every task ends, but the trace is not whole); record it again", path, left_over), detail);
  }
  const bool one = check.stuck.size() == 1;
  throw StuckError(fmt::format("{}: {} {} for ever (no message matches the receive{}); "
                               "record or cut the trace again",
                               path, grouped(check.stuck.size()), one ? "task waits" : "tasks wait",
                               check.left_over > 0 ? "; " + left_over : ""),
                   detail);
}

/// Replays a trace without a network. Throws StuckError if tasks wait for ever or messages are left over; lists them.
void check_trace_file(const TraceChoice& trace) {
  const std::string& path = trace.path;
  const TraceCheck check = workloads::check_trace(path, {.store = store_choice(trace)});
  const std::string missing = missing_text(missing_of(trace));
  if (!check.completes() || check.left_over > 0) {
    files::print(missing);
    fail_check(path, check);
  }
  files::print(fmt::format("{}: {}{} messages sent and received, every task ends\n{}", path,
                           missing.empty() ? "complete, " : "", grouped(check.messages), missing));
}

void add_trace_check(CLI::App& trace, Command& chosen) {
  const auto choice = std::make_shared<TraceChoice>();
  CLI::App* command =
      trace.add_subcommand("check", "replay a trace without a network: does every receive find its message?");
  add_trace_choice(*command, *choice);
  command->footer(
      "Exit code 4 if a task waits for ever or a message is never received.\n"
      "Examples:\n"
      "  weft trace check examples/traces/is.S.16.trc.xz\n"
      "  weft trace check wavefront.trc && weft run replay.toml");
  command->callback([choice, &chosen] { chosen = on_first_rank([choice] { check_trace_file(*choice); }); });
}

[[maybe_unused]] const bool trace_check_registered =
    CommandRegistry::instance().add("trace check", {.place = 20, .add = add_trace_check});

}  // namespace
}  // namespace weft::tools
