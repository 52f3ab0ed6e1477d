// Options of reading traces.
#include "tools/cli/trace_choice.hpp"

#include <CLI/CLI.hpp>

#include "engine/base/system/cores.hpp"
#include "engine/base/text/table.hpp"

namespace weft::tools {

void add_reading(CLI::App& command, TraceChoice& trace) {
  command.add_option("--format", trace.format, "of the trace; auto: by its content")->capture_default_str();
  command.add_option("--cache", trace.cache, "folder in which what has been read is kept; else beside the trace")
      ->type_name("FOLDER");
  command.add_flag("--no-store", trace.no_store, "keep nothing of what has been read");
  command.add_option("--threads", trace.threads, "that read; as many as there are cores if not given")
      ->check(CLI::Range(1, 1024));
}

void add_trace_choice(CLI::App& command, TraceChoice& trace) {
  command.add_option("FILE", trace.path, trace_file_help)->required();
  add_reading(command, trace);
}

workloads::StoreChoice store_choice(const TraceChoice& trace) {
  workloads::StoreChoice choice;
  choice.format = trace.format;
  choice.kept = !trace.no_store;
  choice.cache = trace.cache;
  choice.threads = trace.threads > 0 ? trace.threads : usable_cores();
  return choice;
}

void reads_trace(files::CommandFiles& files, const TraceChoice& trace) {
  for (const std::string& path : workloads::find_trace(trace.path).files) files.reads("FILE", path);
}

std::vector<std::string> missing_of(const TraceChoice& trace) {
  const workloads::TraceInput input = workloads::find_trace(trace.path);
  if (!input.is_file()) return {};
  const std::string format = workloads::find_trace_format(input, trace.format);
  if (!workloads::TraceFormats::instance().find(format)->open) return {};
  if (!trace.no_store) return workloads::store_of(input, store_choice(trace))->index().notes;
  return workloads::open_trace(input, format).source->notes();
}

std::string missing_text(const std::vector<std::string>& missing) {
  std::string text;
  for (const std::string& note : missing) text += labelled(text.empty() ? "missing" : "", note);
  return text;
}

}  // namespace weft::tools
