// `weft trace convert`: a trace in another format.
#include <fmt/format.h>
#include <memory>
#include <string>

#include "engine/base/file/standard_output.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/trace_choice.hpp"
#include "tools/cli/trace_target.hpp"

namespace weft::tools {
namespace {

struct TraceConvertOptions {
  TraceChoice trace;
  TraceOutput output;
};

/// Writes a trace in another format, and says what of it that has no word for.
void convert_trace(const TraceConvertOptions& options) {
  files::CommandFiles files;
  reads_trace(files, options.trace);
  const TraceTarget target(options.output, files);
  const workloads::TraceInput input = workloads::find_trace(options.trace.path);
  const workloads::ReplayChoice choice{
      .store = store_choice(options.trace), .collectives = target.collectives(), .rules = target.rules()};
  if (target.is_program()) {
    target.write(*workloads::open_program(input, choice));
    for (const std::string& missing : missing_of(options.trace)) files::print(fmt::format("  missing: {}\n", missing));
  } else {
    target.write(workloads::store_of(input, choice.store));
  }
}

void add_trace_convert(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceConvertOptions>();
  CLI::App* command = trace.add_subcommand("convert", "write a trace in another format");
  add_trace_choice(*command, options->trace);
  add_output(*command, options->output)->required();
  command->add_option("--to", options->output.to, "its format; by its ending if not given");
  command->footer(
      "Examples:\n"
      "  weft trace convert examples/traces/is.S.16.trc.xz --out is.goal\n"
      "  weft trace convert run.otf2 --out run.goal --collectives openmpi-4.1");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { convert_trace(*options); }); });
}

[[maybe_unused]] const bool trace_convert_registered =
    CommandRegistry::instance().add("trace convert", {.place = 60, .add = add_trace_convert});

}  // namespace
}  // namespace weft::tools
