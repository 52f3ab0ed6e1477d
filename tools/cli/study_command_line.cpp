// Declares `weft study`; see the header.
#include "tools/cli/study_command_line.hpp"

#include <fmt/format.h>
#include <memory>

#include "engine/base/error.hpp"
#include "tools/cli/commands.hpp"

namespace weft::tools {
namespace {

void add_study_options(CLI::App* command, StudyOptions& options) {
  command->add_option("NAME", options.names, "studies, or all; none: list them");
  command->add_flag("--quick", options.quick, "few runs, below two minutes: the small networks, the short messages");
  command->add_flag("--table", options.table, "run nothing: print the table of the results that are there");
  command->add_option("--only", options.only, "runs with this name alone, * for any text; may be repeated")
      ->type_name("RUN")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--jobs", options.jobs, "runs at once; default: as many as keep the processors busy")
      ->check(CLI::Range(1, 1024).description(""));
  command->add_flag("--again", options.again, "run what has a result too, one of another version of weft for example");
  command->add_flag("--strict", options.strict, "end with 1 if anything is outside its tolerance");
  command->add_option("--out", options.out, "folder of the results; default: results/studies")->type_name("FOLDER");
  command->add_option("--traces", options.traces, "folder of traces that a study needs; default: $WEFT_TRACES")
      ->type_name("FOLDER");
  command->add_flag("--slurm", options.slurm, "write a SLURM job array of the runs, and the job that prints the table");
  command->add_flag("--submit", options.submit, "with --slurm: submit both");
  command->add_option("--part", options.part, "this share of the runs alone, 0/8 to 7/8: a task of the job array")
      ->type_name("I/N");
  command->add_option("--markdown", options.markdown, "renew the table of the study in this page")
      ->type_name("PAGE.md");
  command->add_option("--json", options.json, "write the rows as JSON; - for standard output, in place of the table")
      ->type_name("FILE");
}

}  // namespace

void add_study(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand("study", "a published result, simulated anew and compared");
  add_study_options(command, *options);
  command->footer(
      "What has a result is not run again: repeat the command to go on after Ctrl-C. docs/studies.md has all tables.\n"
      "Examples:\n"
      "  weft study karol --quick\n"
      "  weft study thin-trees-kernels --slurm --submit\n"
      "  weft study thin-trees-kernels --table");
  command->callback([options, &chosen] {
    chosen = [options](engine::Transport& transport) {
      if (transport.size() > 1) {
        throw ConfigError(
            fmt::format("weft study was started on {} ranks (it starts its runs itself); start it "
                        "without mpirun, or use --slurm",
                        transport.size()));
      }
      if (const int code = run_studies(*options); code != 0) throw EndedWith{code};
    };
  });
}

}  // namespace weft::tools
