// Lines of two numbers, and what is wrong with them.
#include "workloads/program/processor_files.hpp"

#include <fmt/format.h>
#include <limits>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/text_line.hpp"
#include "engine/base/text/words.hpp"
#include "workloads/program/processors.hpp"

namespace weft::workloads {
namespace {

constexpr u64 most_file_bytes = u64{1} << 30;

std::string quoted_word(std::string_view word) { return fmt::format("\"{}\"", shown(word, 24)); }

constexpr LineForm pair_lines{.separators = line_blanks};

/// Two words a line; `fields` is what they are, for errors: "task factor".
void expect_pair(const TextLine& line, const char* fields) {
  if (line.words() == 1) {
    line.fail(
        fmt::format("line holds {} alone (expected: {}); add what is missing", quoted_word(line.word(0)), fields));
  }
  if (line.words() > 2) line.fail(fmt::format("line has more than two fields (expected: {}); remove the rest", fields));
}

/// A number >= 0.
double real_in(const TextLine& line, std::string_view word, const char* what) {
  const std::optional<double> value = parsed<double>(word);
  if (!value) {
    line.fail(fmt::format("line holds {} as {} (not a number); correct it or put # before comments", quoted_word(word),
                          what));
  }
  if (*value < 0)
    line.fail(fmt::format("line holds {} as {} (it is negative); use 0 or more", quoted_word(word), what));
  return *value;
}

/// One that is too large for a number is as large as a number can be.
u32 task_in(const TextLine& line, std::string_view word) {
  const std::optional<u32> task = parsed<u32>(word);
  if (!task && !is_too_large<u32>(word)) {
    line.fail(fmt::format("line holds {} as task (not a whole number >= 0); correct it or put # before comments",
                          quoted_word(word)));
  }
  return task.value_or(std::numeric_limits<u32>::max());
}

/// The number of a comment "period_ns = P".
std::optional<double> period_in(const TextLine& line) {
  constexpr std::string_view word = "period_ns";
  if (!line.comment().starts_with(word)) return {};
  const std::string_view rest = trimmed(line.comment().substr(word.size()));
  if (!rest.starts_with('=')) return {};
  return real_in(line, trimmed(rest.substr(1)), "period_ns");
}

}  // namespace

std::vector<double> read_cpu_factors(std::string_view text, const std::string& name, u32 tasks) {
  std::vector<double> factors(tasks, 1);
  std::vector<u64> line_of_task(tasks, 0);
  const auto read = [&](const TextLine& line) {
    if (line.words() == 0) return;
    expect_pair(line, "task factor");
    const u32 task = task_in(line, line.word(0));
    const double factor = real_in(line, line.word(1), "factor");
    if (factor > Processors::most_factor) {
      line.fail(fmt::format("line holds {} as factor (at most {:.0f}); use a smaller one", quoted_word(line.word(1)),
                            Processors::most_factor));
    }
    if (task >= tasks) return;  // a file of more tasks serves runs of fewer
    if (line_of_task[task] != 0) {
      line.fail(fmt::format("line gives task {} a factor again (line {} gave it {}); remove one of them", task,
                            line_of_task[task], factors[task]));
    }
    line_of_task[task] = line.number();
    factors[task] = factor;
  };
  for_each_text_line(text, name, read, pair_lines);
  return factors;
}

NoiseRecord read_noise(std::string_view text, const std::string& name) {
  NoiseRecord record;
  std::optional<double> period;
  double end = 0;
  const auto take_pause = [&](const TextLine& line) {
    expect_pair(line, "begin_ns length_ns");
    const NoiseRecord::Pause pause{real_in(line, line.word(0), "begin_ns"), real_in(line, line.word(1), "length_ns")};
    if (pause.begin_ns < end) {
      line.fail(fmt::format(
          "line begins a pause at {} ns, in or before the last (which ends at {} ns); put pauses in ascending order, "
          "and join those that overlap",
          pause.begin_ns, end));
    }
    end = pause.begin_ns + pause.length_ns;
    record.pauses.push_back(pause);
  };
  const auto read = [&](const TextLine& line) {
    const std::optional<double> given = period_in(line);
    if (given && period) line.fail("line gives period_ns again; remove one of them");
    if (given) period = given;
    if (line.words() > 0) take_pause(line);
    if (period && *period < end) {
      line.fail(fmt::format("line leaves a pause that ends at {} ns beyond the period ({} ns); use a longer period_ns",
                            end, *period));
    }
  };
  for_each_text_line(text, name, read, pair_lines);
  if (record.pauses.empty()) {
    throw InputError(fmt::format("{}: has no pauses (expected lines: begin_ns length_ns); add one", shown(name)));
  }
  record.period_ns = period.value_or(end);
  return record;
}

std::vector<double> cpu_factors_from_file(const std::string& path, u32 tasks) {
  return read_cpu_factors(read_text_file<InputError>(path, most_file_bytes, "file of workload.cpu_factors"), path,
                          tasks);
}

NoiseRecord noise_from_file(const std::string& path) {
  return read_noise(read_text_file<InputError>(path, most_file_bytes, "file of workload.noise_file"), path);
}

}  // namespace weft::workloads
