// `weft trace`: the group of commands about traces, in command/trace.
#include <CLI/CLI.hpp>

#include "tools/cli/command.hpp"

namespace weft::tools {
namespace {

void add_trace(CLI::App& app, Command& /*chosen*/) {
  CLI::App* trace = app.add_subcommand(
      "trace", "look into trace files, check, convert, cut and merge them, write applications as traces");
  trace->require_subcommand(0, 1);
  trace->footer(
      "Examples:\n"
      "  weft trace info examples/traces/is.S.16.trc.xz\n"
      "  weft trace check examples/traces/is.S.16.trc.xz\n"
      "  weft trace generate wavefront --tasks 64 --message-bytes 1024 --out wavefront.trc");
}

[[maybe_unused]] const bool trace_registered =
    CommandRegistry::instance().add("trace", {.place = 50, .add = add_trace});

}  // namespace
}  // namespace weft::tools
