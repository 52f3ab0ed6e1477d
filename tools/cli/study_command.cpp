// `weft study`: published results simulated anew and compared, by the Python package and the scripts of studies/.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/file/reserved_output.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/keeper.hpp"
#include "engine/base/system/python_package.hpp"
#include "tools/cli/commands.hpp"

namespace weft::tools {

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

}  // namespace weft::tools
