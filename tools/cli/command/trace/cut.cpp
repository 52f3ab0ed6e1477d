// `weft trace cut`: a part of a trace as a trace.
#include "workloads/trace/edit/cut.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/trace_choice.hpp"
#include "tools/cli/trace_target.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::tools {
namespace {

struct TraceCutOptions {
  TraceChoice trace;
  TraceOutput output;  ///< its format is in `to`
  /// Window in seconds; empty: from the begin, to the end.
  std::optional<double> from;
  /// A number is the end of the window in seconds, a name the format of what is written.
  std::vector<std::string> to;
  std::string tasks;              ///< "0-15,20"; empty: all
  std::string between;            ///< "MARK,MARK"
  std::string region;             ///< "NAME" or "NAME:n"
  std::string crossing = "drop";  ///< or complete
};

using workloads::Crossing;
using workloads::CrossingCount;
using workloads::CrossingExample;
using workloads::CutChoice;
using workloads::CutReport;
using workloads::CutWindow;
using workloads::TraceEvent;

/// The end of the window among the values of --to, if it is one of them; the other one is the format.
std::optional<double> end_of_window(const std::vector<std::string>& values, std::string& format) {
  std::optional<double> end;
  for (const std::string& value : values) {
    double seconds = 0;
    std::size_t used = 0;
    try {
      seconds = std::stod(value, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    const bool is_time = used > 0 && used == value.size();
    if (is_time ? end.has_value() : !format.empty())
      throw ConfigError(fmt::format("--to {} is given after another {} (a cut has one); leave one out", shown(value),
                                    is_time ? "time" : "format"));
    if (is_time) {
      end = seconds;
    } else {
      format = value;
    }
  }
  return end;
}

u64 nanoseconds(double seconds, const char* option) {
  if (!(seconds >= 0 && seconds < 1e9))
    throw ConfigError(fmt::format("{} {} is no time (seconds since the begin of the trace, 0 or more); give another",
                                  option, seconds));
  return static_cast<u64>(std::llround(seconds * 1e9));
}

CutWindow window_of(const TraceCutOptions& options, const std::optional<double>& end,
                    const std::vector<workloads::TraceName>& names) {
  if (!options.between.empty()) return workloads::window_between(options.between, names);
  if (!options.region.empty()) return workloads::window_of_region(options.region, names);
  CutWindow window;
  if (!options.from && !end) return window;
  window.kind = CutWindow::Kind::times;
  if (options.from) window.from_ns = nanoseconds(*options.from, "--from");
  if (end) window.to_ns = nanoseconds(*end, "--to");
  return window;
}

std::string shown_number(u32 number) { return number == TraceEvent::any ? "any" : std::to_string(number); }

std::string example_text(const CrossingExample& example) {
  const TraceEvent& event = example.event;
  std::string what;
  if (event.kind == TraceEvent::Kind::collective) {
    what = std::string(workloads::name_of(event.operation));
    if (event.root != TraceEvent::no_root) what += fmt::format(", root {}", event.root);
  } else {
    const bool sends = event.kind == TraceEvent::Kind::send || event.kind == TraceEvent::Kind::isend;
    what = fmt::format("{} {}, tag {}", sends ? "to" : "from", shown_number(event.peer), shown_number(event.tag));
  }
  if (event.communicator != 0) what += fmt::format(", communicator {}", event.communicator);
  if (event.bytes != TraceEvent::unknown_bytes && event.bytes > 0) what += fmt::format(", {} bytes", event.bytes);
  return fmt::format("    task {}, event {}: {}\n", example.task, example.number, what);
}

struct CrossingText {
  Crossing crossing;
  const char* what;
  bool completed;  ///< if that is asked for
};
constexpr CrossingText crossing_texts[] = {
    {Crossing::send, "sends whose receive lies outside", true},
    {Crossing::receive, "receives whose send lies outside", true},
    {Crossing::send_to_left_out, "sends to tasks that are left out", false},
    {Crossing::receive_of_left_out, "receives from tasks that are left out", false},
    {Crossing::call, "collective calls that not all members have in the part", false},
    {Crossing::call_of_left_out, "collective calls whose root is left out", false},
    {Crossing::probe, "probes for messages that are not kept or not known", false}};

std::string report_text(const CutReport& report, bool complete) {
  std::string text =
      fmt::format("kept {} events: {} sends, {} receives, {} collective calls of tasks\n", grouped(report.kept_events),
                  grouped(report.kept_sends), grouped(report.kept_receives), grouped(report.kept_calls));
  for (const auto& [crossing, what, completed] : crossing_texts) {
    const CrossingCount& count = report.of(crossing);
    if (count.events == 0) continue;
    text += fmt::format("  {}, {}: {}{}\n", complete && completed ? "completed" : "left out", what,
                        grouped(count.events), count.bytes > 0 ? fmt::format(" ({} bytes)", grouped(count.bytes)) : "");
    for (const CrossingExample& example : count.examples) text += example_text(example);
    if (count.events > count.examples.size())
      text += fmt::format("    and {} more\n", grouped(count.events - count.examples.size()));
  }
  const auto line = [&text](u64 count, const char* what) {
    if (count > 0) text += fmt::format("  {}: {}\n", what, grouped(count));
  };
  line(report.added_sends, "added, sends for receives whose send lies outside");
  line(report.added_receives, "added, receives for sends whose receive lies outside");
  line(report.turned_waits, "turned into receives, waits for what began before the part");
  line(report.dropped_waits, "left out, waits for what is left out or began before");
  line(report.added_waits, "added, waits at the end for what began in the part");
  line(report.tasks_without_window, "tasks without an event in the part");
  return text;
}

[[noreturn]] void fail_tasks(const std::string& text, const std::string& piece) {
  throw ConfigError(
      fmt::format("--tasks {} is no list of tasks (because of '{}'); give numbers and ranges like 0-15,20", shown(text),
                  shown(piece)));
}

/// "0-15,20": numbers and ranges, both ends included. Empty for an empty text. Throws ConfigError.
std::vector<u32> parse_tasks(const std::string& text) {
  std::vector<u32> tasks;
  for (std::size_t at = 0; at < text.size() || (at == text.size() && at > 0 && text.back() == ',');) {
    const std::string piece = text.substr(at, text.find(',', at) - at);
    at += piece.size() + 1;
    const char *from = piece.data(), *const end = piece.data() + piece.size();
    u32 first = 0, last = 0;
    auto [stop, error] = std::from_chars(from, end, first);
    if (error != std::errc{}) fail_tasks(text, piece);
    last = first;
    if (stop != end) {
      if (*stop != '-') fail_tasks(text, piece);
      const auto range = std::from_chars(stop + 1, end, last);
      if (range.ec != std::errc{} || range.ptr != end) fail_tasks(text, piece);
    }
    if (last < first || last >= workloads::max_trace_tasks) fail_tasks(text, piece);
    for (u32 task = first; task <= last; ++task) tasks.push_back(task);
  }
  return tasks;
}

/// Writes a part of a trace, and says what crosses its edges.
void cut_trace_file(const TraceCutOptions& options) {
  files::CommandFiles files;
  reads_trace(files, options.trace);
  TraceOutput output = options.output;
  const std::optional<double> end = end_of_window(options.to, output.to);
  const int windows =
      (options.from || end ? 1 : 0) + (options.between.empty() ? 0 : 1) + (options.region.empty() ? 0 : 1);
  if (windows > 1)
    throw ConfigError("--from and --to, --between, and --region each choose a part (a cut has one); give one of them");
  const TraceTarget target(output, files);
  CutChoice choice;
  choice.tasks = parse_tasks(options.tasks);
  choice.complete = options.crossing == "complete";
  const workloads::TraceInput input = workloads::find_trace(options.trace.path);
  const auto store = workloads::store_of(input, store_choice(options.trace));
  choice.window = window_of(options, end, store->index().names);
  choice.own_clocks = !input.once && !workloads::open_trace(input, store->index().format).source->has_common_clock();
  const workloads::CutTrace cut = workloads::cut_trace(store, choice);
  target.write(cut.store);
  files::print(report_text(cut.report, choice.complete));
  const bool by_events = choice.window.kind == CutWindow::Kind::marks || choice.window.kind == CutWindow::Kind::region;
  if (choice.own_clocks && by_events)
    files::print("  all tasks begin at once: their clocks count what each has computed, and have no common zero\n");
}

void add_trace_cut(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceCutOptions>();
  CLI::App* command = trace.add_subcommand("cut", "write a part of a trace: some tasks, a window of time, a phase");
  add_trace_choice(*command, options->trace);
  add_output(*command, options->output)->required();
  command->add_option("--tasks", options->tasks, "tasks to keep, which are numbered anew: 0-15,20")->type_name("LIST");
  command->add_option("--from", options->from, "begin of the window, in seconds since the begin of the trace")
      ->type_name("S");
  command
      ->add_option("--to", options->to,
                   "a number: end of the window in seconds; a name: format of what is written, by its ending if not "
                   "given. May be given for each")
      ->type_name("S|FORMAT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--between", options->between, "from one mark of each task to the next other one; MARK:n: the n-th")
      ->type_name("MARK,MARK");
  command->add_option("--region", options->region, "inside a region of each task; NAME:n: the n-th")->type_name("NAME");
  command
      ->add_option("--crossing", options->crossing,
                   "messages of which one end lies outside: drop leaves it out, complete adds the missing end")
      ->type_name("HOW")
      ->capture_default_str()
      ->check(CLI::IsMember({"drop", "complete"}).description(""));
  command->footer(
      "Examples:\n"
      "  weft trace cut examples/traces/is.S.16.trc.xz --tasks 0-7 --out half.trc\n"
      "  weft trace cut run.otf2 --from 1.5 --to 2 --crossing complete --out part.goal\n"
      "  weft trace cut run.otf2 --region iteration:3 --out iteration.goal");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { cut_trace_file(*options); }); });
}

[[maybe_unused]] const bool trace_cut_registered =
    CommandRegistry::instance().add("trace cut", {.place = 70, .add = add_trace_cut});

}  // namespace
}  // namespace weft::tools
