// `weft cosim`: other programs as nodes of a simulated network.
#include <memory>
#include <string>
#include <vector>

#include "engine/base/system/shell.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/run_simulation.hpp"

namespace weft::tools {
namespace {

void add_cosim(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<RunOptions>();
  options->cosim = true;
  CLI::App* command = app.add_subcommand("cosim", "other programs as nodes of a simulated network");
  command->add_option("MACHINE", options->config.path, "config file (TOML) with a table [cosim]")->required();
  add_overrides(command, options->config);
  const auto program = std::make_shared<std::vector<std::string>>();
  const auto are_processes = std::make_shared<bool>(false);
  CLI::Option* const processes =
      command->add_flag("--processes", *are_processes, "MPI processes at the nodes: cosim.endpoints = \"processes\"");
  command->add_option("PROGRAM", *program, "behind --: the MPI program and its arguments, in place of cosim.program")
      ->needs(processes);
  add_outputs(command, *options);
  add_messages(command, options->messages, "say what each rank does");
  command->footer(
      "Examples:\n"
      "  weft cosim examples/cosim/ring.toml\n"
      "  mpirun -n 2 weft cosim examples/cosim/ring.toml --out ring.h5\n"
      "  weft cosim examples/cosim/heat.toml --processes -- ./heat 100");
  command->callback([options, are_processes, program, &chosen] {
    if (*are_processes) options->config.overrides.emplace_back("cosim.endpoints=processes");
    std::string words;
    for (const std::string& word : *program)
      words += (words.empty() ? "" : " ") + (process::is_plain_word(word) ? word : process::shell_quoted(word));
    if (!words.empty()) options->config.overrides.push_back("cosim.program=" + words);
    chosen = [options](engine::Transport& transport) { run_simulation(*options, transport); };
  });
}

[[maybe_unused]] const bool cosim_registered =
    CommandRegistry::instance().add("cosim", {.place = 20, .add = add_cosim, .starts_programs = true});

}  // namespace
}  // namespace weft::tools
