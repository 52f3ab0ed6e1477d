// The command line, by CLI11; with the other files of this ending all that knows it. Each add_ function declares one
// command with its options, its help text and, at the end of that, examples.
#include "tools/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>

#include "engine/base/error.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/system/shell.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/launch.hpp"
#include "tools/cli/command_text.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/completion.hpp"
#include "tools/cli/explain_command.hpp"
#include "tools/cli/fabric_command_line.hpp"
#include "tools/cli/man_page.hpp"
#include "tools/cli/report_command_line.hpp"
#include "tools/cli/study_command_line.hpp"
#include "tools/cli/suggest_command.hpp"
#include "tools/cli/trace_command_line.hpp"
#include "version.hpp"

namespace weft::tools {
namespace {

void add_overrides(CLI::App* command, ConfigChoice& config) {
  add_set(command, config.overrides, "another value for a setting, table.key=value; may be repeated");
  add_plugin(command);
}

void add_config(CLI::App* command, ConfigChoice& config) {
  command->add_option("CONFIG", config.path, "config file (TOML); weft describe lists its keys")->required();
  add_overrides(command, config);
}

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
  add_config(command, options->config);
  const CLI::Option* seed_option =
      command->add_option("--seed", *seed, "seed of all random numbers: short for --set simulation.seed=N")
          ->type_name("N");
  command->add_option("-o,--out", options->out, "write the whole result to this HDF5 file")->type_name("RESULT.h5");
  command->add_option("--json", options->json, "write a summary as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  add_progress(command, options->progress);
  command->add_flag("--allow-unused", options->allow_unused,
                    "keys of the config file that have no effect are said with --verbose, not refused");
  command->add_flag("--print-config", options->print_config,
                    "print the settings as one config with absolute paths, and run nothing");
  command->add_flag("--slowdown", options->slowdown,
                    "run each of several jobs ([[job]]) alone, too: by how much it is slower among the others");
  CLI::Option* const quiet = command->add_flag("-q,--quiet", options->messages.quiet,
                                               "errors only: no progress, no warnings, no summary in text");
  command->add_flag("--verbose", options->messages.verbose, "say what each rank does: set-up, checkpoints")
      ->excludes(quiet);
  command->add_option("--log", options->messages.file, "add messages with their times to this file, for batch jobs")
      ->type_name("FILE");
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
  command->add_option("-o,--out", options->out, "write the whole result to this HDF5 file")->type_name("RESULT.h5");
  command->add_option("--json", options->json, "write a summary as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  add_progress(command, options->progress);
  CLI::Option* const quiet = command->add_flag("-q,--quiet", options->messages.quiet,
                                               "errors only: no progress, no warnings, no summary in text");
  command->add_flag("--verbose", options->messages.verbose, "say what each rank does")->excludes(quiet);
  command->add_option("--log", options->messages.file, "add messages with their times to this file, for batch jobs")
      ->type_name("FILE");
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

void add_describe(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<DescribeOptions>();
  CLI::App* command = app.add_subcommand("describe", "explain the keys of a config file and the values they take");
  command->add_option("WORD", options->words,
                      "a key, a table, or topologies, routers, patterns, kernels, formats, collectives, exchanges, "
                      "schedulers, congestion; "
                      "none: all keys");
  command->add_option("--for", options->of.path, "only the keys that this config can make use of, with their values")
      ->type_name("CONFIG");
  add_overrides(command, options->of);
  command->add_option("--json", options->json, "write everything as JSON; - is standard output")->type_name("FILE|-");
  command
      ->add_option("--schema", options->schema,
                   "write a JSON schema of config files, for editors; - is standard output")
      ->type_name("FILE|-");
  command->footer(
      "Examples:\n"
      "  weft describe --for examples/torus-uniform.toml router\n"
      "  weft describe --plugin ./libmy_router.so\n"
      "  weft describe --schema weft.schema.json");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { print_description(*options); }); });
}

void add_topology(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<TopologyOptions>();
  const auto find = std::make_shared<FindOptions>();
  CLI::App* command = app.add_subcommand("topology", "counts, distances and bounds of a network; checks its wiring");
  CLI::Option* config = command->add_option("CONFIG", options->config.path, "config file (TOML)");
  add_overrides(command, options->config);
  CLI::Option* nodes = command->add_option("--find", find->nodes, "list networks of each kind of about so many nodes")
                           ->type_name("NODES")
                           ->excludes(config)
                           ->check(CLI::Range(2, 1 << 30).description(""));
  command->add_option("--radix", find->radix, "of those, with routers of at most so many ports")
      ->type_name("PORTS")
      ->needs(nodes)
      ->check(CLI::Range(2, 1 << 20).description(""));
  command->add_option("--json", options->json, "write the same as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  command->add_option("--export", options->export_path, "write the graph; the format is that of the name")
      ->type_name("FILE.{graphml,dot,json}");
  command->add_option("--cost", options->cost, "racks, cables by length, price and power, from this table of prices")
      ->type_name("PRICES.toml");
  command->footer(
      "Examples:\n"
      "  weft topology examples/torus-uniform.toml --export torus.graphml\n"
      "  weft topology examples/dragonfly.toml --cost examples/costs/machine-room.toml\n"
      "  weft topology --find 1000 --radix 32 --cost examples/costs/machine-room.toml");
  command->callback([options, find, &chosen] {
    find->json = options->json;
    find->cost = options->cost;
    if (find->nodes == 0 && options->config.path.empty()) throw CLI::RequiredError("CONFIG, or --find NODES");
    chosen = on_first_rank([options, find] {
      if (find->nodes > 0) return find_topologies(*find);
      inspect_topology(*options);
    });
  });
}

void add_scaling(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<ScalingOptions>();
  CLI::App* command = app.add_subcommand("scaling", "strong and weak scaling of the simulator itself, with a model");
  command
      ->add_option("STUDY", options->study,
                   "what to run (TOML, docs/scaling.md); runs that its folder has already are not repeated")
      ->type_name("STUDY.toml")
      ->required();
  command->add_option("--predict", options->predict, "predict this network, topology.key=value; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--ranks", options->ranks, "rank counts to predict; powers of two up to 256 if not given")
      ->type_name("N,N,...")
      ->delimiter(',')
      ->check(CLI::Range(1U, 1U << 20).description(""));
  command->add_option("--efficiency", options->efficiency, "least efficiency that makes ranks worth using")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0).description(""));
  command->footer(
      "Starts mpirun itself: start it without. . tools/mpi-env.sh (installed: share/weft/mpi-env.sh) first where\n"
      "mpirun needs that.\n"
      "Examples:\n"
      "  weft scaling examples/scaling.toml\n"
      "  weft scaling examples/scaling.toml --predict topology.dims=[128,128] --ranks 1,2,4,8,16,32,64,128,256\n"
      "  weft scaling examples/scaling.toml --ranks 1,2,4,8 --efficiency 0.7");
  command->callback([options, &chosen] {
    chosen = [options](engine::Transport& transport) {
      if (transport.size() > 1) {
        throw ConfigError(
            fmt::format("weft scaling was started on {} ranks (it starts the ranks of its runs itself); "
                        "start it without mpirun",
                        transport.size()));
      }
      run_scaling_study(*options);
    };
  });
}

void add_sweep(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand("sweep", "a parameter sweep, on local processes or as SLURM job array");
  command->add_option("STUDY", options->study, "study file (TOML); see docs/sweeps.md")->required();
  command->add_option("--jobs", options->jobs, "processes at once; default: as many as keep the processors busy")
      ->check(CLI::Range(1, 1024).description(""));
  command->add_option("--point", options->points, "run this point alone; may be repeated")
      ->type_name("NAME|INDEX")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--set", options->set, "a setting for all points, beside those of the study; may be repeated")
      ->type_name("TABLE.KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command->add_flag("--quick", options->quick, "with what [sweep.quick] of the study says, into OUT-quick");
  command->add_flag("--rerun", options->rerun, "run points that have a result too");
  command->add_flag("--submit", options->submit, "run the points as SLURM job array, as they are in the study now");
  command->add_flag("--force", options->force, "submit although an earlier job of the sweep is in the queue");
  command->add_flag("--dry-run", options->dry_run,
                    "list the points and say how long they take; with --submit, write the job script only");
  command->add_flag("--collect", options->collect, "gather the results that are there, and say what is missing");
  add_progress(command, options->progress);
  command->footer(
      "What has a result is not run again: repeat the command to go on after Ctrl-C or to retry what failed.\n"
      "Examples:\n"
      "  weft sweep examples/studies/torus-load.toml --jobs 4\n"
      "  weft sweep examples/studies/torus-load.toml --submit\n"
      "  weft sweep examples/studies/torus-load.toml --collect");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { run_sweep(*options); }); });
}

/// The command that the words lead to: the last one in the chain of subcommands.
const CLI::App* deepest(const CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().back();
  return app;
}

std::string full_name(const CLI::App* app) {
  return app->get_parent() == nullptr ? app->get_name() : full_name(app->get_parent()) + " " + app->get_name();
}

/// The commands below one, "trace info" as well as "trace".
std::vector<std::string> commands_below(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    names.push_back(command->get_name());
    for (const std::string& inner : commands_below(*command)) names.push_back(command->get_name() + " " + inner);
  }
  return names;
}

KnownCommand known(const CLI::App& app) {
  KnownCommand command{full_name(&app), commands_below(app), {}};
  for (const CLI::Option* option : app.get_options()) {
    const std::string value = option->get_expected_max() == 0 ? "" : option->get_type_name();
    for (const std::string& name : option->get_lnames()) command.options.push_back({"--" + name, value});
  }
  return command;
}

/// About words that CLI11 had no use for.
[[noreturn]] void fail_unexpected(const CLI::App& app, int argc, const char* const* argv) {
  const KnownCommand command = known(*deepest(&app));
  const std::string word = app.remaining(true).front();
  if (!word.starts_with("-")) throw ConfigError(about_unknown_word(command, word));
  const char* const* const end = argv + argc;
  const char* const* const place = std::find(argv, end, word);
  throw ConfigError(about_unknown_option(command, word, place == end || place + 1 == end ? "" : place[1]));
}

Command print_once(std::string text) {
  return on_first_rank([text = std::move(text)] { files::print(text); });
}

/// The help text of a command, as after --help.
std::string help_of(const CLI::App& app) {
  return app.get_formatter()->make_help(&app, full_name(&app), CLI::AppFormatMode::Normal);
}

void add_help(CLI::App& app, Command& chosen) {
  const auto words = std::make_shared<std::vector<std::string>>();
  const auto pages = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("help", "explain a command; the same as weft COMMAND --help");
  CLI::Option* const about_option =
      command->add_option("COMMAND", *words, "such as run, or trace info; none: all commands");
  command->add_option("--man", *pages, "write manual pages of all commands into this folder")
      ->type_name("FOLDER")
      ->excludes(about_option);
  command->footer(
      "Examples:\n"
      "  weft help run\n"
      "  weft help trace generate");
  command->callback([words, pages, &app, &chosen] {
    if (!pages->empty()) {
      chosen = on_first_rank([pages, text = command_text(app, "weft")] { write_man_pages(text, *pages); });
      return;
    }
    const CLI::App* about = &app;
    for (const std::string& word : *words) {
      const auto below = about->get_subcommands(nullptr);
      const auto inner =
          std::find_if(below.begin(), below.end(), [&](const auto* each) { return each->get_name() == word; });
      if (inner == below.end()) throw ConfigError(about_unknown_word(known(*about), word));
      about = *inner;
    }
    chosen = print_once(help_of(*about));
  });
}

/// Two processes that do not know of each other would write the same files.
Command launched_well(Command action) {
  return [action = std::move(action)](engine::Transport& transport) {
    const std::string problem =
        engine::launch_problem([](const char* name) -> const char* { return std::getenv(name); }, transport.size());
    if (!problem.empty()) throw ConfigError(problem);
    action(transport);
  };
}

}  // namespace

Command on_first_rank(std::function<void()> action) {
  return [action = std::move(action)](engine::Transport& transport) {
    if (transport.rank() == 0) action();
  };
}

Command parse_command_line(int argc, const char* const* argv) {
  Command chosen;
  CLI::App app(
      "weft: a parallel discrete-event simulator of interconnection networks.\n"
      "The same config and seed give the same result on any number of ranks: weft run --threads R ..., or\n"
      "mpirun -n R weft run ...",
      "weft");
  app.set_help_flag("-h,--help", "print this text and end");
  app.set_version_flag("-v,--version", std::string("weft ") + version, "print the version and end");
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(34);
  add_run(app, chosen);
  add_cosim(app, chosen);
  add_describe(app, chosen);
  add_topology(app, chosen);
  add_trace(app, chosen);
  add_report(app, chosen);
  add_plot(app, chosen);
  add_explain(app, chosen);
  add_scaling(app, chosen);
  add_sweep(app, chosen);
  add_fabric(app, chosen);
  add_study(app, chosen);
  add_help(app, chosen);
  add_completion(app, chosen);
  app.footer(
      "Examples:\n"
      "  weft run examples/torus-uniform.toml --out torus.h5\n"
      "  weft report torus.h5 --out torus.html\n"
      "  weft describe router.routing\n"
      "Exit codes: 0 done; 2 usage or config; 3 bad input file; 4 the simulated system cannot proceed; 5 system;\n"
      "75 stopped early with a checkpoint written. weft COMMAND --help says more about a command.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print_once(app.help());
  } catch (const CLI::CallForVersion& asked) {
    return print_once(std::string(asked.what()) + "\n");
  } catch (const CLI::ExtrasError&) {
    fail_unexpected(app, argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string name = full_name(deepest(&app));
    throw ConfigError(fmt::format("{0} (command line of {1}); see {1} --help", shown(error.what()), name));
  }
  if (!chosen) {
    const std::string name = full_name(deepest(&app));
    throw ConfigError(fmt::format("no command is given ({0} alone does nothing); see {0} --help", name));
  }
  return launched_well(std::move(chosen));
}

}  // namespace weft::tools
