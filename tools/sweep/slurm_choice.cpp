// Reads [slurm]; every value ends up on a line of a job script, so each is checked for what it may hold.
#include "tools/sweep/slurm_choice.hpp"

#include <fmt/format.h>
#include <regex>

#include "tools/config/settings.hpp"
#include "tools/process/shell.hpp"

namespace weft::tools::sweep {
namespace {

/// A text that matches `form`, or empty where the key is not there.
std::string checked(const StudyTable& table, const std::string& key, const char* form, const char* wanted) {
  const std::string text = table.text(key, "");
  if (text.empty() || (text.size() <= 1000 && std::regex_match(text, std::regex(form, std::regex::icase)))) return text;
  table.fail(key, fmt::format("is not possible (SLURM takes {})", wanted));
}

/// "--mem=4G", "-C gpu", "--exclusive": name and value as sbatch shall read them.
std::string option_line(const StudyTable& table, const std::string& option) {
  static const std::regex form("(--?[A-Za-z][A-Za-z0-9-]*)(?:([= ])(.+))?");
  std::smatch part;
  if (process::has_control_character(option) || option.size() > 4000 || !std::regex_match(option, part, form)) {
    table.fail("extra", fmt::format("holds no option of sbatch: {}; write for example extra = [\"--mem=4G\"]",
                                    value_text(option)));
  }
  if (!part[2].matched) return option;
  if (part[2] == " " && part[3].str().find(' ') != std::string::npos) {
    table.fail("extra", fmt::format("has more than one option in a text: {}; write one in each, and values with blanks "
                                    "as --name=value",
                                    value_text(option)));
  }
  return part[1].str() + part[2].str() + process::sbatch_quoted(part[3].str());
}

}  // namespace

SlurmChoice read_slurm(const StudyTable& table, u32 ranks) {
  table.allow_only({"partition", "time", "account", "nodes", "ntasks", "array_max", "task_seconds", "at_once",
                    "signal_seconds", "extra"});
  constexpr const char* names = "letters, digits and . _ - + @, several names with commas; write it like \"main\"";
  SlurmChoice slurm;
  slurm.partition = checked(table, "partition", "[A-Za-z0-9_.+@][A-Za-z0-9_.+@,-]*", names);
  slurm.account = checked(table, "account", "[A-Za-z0-9_.+@][A-Za-z0-9_.+@,-]*", names);
  slurm.time = checked(table, "time", "[0-9]+(:[0-9]+){0,2}|[0-9]+-[0-9]+(:[0-9]+){0,2}|infinite|unlimited",
                       "minutes, hours:minutes:seconds or days-hours:minutes:seconds; write it like \"02:00:00\"");
  slurm.nodes = table.number("nodes", slurm.nodes, 1, 1'000'000);
  slurm.ntasks = table.number("ntasks", 0, 1, 100'000'000);
  slurm.array_max = table.number("array_max", slurm.array_max, 1, 4'000'000);
  slurm.task_seconds = table.number("task_seconds", slurm.task_seconds, 0, 100'000'000);
  slurm.at_once = table.number("at_once", 0, 1, 4'000'000);
  slurm.signal_seconds = table.number("signal_seconds", slurm.signal_seconds, 1, 65'535);
  if (slurm.ntasks > 0 && slurm.ntasks < ranks) {
    table.fail("ntasks", fmt::format("is less than the ranks of the sweep ({}); leave it out", ranks));
  }
  for (const std::string& option : table.texts("extra")) slurm.extra.push_back(option_line(table, option));
  return slurm;
}

}  // namespace weft::tools::sweep
