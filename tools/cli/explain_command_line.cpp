// The command line of `weft explain`, by CLI11.
#include <memory>

#include "tools/cli/common_options.hpp"
#include "tools/cli/explain_command.hpp"

namespace weft::tools {

void add_explain(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "where the time of tasks goes, and for whom they wait: one network or several");
  command
      ->add_option("RUN", options->inputs,
                   "configs (TOML), which are run, one for each network; or what a run wrote with "
                   "statistics.timeline=NAME.h5")
      ->type_name("CONFIG.toml|TIMELINE.h5")
      ->required();
  command->add_option("--trace", options->trace, "replay this trace in place of the workload of the configs")
      ->type_name("FILE");
  add_set(command, options->overrides, "of all configs: another value for a setting; may be repeated");
  command
      ->add_option("-o,--out", options->out,
                   "write a page (.html), a row for each task (.csv), or everything (.json); may be repeated")
      ->type_name("FILE.{html,csv,json}")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command
      ->add_option("--json", options->json, "write everything as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  command->add_flag("--no-ideal", options->no_ideal,
                    "do not run the program on a network that costs nothing, which tells serialisation from transfer");
  add_progress(command, options->progress);
  command->add_flag("-q,--quiet", options->messages.quiet, "errors only: no progress, no warnings");
  command->footer(
      "Examples:\n"
      "  weft explain examples/explain-torus.toml examples/explain-fat-tree.toml --out explained.html\n"
      "  weft explain examples/explain-*.toml --trace examples/traces/is.S.16.trc.xz\n"
      "  weft run examples/timeline.toml --set statistics.timeline=heat.h5 && weft explain heat.h5");
  command->callback(
      [options, &chosen] { chosen = [options](engine::Transport& transport) { explain_runs(*options, transport); }; });
}

}  // namespace weft::tools
