// Options of reading traces.
#include "tools/cli/trace_choice.hpp"

#include "engine/base/system/cores.hpp"
#include "engine/base/text/table.hpp"

namespace weft::tools {

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
