// `weft trace generate`: applications written as traces.
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/numbers.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/validate.hpp"
#include "tools/run/config/jobs.hpp"
#include "workloads/generator/kernel/kernel.hpp"
#include "workloads/program/matching/matching.hpp"
#include "workloads/trace/format/goal/goal_writer.hpp"
#include "workloads/trace/format/trc_writer.hpp"
#include "workloads/trace/scaled_program.hpp"

namespace weft::tools {
namespace {

struct TraceGenerateOptions {
  std::string kernel;   ///< or
  ConfigChoice config;  ///< whose workload is written
  std::string job;      ///< which of its jobs, if it has some
  u32 tasks = 0;
  std::optional<u64> message_bytes;
  u32 dimensions = 0;   ///< 0: the kernel's default
  u32 repetitions = 0;  ///< 0: the kernel's default
  u64 seed = 1;
  bool return_sweep = false, wrap = false, diagonals = false;
  std::vector<i64> shape;  ///< empty: the most nearly square one
  std::string out;
};

std::unique_ptr<workloads::Program> kernel_of(const TraceGenerateOptions& options) {
  const bool own_sizes = workloads::has_own_sizes(options.kernel, {});
  if (own_sizes && options.message_bytes) {
    throw ConfigError(fmt::format(
        "--message-bytes has no effect on kernel \"{}\" (sizes of its messages follow from keys of its own, "
        "which --config gives); leave it out",
        options.kernel));
  }
  if (options.tasks == 0 || (!options.message_bytes && !own_sizes)) {
    throw ConfigError(
        "a kernel needs --tasks and --message-bytes (how many tasks it has and how long its messages are); give both, "
        "or --config CONFIG.toml");
  }
  workloads::KernelSpec spec;
  spec.name = options.kernel;
  spec.tasks = options.tasks;
  spec.message_bytes = options.message_bytes.value_or(0);
  spec.dimensions = options.dimensions;
  spec.shape = options.shape;
  spec.return_sweep = options.return_sweep;
  spec.wrap = options.wrap;
  spec.diagonals = options.diagonals;
  spec.repetitions = options.repetitions > 0 ? options.repetitions : workloads::default_repetitions(spec.name);
  spec.seed = options.seed;
  return workloads::make_kernel(spec);
}

/// The config of the workload that is to be written: that of a job, if there are some.
Config chosen_workload(const TraceGenerateOptions& options, const Config& config) {
  const std::vector<Job> jobs = jobs_of(config);
  if (jobs.empty() && options.job.empty()) return config;
  std::string names;
  for (const Job& job : jobs) {
    if (job.name == options.job) return job.config;
    names += (names.empty() ? "" : ", ") + job.name;
  }
  throw ConfigError(jobs.empty()
                        ? fmt::format("--job {} names no job (the config has no [[job]]); leave it out", options.job)
                        : fmt::format("--job says which of the jobs is written (one of {}){}", names,
                                      options.job.empty() ? "; give it" : fmt::format("; {} is none", options.job)));
}

std::unique_ptr<workloads::Program> workload_of(const TraceGenerateOptions& options, const Config& config) {
  validate(config);
  const Config chosen = chosen_workload(options, config);
  if (!runs_tasks(chosen)) {
    throw ConfigError(
        fmt::format("workload.kind = \"{}\" has no tasks (independent sources are no application); use a "
                    "kernel, a collective, an exchange or a trace",
                    chosen.text("workload.kind")));
  }
  const auto topology = make_network(chosen);
  auto program = make_program(chosen, workload_spec(chosen, *topology, node_attachment(chosen, *topology).nodes()));
  if (!chosen.given("workload.cpu_scale")) return program;
  return workloads::scaled_program(std::move(program), chosen.real("workload.cpu_scale"));
}

/// For runs of what is written to match messages as runs of its config do: what these are to be told; empty: nothing.
/// `rule`: the config's workload.matching.
std::string matching_of_runs(std::string rule, const workloads::Program& program, bool trc) {
  if (rule == "auto") rule = workloads::default_matching_name(program.matches_in_order());
  if (rule == workloads::default_matching_name(!trc)) return "";
  return fmt::format("; its messages are matched as here with workload.matching = \"{}\"", rule);
}

/// Writes a kernel, or the workload of a config, as a trace.
void generate_trace(const TraceGenerateOptions& options) {
  if (options.kernel.empty() == options.config.path.empty())
    throw ConfigError("weft trace generate writes a KERNEL or the workload of --config (one of the two); name one");
  files::CommandFiles files;
  std::optional<Config> config;
  if (!options.config.path.empty()) {
    config = Config::load(options.config.path, options.config.overrides);
    reads_config(files, *config);
  }
  files.writes("--out", options.out, files::program_format());
  const auto program = config ? workload_of(options, *config) : kernel_of(options);
  const std::string rule = config ? chosen_workload(options, *config).text("workload.matching") : "auto";
  const bool trc = options.out.ends_with(".trc");
  if (trc && !program->is_linear()) {
    throw ConfigError(
        fmt::format("'{}' is a graph of operations, or of lanes, which .trc files cannot hold; write a .goal file",
                    program->name()));
  }
  if (program->keeps_time()) {
    throw ConfigError(
        fmt::format("'{}' starts flows at times of their own, which programs do not know; run it, or write "
                    "them as a file for workload.flows_path",
                    program->name()));
  }
  files::AtomicFile file(options.out);
  const auto write = [&file](std::string_view text) { file.write(text); };
  const auto writer = trc                                  ? workloads::write_trc
                      : options.out.ends_with(".goal.bin") ? workloads::write_goal_binary
                                                           : workloads::write_goal;
  const u64 operations = writer(*program, write);
  file.commit();
  files::print(fmt::format("wrote {}: {}, {} tasks, {} operations{}\n", options.out, program->name(),
                           grouped(program->tasks()), grouped(operations), matching_of_runs(rule, *program, trc)));
}

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

[[maybe_unused]] const bool trace_generate_registered =
    CommandRegistry::instance().add("trace generate", {.place = 30, .add = add_trace_generate});

}  // namespace
}  // namespace weft::tools
