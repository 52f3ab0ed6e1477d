// Options of reading traces.
#include "tools/weft/trace_choice.hpp"

#include "tools/machine/cores.hpp"

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

}  // namespace weft::tools
