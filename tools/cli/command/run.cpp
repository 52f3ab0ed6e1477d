// `weft run`: simulates what a config file says.
#include <fmt/format.h>
#include <memory>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/run_simulation.hpp"

namespace weft::tools {
namespace {

/// `--seed N` is `--set simulation.seed=N`. Which of two seeds is meant, nobody knows.
void set_seed(ConfigChoice& config, const std::string& seed) {
  if (seed.empty() || seed.find_first_not_of("0123456789") != std::string::npos) {
    throw ConfigError(
        fmt::format("--seed '{}' is no seed (a whole number, 0 or more); write for example --seed 2", shown(seed)));
  }
  for (const std::string& setting : config.overrides) {
    const std::string key = CLI::detail::trim_copy(setting.substr(0, setting.find('=')));
    if (key != "simulation.seed") continue;
    throw ConfigError(fmt::format("--seed {} and --set {} are both given (a run has one seed); leave one of them out",
                                  shown(seed), shown(setting)));
  }
  config.overrides.push_back("simulation.seed=" + seed);
}

void add_run(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<RunOptions>();
  const auto seed = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("run", "simulate what a config file says");
  command->add_option("CONFIG", options->config.path, "config file (TOML); weft describe lists its keys")->required();
  add_overrides(command, options->config);
  const CLI::Option* seed_option =
      command->add_option("--seed", *seed, "seed of all random numbers: short for --set simulation.seed=N")
          ->type_name("N");
  add_outputs(command, *options);
  command->add_flag("--allow-unused", options->allow_unused,
                    "keys of the config file that have no effect are said with --verbose, not refused");
  command->add_flag("--print-config", options->print_config,
                    "print the settings as one config with absolute paths, and run nothing");
  command->add_flag("--slowdown", options->slowdown,
                    "run each of several jobs ([[job]]) alone, too: by how much it is slower among the others");
  add_messages(command, options->messages, "say what each rank does: set-up, checkpoints");
  command->add_option("--resume", options->resume, "go on from a checkpoint of the same config, on any number of ranks")
      ->type_name("CHECKPOINT.h5");
  command->add_option("--threads", options->threads, "simulate on so many cores: each thread is a rank of the run")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  command->footer(
      "Examples:\n"
      "  weft run examples/torus-uniform.toml --out torus.h5\n"
      "  weft run examples/torus-uniform.toml --set workload.offered_load=0.45 --seed 2 --threads 2\n"
      "  mpirun -n 2 weft run examples/trace-is-on-torus.toml --json -");
  command->callback([options, seed, seed_option, &chosen] {
    if (seed_option->count() > 0) set_seed(options->config, *seed);
    chosen = [options](engine::Transport& transport) { run_simulation(*options, transport); };
  });
}

[[maybe_unused]] const bool run_registered =
    CommandRegistry::instance().add("run", {.place = 10, .add = add_run, .takes_threads = true});

}  // namespace
}  // namespace weft::tools
