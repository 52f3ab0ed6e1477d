// `weft trace info`: what is in a trace file.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/file/output_path.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/trace_choice.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::tools {
namespace {

using workloads::Spread;
using workloads::TraceSummary;

struct TraceInfoOptions {
  TraceChoice trace;
  std::string json;  ///< counts; "-": standard output, which then holds nothing else; empty: as text
};

std::string spread_text(const Spread& spread, const std::string& unit) {
  return fmt::format("least {}, mean {}, most {}{}", grouped(spread.min), significant(spread.mean), grouped(spread.max),
                     unit);
}

std::string seconds_of(double nanoseconds) { return duration(nanoseconds * 1e-9); }

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

/// Prints counts of a trace file.
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

void add_trace_info(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceInfoOptions>();
  CLI::App* command =
      trace.add_subcommand("info", "counts of a trace: tasks, operations, messages, bytes, compute times");
  add_trace_choice(*command, options->trace);
  command->add_option("--json", options->json, "write the same as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  command->footer(
      "Examples:\n"
      "  weft trace info examples/traces/is.S.16.trc.xz\n"
      "  weft trace info examples/traces/goal/binary_tree_32.goal --json -");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { print_trace_info(*options); }); });
}

[[maybe_unused]] const bool trace_info_registered =
    CommandRegistry::instance().add("trace info", {.place = 10, .add = add_trace_info});

}  // namespace
}  // namespace weft::tools
