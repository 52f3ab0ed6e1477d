// `weft trace`: what is in a trace file, and whether it can be replayed.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/cli/trace_choice.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::tools {
namespace {

using workloads::LeftOver;
using workloads::Spread;
using workloads::TraceCheck;
using workloads::TraceSummary;
using workloads::WaitingTask;

constexpr std::size_t most_listed = 100;

std::string spread_text(const Spread& spread, const std::string& unit) {
  return fmt::format("least {}, mean {}, most {}{}", grouped(spread.min), significant(spread.mean), grouped(spread.max),
                     unit);
}

std::string seconds_of(double nanoseconds) { return duration(nanoseconds * 1e-9); }

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

/// 3 probes; nothing of what there is none.
std::string also(u64 count, const std::string& things) {
  return count == 0 ? "" : fmt::format(", {} {}", grouped(count), things);
}

nlohmann::json collectives_json(const TraceSummary& trace) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, count] : trace.collectives) json[name] = {{"calls", count.calls}, {"bytes", count.bytes}};
  return json;
}

std::string collectives_text(const TraceSummary& trace) {
  std::string text;
  for (const auto& [name, count] : trace.collectives) {
    text += labelled(text.empty() ? "collectives" : "",
                     fmt::format("{}: {} calls of tasks, {} bytes", name, grouped(count.calls), grouped(count.bytes)));
  }
  return text;
}

nlohmann::json info_json(const TraceSummary& trace) {
  nlohmann::json operations = {{"send", trace.messages}, {"receive", trace.receives}, {"compute", trace.computes}};
  nlohmann::json json = {
      {"format", trace.format},        {"tasks", trace.tasks}, {"idle_tasks", trace.idle_tasks},
      {"messages", trace.messages},    {"bytes", trace.bytes}, {"collectives", collectives_json(trace)},
      {"waits", trace.waits},          {"marks", trace.marks}, {"communicators", trace.communicators},
      {"duration_s", trace.duration_s}};
  if (!trace.counters.empty()) json["counters"] = trace.counters;
  if (trace.graphs) {
    operations["probe"] = trace.probes;
    operations["join"] = trace.joins;
    operations["time"] = trace.times;
    json["requirements"] = trace.requirements;
  }
  json["operations"] = operations;
  return json;
}

std::string info_text(const std::string& path, const TraceSummary& trace) {
  std::string text = path + "\n";
  if (!trace.graphs) text += labelled("format", trace.format);
  if (trace.graphs) text += labelled("format", trace.format + ", graphs of operations");
  text += labelled("tasks",
                   grouped(trace.tasks) +
                       (trace.idle_tasks > 0 ? ", of which " + grouped(trace.idle_tasks) + " have no operation" : ""));
  text += labelled(
      "operations",
      fmt::format("{}: {} sends, {} receives, {} computes{}{}{}{}{}{}", grouped(trace.records), grouped(trace.messages),
                  grouped(trace.receives), grouped(trace.computes), also(trace.waits, "waits"),
                  also(trace.probes, "probes"), also(trace.joins, "joins"), also(trace.times, "waits for times"),
                  also(trace.marks, "marks of calls and regions"), also(trace.counts, "counts of counters")));
  if (trace.graphs) text += labelled("edges", grouped(trace.requirements) + " requirements");
  text += labelled(
      "messages", fmt::format("{} bytes in all ({}); each: {}", grouped(trace.bytes),
                              byte_size(static_cast<double>(trace.bytes)), spread_text(trace.message_bytes, " bytes")));
  text += collectives_text(trace);
  if (!trace.counters.empty()) text += labelled("counters", fmt::format("{}", fmt::join(trace.counters, ", ")));
  if (trace.communicators > 1) text += labelled("communicators", grouped(trace.communicators));
  text += labelled("partners", spread_text(trace.partners, " a task"));
  text += labelled(
      "compute", fmt::format("least {}, mean {}, most {} a task", seconds_of(static_cast<double>(trace.compute_ns.min)),
                             seconds_of(trace.compute_ns.mean), seconds_of(static_cast<double>(trace.compute_ns.max))));
  if (trace.duration_s > 0) text += labelled("duration", duration(trace.duration_s));
  if (trace.self_sends + trace.self_receives > 0) {
    text += labelled("left out", fmt::format("{} sends and {} receives between a task and itself",
                                             grouped(trace.self_sends), grouped(trace.self_receives)));
  }
  return text;
}

}  // namespace

void print_trace_info(const TraceInfoOptions& options) {
  files::CommandFiles files;
  reads_trace(files, options.trace);
  files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  const TraceSummary trace = workloads::summarise_trace(options.trace.path, {.store = store_choice(options.trace)});
  const std::vector<std::string> missing = missing_of(options.trace);
  nlohmann::json json = info_json(trace);
  if (!missing.empty()) json["missing"] = missing;
  write_answer(options.json, json, info_text(options.trace.path, trace) + missing_text(missing));
}

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

}  // namespace weft::tools
