// The command line of `weft trace`, by CLI11.
#include "tools/cli/trace_command_line.hpp"

#include <fmt/format.h>
#include <memory>

#include "engine/base/error.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/common_options.hpp"

namespace weft::tools {
namespace {

void add_trace_generate(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceGenerateOptions>();
  CLI::App* command =
      trace.add_subcommand("generate", "write an application as a trace: a kernel, or the workload of a config");
  command->add_option("KERNEL", options->kernel, "name of the kernel; weft describe kernels lists them");
  command->add_option("--config", options->config.path, "in its place: a config, whose workload of tasks is written")
      ->type_name("CONFIG.toml");
  add_set(command, options->config.overrides, "of the config: another value for a setting; may be repeated");
  add_plugin(command);
  command->add_option("--job", options->job, "of the config: which of its jobs")->type_name("NAME");
  command->add_option("--tasks", options->tasks, "number of tasks");
  command->add_option("--message-bytes", options->message_bytes,
                      "size of each message in bytes; not of kernels that have sizes of their own");
  command->add_option("--dimensions", options->dimensions,
                      "of the virtual mesh; the kernel's own default if not given");
  command->add_option("--repetitions", options->repetitions, "of the whole kernel; 1 if not given, waterfall 40");
  command->add_option("--seed", options->seed, "of kernels with random choices")->capture_default_str();
  command->add_flag("--return-sweep", options->return_sweep, "wave-fronts that come back");
  command->add_flag("--wrap", options->wrap, "a torus in place of a mesh");
  command->add_flag("--diagonals", options->diagonals, "diagonal neighbours too");
  command->add_option("--shape", options->shape, "tasks in each dimension of the virtual mesh: 32,16")
      ->delimiter(',')
      ->type_name("A,B,...");
  command
      ->add_option("-o,--out", options->out,
                   "the trace: .trc, or GOAL (.goal), in which each operation requires the one before")
      ->type_name("FILE.trc|FILE.goal")
      ->required();
  command->footer(
      "Examples:\n"
      "  weft trace generate wavefront --tasks 64 --message-bytes 1024 --out wavefront.trc\n"
      "  weft trace generate sweep3d --tasks 32 --shape 8,4 --out sweep3d.trc\n"
      "  weft trace generate --config examples/nodes-rails.toml --set workload.message_bytes=64 --out alltoall.goal");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { generate_trace(*options); }); });
}

constexpr const char* trace_file_help = "trace; its format and compression are known from its content";

/// How traces are read.
void add_reading(CLI::App& command, TraceChoice& trace) {
  command.add_option("--format", trace.format, "of the trace; auto: by its content")->capture_default_str();
  command.add_option("--cache", trace.cache, "folder in which what has been read is kept; else beside the trace")
      ->type_name("FOLDER");
  command.add_flag("--no-store", trace.no_store, "keep nothing of what has been read");
  command.add_option("--threads", trace.threads, "that read; as many as there are cores if not given")
      ->check(CLI::Range(1, 1024));
}

/// FILE and how it is read.
void add_trace_choice(CLI::App& command, TraceChoice& trace) {
  command.add_option("FILE", trace.path, trace_file_help)->required();
  add_reading(command, trace);
}

void add_trace_info(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceInfoOptions>();
  CLI::App* command =
      trace.add_subcommand("info", "counts of a trace: tasks, operations, messages, bytes, compute times");
  add_trace_choice(*command, options->trace);
  command->add_option("--json", options->json, "write the same as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  command->footer(
      "Examples:\n"
      "  weft trace info examples/traces/is.S.16.trc.xz\n"
      "  weft trace info examples/traces/goal/binary_tree_32.goal --json -");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { print_trace_info(*options); }); });
}

void add_trace_check(CLI::App& trace, Command& chosen) {
  const auto choice = std::make_shared<TraceChoice>();
  CLI::App* command =
      trace.add_subcommand("check", "replay a trace without a network: does every receive find its message?");
  add_trace_choice(*command, *choice);
  command->footer(
      "Exit code 4 if a task waits for ever or a message is never received.\n"
      "Examples:\n"
      "  weft trace check examples/traces/is.S.16.trc.xz\n"
      "  weft trace check wavefront.trc && weft run replay.toml");
  command->callback([choice, &chosen] { chosen = on_first_rank([choice] { check_trace_file(*choice); }); });
}

void add_trace_import(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceImportOptions>();
  CLI::App* command = trace.add_subcommand(
      "import",
      "bring a trace into its store, from which runs and commands start at once (they do it themselves, too)");
  add_trace_choice(*command, options->trace);
  command->add_option("--progress", options->progress, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  weft trace import examples/traces/is.S.16.trc.xz\n"
      "  weft trace import examples/traces/is.S.16.trc.xz --cache /tmp/stores");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { import_trace_file(*options); }); });
}

/// What is written, but for --to.
CLI::Option* add_output(CLI::App& command, TraceOutput& output) {
  command.add_option("--collectives", output.collectives,
                     "library whose rules carry out collective calls where the format has messages only: openmpi-4.1 "
                     "or mpich-4.0");
  command.add_option("--collective-bytes", output.collective_bytes, "of collective calls without a size");
  return command.add_option("-o,--out", output.out, "what is written: a file or a folder, as the format has it");
}

void add_trace_record(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceRecordOptions>();
  CLI::App* command = trace.add_subcommand("record", "run an MPI program, as it is, and record what it sends");
  command
      ->add_option("COMMAND", options->command, "behind --: the launcher with its options, the program, its arguments")
      ->required();
  command->add_option("-o,--out", options->out, "folder for the trace; it must not be there or be empty")
      ->type_name("FOLDER")
      ->capture_default_str();
  command
      ->add_option("--clock", options->clock,
                   "what computing is measured by: cpu (the processor's time of each rank; right even if ranks share "
                   "cores) or wall")
      ->check(CLI::IsMember({"cpu", "wall"}))
      ->capture_default_str();
  command->add_option("--library", options->library, "MPI library of the program; auto: what it is linked to")
      ->check(CLI::IsMember({"auto", "openmpi", "mpich"}))
      ->capture_default_str();
  command->add_option("--from-call", options->from_call,
                      "of each rank, from 1: the first call of MPI that is recorded");
  command->add_option("--to-call", options->to_call, "the last one");
  command->add_option("--from-seconds", options->from_s, "since MPI_Init: nothing is recorded before")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--to-seconds", options->to_s, "nothing is recorded after that")->check(CLI::NonNegativeNumber);
  command->add_flag("--off", options->off, "nothing is recorded until MPI_Pcontrol(1) or the signal");
  command
      ->add_option("--toggle-signal", options->signal,
                   "signal that switches recording off and on: USR1, USR2, or a number")
      ->type_name("SIGNAL");
  command->add_flag("--node-shortcuts", options->shortcuts,
                    "collective calls may use what ranks of a node share; else they send messages as between nodes");
  command->add_flag("--yield", options->yields,
                    "ranks that wait give their core to others: for more ranks than there are cores");
  command->add_option("--block", options->block_bytes, "bytes of records of each thread that are written at a time")
      ->check(CLI::Range(4096, 1 << 20));
  command->footer(
      "Examples:\n"
      "  weft trace record --out ring -- mpirun -n 4 ./ring\n"
      "  weft trace record --out part --from-call 1000 --to-call 2000 -- mpirun.mpich -n 2 ./solver input.txt");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { record_trace(*options); }); });
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

void add_trace_stats(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceStatsOptions>();
  CLI::App* command =
      trace.add_subcommand("stats", "sizes of messages, partners, traffic matrix, collective calls, shares of time");
  add_trace_choice(*command, options->trace);
  command
      ->add_option(
          "-o,--out", options->out,
          "write all of it as HDF5, JSON or a page with pictures, or the traffic matrix as CSV; may be repeated")
      ->type_name("FILE.h5|.csv|.html|.json")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--json", options->json, "write the same as JSON; - is standard output, with nothing else on it")
      ->type_name("FILE|-");
  command->footer(
      "Examples:\n"
      "  weft trace stats examples/traces/is.S.16.trc.xz\n"
      "  weft trace stats examples/traces/is.S.16.trc.xz --out is.html --out is.csv");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { print_trace_stats(*options); }); });
}

void add_trace_merge(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceMergeOptions>();
  const auto paths = std::make_shared<std::vector<std::string>>();
  const auto choice = std::make_shared<TraceChoice>();
  CLI::App* command =
      trace.add_subcommand("merge", "write several traces as one, side by side, or as jobs of a config");
  command->add_option("FILES", *paths, trace_file_help)->required();
  add_reading(*command, *choice);
  add_output(*command, options->output);
  command->add_option("--to", options->output.to, "its format; by its ending if not given");
  command->add_flag("--jobs", options->jobs, "print the [[job]] tables of a config that runs the traces as jobs");
  command->footer(
      "Examples:\n"
      "  weft trace merge examples/traces/is.S.16.trc.xz examples/traces/mg.S.16.trc.xz --out both.trc\n"
      "  weft trace merge examples/traces/is.S.16.trc.xz examples/traces/mg.S.16.trc.xz --jobs");
  command->callback([options, paths, choice, &chosen] {
    for (const std::string& path : *paths) {
      TraceChoice one = *choice;
      one.path = path;
      options->traces.push_back(one);
    }
    chosen = on_first_rank([options] { merge_trace_files(*options); });
  });
}

}  // namespace

void add_trace(CLI::App& app, Command& chosen) {
  CLI::App* trace = app.add_subcommand(
      "trace", "look into trace files, check, convert, cut and merge them, write applications as traces");
  trace->require_subcommand(0, 1);
  add_trace_info(*trace, chosen);
  add_trace_check(*trace, chosen);
  add_trace_generate(*trace, chosen);
  add_trace_record(*trace, chosen);
  add_trace_import(*trace, chosen);
  add_trace_convert(*trace, chosen);
  add_trace_cut(*trace, chosen);
  add_trace_stats(*trace, chosen);
  add_trace_merge(*trace, chosen);
  trace->footer(
      "Examples:\n"
      "  weft trace info examples/traces/is.S.16.trc.xz\n"
      "  weft trace check examples/traces/is.S.16.trc.xz\n"
      "  weft trace generate wavefront --tasks 64 --message-bytes 1024 --out wavefront.trc");
}

}  // namespace weft::tools
