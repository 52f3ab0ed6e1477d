// Lines of two numbers, and what is wrong with them.
#include "workloads/program/processor_files.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/words.hpp"
#include "workloads/program/processors.hpp"

namespace weft::workloads {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr u64 most_file_bytes = u64{1} << 30;

std::string quoted_word(std::string_view word) { return fmt::format("\"{}\"", shown(word, 24)); }

/// Goes through a file line by line.
class PairReader {
 public:
  /// `fields`: what is on a line, for errors: "task factor".
  PairReader(std::string name, std::string fields) : name_(std::move(name)), fields_(std::move(fields)) {}

  /// Calls `pair(first, second)` for each line that is not empty and `comment(text)` for each comment.
  template <class Pair, class Comment>
  void read(std::string_view text, Pair&& pair, Comment&& comment) {
    for_each_line(text, [&](std::string_view line) {
      ++line_;
      const auto hash = line.find('#');
      if (hash != std::string_view::npos) comment(trimmed(line.substr(hash + 1)));
      line = trimmed(line.substr(0, hash));
      if (line.empty()) return;
      const std::string_view first = line.substr(0, line.find_first_of(blanks));
      const std::string_view second = trimmed(line.substr(first.size()));
      if (second.empty())
        fail(fmt::format("holds {} alone (expected: {}); add what is missing", quoted_word(first), fields_));
      if (second.find_first_of(blanks) != std::string_view::npos)
        fail(fmt::format("has more than two fields (expected: {}); remove the rest", fields_));
      pair(first, second);
    });
  }

  /// A number >= 0.
  [[nodiscard]] double real(std::string_view word, const char* what) const {
    const std::optional<double> value = parsed<double>(word);
    if (!value)
      fail(fmt::format("holds {} as {} (not a number); correct it or put # before comments", quoted_word(word), what));
    if (*value < 0) fail(fmt::format("holds {} as {} (it is negative); use 0 or more", quoted_word(word), what));
    return *value;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}:{}: line {}", shown(name_), line_, problem));
  }
  [[nodiscard]] u64 line() const { return line_; }
  [[nodiscard]] std::string name() const { return shown(name_); }

 private:
  std::string name_, fields_;
  u64 line_ = 0;
};

/// One that is too large for a number is as large as a number can be.
u32 task_of(const PairReader& reader, std::string_view word) {
  const std::optional<u32> task = parsed<u32>(word);
  if (!task && !is_too_large<u32>(word)) {
    reader.fail(fmt::format("holds {} as task (not a whole number >= 0); correct it or put # before comments",
                            quoted_word(word)));
  }
  return task.value_or(std::numeric_limits<u32>::max());
}

/// The number of a comment "period_ns = P".
std::optional<double> period_in(const PairReader& reader, std::string_view comment) {
  constexpr std::string_view word = "period_ns";
  if (!comment.starts_with(word)) return {};
  const std::string_view rest = trimmed(comment.substr(word.size()));
  if (!rest.starts_with('=')) return {};
  return reader.real(trimmed(rest.substr(1)), "period_ns");
}

}  // namespace

std::vector<double> read_cpu_factors(std::string_view text, const std::string& name, u32 tasks) {
  PairReader reader(name, "task factor");
  std::vector<double> factors(tasks, 1);
  std::vector<u64> line_of_task(tasks, 0);
  reader.read(
      text,
      [&](std::string_view first, std::string_view second) {
        const u32 task = task_of(reader, first);
        const double factor = reader.real(second, "factor");
        if (factor > Processors::most_factor) {
          reader.fail(fmt::format("holds {} as factor (at most {:.0f}); use a smaller one", quoted_word(second),
                                  Processors::most_factor));
        }
        if (task >= tasks) return;  // a file of more tasks serves runs of fewer
        if (line_of_task[task] != 0) {
          reader.fail(fmt::format("gives task {} a factor again (line {} gave it {}); remove one of them", task,
                                  line_of_task[task], factors[task]));
        }
        line_of_task[task] = reader.line();
        factors[task] = factor;
      },
      [](std::string_view) {});
  return factors;
}

NoiseRecord read_noise(std::string_view text, const std::string& name) {
  PairReader reader(name, "begin_ns length_ns");
  NoiseRecord record;
  std::optional<double> period;
  double end = 0;
  const auto check_period = [&] {
    if (period && *period < end) {
      reader.fail(fmt::format("leaves a pause that ends at {} ns beyond the period ({} ns); use a longer period_ns",
                              end, *period));
    }
  };
  reader.read(
      text,
      [&](std::string_view first, std::string_view second) {
        const NoiseRecord::Pause pause{reader.real(first, "begin_ns"), reader.real(second, "length_ns")};
        if (pause.begin_ns < end) {
          reader.fail(fmt::format(
              "begins a pause at {} ns, in or before the last (which ends at {} ns); put pauses in ascending order, "
              "and join those that overlap",
              pause.begin_ns, end));
        }
        end = pause.begin_ns + pause.length_ns;
        record.pauses.push_back(pause);
        check_period();
      },
      [&](std::string_view comment) {
        const std::optional<double> given = period_in(reader, comment);
        if (!given) return;
        if (period) reader.fail("gives period_ns again; remove one of them");
        period = given;
        check_period();
      });
  if (record.pauses.empty())
    throw InputError(fmt::format("{}: has no pauses (expected lines: begin_ns length_ns); add one", reader.name()));
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
