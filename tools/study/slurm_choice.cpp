// Reads [slurm]; every value ends up on a line of a job script, so each is checked for what it may hold.
#include "tools/study/slurm_choice.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <regex>
#include <sstream>

#include "engine/base/system/shell.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools::sweep {
namespace {

/// A text that matches `form`, or empty where the key is not there.
std::string checked(const StudyTable& table, const std::string& key, const char* form, const char* wanted) {
  const std::string text = table.text(key, "");
  if (text.empty() || (text.size() <= 1000 && std::regex_match(text, std::regex(form, std::regex::icase)))) return text;
  table.fail(key, fmt::format("is not possible (SLURM takes {})", wanted));
}

/// Seconds of a time limit as SLURM reads it; nothing where there is no limit. `time` has the form of one.
std::optional<u64> limit_seconds(const std::string& time) {
  if (time.find_first_not_of("0123456789-:") != std::string::npos) return std::nullopt;  // infinite
  const std::size_t dash = time.find('-');
  std::vector<u64> parts;
  std::istringstream rest(dash == std::string::npos ? time : time.substr(dash + 1));
  for (std::string part; std::getline(rest, part, ':');) parts.push_back(std::strtoull(part.c_str(), nullptr, 10));
  u64 seconds = 0;
  if (dash != std::string::npos) {  // days-hours:minutes:seconds, from the left
    parts.resize(3);
    seconds = std::strtoull(time.c_str(), nullptr, 10) * 86'400 + parts[0] * 3'600 + parts[1] * 60 + parts[2];
  } else if (parts.size() == 1) {  // minutes
    seconds = parts[0] * 60;
  } else {  // minutes:seconds, hours:minutes:seconds
    for (const u64 part : parts) seconds = seconds * 60 + part;
  }
  if (seconds == 0) return std::nullopt;  // to SLURM the same
  return seconds;
}

/// A task that is warned when it starts would be requeued without end.
void check_warning(const StudyTable& table, const SlurmChoice& slurm) {
  static const std::regex limit_form("(?:--time[= ]|-t ?)[\"']?([0-9:-]+)[\"']?");
  std::string time = slurm.time, key = "time";
  for (const std::string& option : slurm.extra) {
    if (option.starts_with("--signal")) return;
    std::smatch part;
    if (!std::regex_match(option, part, limit_form)) continue;
    time = part[1].str();
    key = "extra";
  }
  if (time.empty()) return;
  const std::optional<u64> limit = limit_seconds(time);
  if (!limit || *limit > slurm.signal_seconds) return;
  table.fail(
      key,
      fmt::format(
          "has a time limit of {} s, not longer than the warning {} s before its end (each start would be requeued at "
          "once); write signal_seconds = {}, or time = \"{}\"",
          *limit, slurm.signal_seconds, std::max<u64>(*limit / 2, 1),
          std::max(1u, (2 * slurm.signal_seconds + 59) / 60)));
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
  check_warning(table, slurm);
  return slurm;
}

}  // namespace weft::tools::sweep
