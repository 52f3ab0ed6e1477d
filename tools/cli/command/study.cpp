// `weft study`: published results simulated anew and compared, by the Python package and the scripts of studies/.
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/reserved_output.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/keeper.hpp"
#include "engine/base/system/python_package.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"

namespace weft::tools {
namespace {

struct StudyOptions {
  std::vector<std::string> names;  ///< of studies; none: what there is
  bool quick = false;              ///< the part of the runs that takes below 2 minutes
  bool table = false;              ///< run nothing
  bool again = false;              ///< run what has a result, too
  bool strict = false;             ///< end with 1 if a row is outside its tolerance
  bool slurm = false;              ///< write a job array and the job that prints the table after it
  bool submit = false;             ///< and hand both to SLURM
  std::vector<std::string> only;   ///< names of runs, with * and ?
  std::string part;                ///< "I/N": this share of the runs
  unsigned jobs = 0;               ///< runs at once; 0: as many as keep the processors busy
  unsigned reseed = 0;             ///< added to the seed of each run
  std::string out;                 ///< folder of the results; empty: results/studies
  std::string traces;              ///< folder of traces that are no part of the project; empty: WEFT_TRACES
  std::string markdown;            ///< a page whose table is renewed; empty: none
  std::string json;                ///< file of the tables in JSON, - for standard output in place of text; empty: none
};

/// Runs published studies by weft's Python package, which prints everything. Returns its exit code.
int run_studies(const StudyOptions& options) {
  std::vector<std::string> command = process::python_command("weft.study");
  const auto flag = [&command](const char* name, bool given) {
    if (given) command.emplace_back(name);
  };
  // In one word: a value may begin with a dash.
  const auto value = [&command](const char* name, const std::string& text) {
    if (!text.empty()) command.push_back(fmt::format("{}={}", name, text));
  };
  flag("--quick", options.quick);
  flag("--table", options.table);
  flag("--again", options.again);
  flag("--strict", options.strict);
  flag("--slurm", options.slurm);
  flag("--submit", options.submit);
  for (const std::string& name : options.only) value("--only", name);
  value("--part", options.part);
  value("--jobs", options.jobs > 0 ? std::to_string(options.jobs) : "");
  value("--reseed", options.reseed > 0 ? std::to_string(options.reseed) : "");
  value("--out", options.out);
  value("--traces", options.traces);
  value("--markdown", options.markdown);
  value("--json", options.json);
  command.emplace_back("--");
  command.insert(command.end(), options.names.begin(), options.names.end());
  const process::StopSignals stops;  // handed on: runs write checkpoints
  std::vector<std::string> variables;
  // A job that is submitted inherits its environment, and outlives this process.
  if (const std::string mark = keeper::mark(); !mark.empty() && !options.submit) variables.push_back(mark);
  const int code = process::run_in_front(command, variables, files::standard_output());
  if (code == 1 && !options.strict) {  // Python's own code for what it could not even start
    throw SystemError(
        fmt::format("{} could not start the study (see above; weft study needs Python 3.11 with the "
                    "package of weft); install python3, or set WEFT_PYTHON",
                    process::python()));
  }
  return code;
}

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
  command
      ->add_option("--reseed", options.reseed,
                   "other random draws: N is added to the seed of each run; default of --out then: "
                   "results/studies-reseed-N")
      ->check(CLI::Range(1, 1000000000).description(""))
      ->type_name("N");
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

[[maybe_unused]] const bool study_registered =
    CommandRegistry::instance().add("study", {.place = 120, .add = add_study, .starts_programs = true});

}  // namespace
}  // namespace weft::tools
