// Reads placement files, and refuses those that lose or double a task.
#include "workloads/program/placement/placement_file.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/line_place.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/text_line.hpp"
#include "engine/base/text/words.hpp"

namespace weft::workloads {
namespace {

constexpr std::string_view separators = " \t\r_,.:->;";

/// Text of the file quoted in an error.
std::string quoted(std::string_view text) { return fmt::format("\"{}\"", shown(text, 24)); }

/// What is read of a file.
struct Wanted {
  u32 tasks, nodes, tasks_per_node, instance;
  std::span<const JobTasks> jobs = {};  ///< whose names may stand in place of instances; empty: numbers only
};

/// Reads the lines of one placement file and keeps what it has seen so far.
class PlacementReader {
 public:
  PlacementReader(const std::string& name, const Wanted& wanted)
      : wanted_(wanted),
        result_{name, {std::vector<NodeId>(wanted.tasks)}, std::vector<u64>(wanted.tasks, 0)},
        tasks_of_node_(wanted.nodes, 0),
        line_of_node_(wanted.nodes, 0) {}

  void line(const TextLine& line) {
    line_ = line.number();
    std::string_view text = trimmed(line.text(), separators);
    if (text.empty()) return;
    std::array<u32, 3> fields{};  // node, task, instance
    for (u32 count = 0; !text.empty(); ++count) {
      if (count == fields.size())
        fail(fmt::format("has more than three fields (expected: node task {}); remove the rest", third()));
      if (const auto job = count == 2 ? job_named(text) : std::nullopt) {
        fields[count] = *job;
        break;
      }
      const std::string_view whole = text, word = text.substr(0, text.find_first_of(separators));
      text.remove_prefix(word.size());
      if (count == 2 && !word_is_number(word)) fail_unknown_job(quoted(whole), std::string(whole));
      fields[count] = number(word);
      if (count == 2) check_job_number(fields[count]);
      text = trimmed(text, separators);
      if (count == 0 && text.empty())
        fail(fmt::format("has one field (expected: node task {}); add the task", third()));
    }
    place(fields[0], fields[1], fields[2]);
  }

  FilePlacement finish() const {
    u32 missing = 0;
    std::optional<std::size_t> first;
    const std::vector<NodeId>& places = result_.placement.node_of_task;
    for (std::size_t task = 0; task < places.size(); ++task) {
      if (places[task].valid()) continue;
      ++missing;
      if (!first) first = task;
    }
    if (first) {
      fail(fmt::format("is the end and task {} has no node ({} of {} tasks of {} are missing); add a line for each",
                       *first, missing, places.size(), owner(wanted_.instance)));
    }
    return result_;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { fail_at_line(result_.file, line_, "line " + problem); }

  [[nodiscard]] const char* third() const { return wanted_.jobs.empty() ? "instance" : "job"; }
  [[nodiscard]] std::string owner(u32 instance) const {
    return wanted_.jobs.empty() ? fmt::format("instance {}", instance)
                                : fmt::format("job \"{}\"", shown(wanted_.jobs[instance].name));
  }

  /// The job of which a text is the whole name, which may have separators in it.
  [[nodiscard]] std::optional<u32> job_named(std::string_view text) const {
    const auto found =
        std::ranges::find_if(wanted_.jobs, [&](const JobTasks& job) { return trimmed(job.name, separators) == text; });
    if (found == wanted_.jobs.end()) return {};
    return static_cast<u32>(found - wanted_.jobs.begin());
  }

  /// Only where there are names beside numbers: else `number` says what is wrong.
  [[nodiscard]] bool word_is_number(std::string_view word) const {
    return wanted_.jobs.empty() || std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
  }

  void check_job_number(u32 job) const {
    if (!wanted_.jobs.empty() && job >= wanted_.jobs.size()) fail_unknown_job(std::to_string(job), "");
  }

  [[noreturn]] void fail_unknown_job(const std::string& what, const std::string& word) const {
    std::vector<std::string> names;
    for (const JobTasks& job : wanted_.jobs) names.push_back(job.name);
    const std::string known = names.size() == 1 ? fmt::format("there is one, \"{}\"", shown(names[0], 24))
                                                : fmt::format("there are {}, numbered from 0", names.size());
    fail(fmt::format("names job {} ({}); use \"{}\"", what, known,
                     shown(word.empty() ? names.back() : nearest(word, names), 24)));
  }

  u32 number(std::string_view word) const {
    const std::optional<u32> value = parsed<u32>(word);
    if (is_too_large<u32>(word)) fail("holds " + quoted(word) + " (does not fit 32 bits); correct it");
    if (!value) fail("holds " + quoted(word) + " (not a whole number); correct it or put # before comments");
    return *value;
  }

  void place(u32 node, u32 task, u32 instance) {
    if (node >= wanted_.nodes) {
      fail(fmt::format("names node {} (the network has {} nodes, numbered from 0); correct it or use a larger topology",
                       node, wanted_.nodes));
    }
    if (tasks_of_node_[node] == wanted_.tasks_per_node) fail_node_is_full(node);
    ++tasks_of_node_[node];
    line_of_node_[node] = line_;
    if (instance != wanted_.instance) return;
    auto& places = result_.placement.node_of_task;
    if (task >= places.size()) {
      const std::string whose = wanted_.jobs.empty() ? "the application" : owner(instance);
      fail(fmt::format("names task {} ({} has {} tasks, numbered from 0); correct it", task, whose, places.size()));
    }
    if (places[task].valid()) {
      fail(fmt::format("places task {} again (line {} placed it on node {}); remove one of them", task,
                       result_.line_of_task[task], places[task].value()));
    }
    result_.line_of_task[task] = line_;
    places[task] = NodeId(node);
  }

  [[noreturn]] void fail_node_is_full(u32 node) const {
    const u32 each = wanted_.tasks_per_node;
    if (each == 1) {
      fail(
          fmt::format("places a second task on node {} (line {} placed the first, and a node hosts one task); choose "
                      "another node, or use workload.tasks_per_node = 2",
                      node, line_of_node_[node]));
    }
    fail(fmt::format(
        "places one task too many on node {} (line {} placed the last of {}, workload.tasks_per_node); "
        "choose another node{}",
        node, line_of_node_[node], each, each < most_tasks_per_node ? ", or a larger workload.tasks_per_node" : ""));
  }

  Wanted wanted_;
  FilePlacement result_;
  std::vector<u8> tasks_of_node_;  ///< [node], of all instances
  std::vector<u64> line_of_node_;  ///< [node] that placed the last of them
  u64 line_ = 0;
};

FilePlacement read_lines(std::string_view text, const std::string& name, const Wanted& wanted) {
  check_tasks_fit(wanted.tasks, wanted.nodes, wanted.tasks_per_node);
  PlacementReader reader(name, wanted);
  for_each_text_line(text, name, [&reader](const TextLine& line) { reader.line(line); });
  return reader.finish();
}

std::string text_of_file(const std::string& path, const Wanted& wanted) {
  check_tasks_fit(wanted.tasks, wanted.nodes, wanted.tasks_per_node);
  // Room for long comments; more is no placement on this network.
  const u64 most_bytes = (u64{4} << 20) + u64{128} * wanted.nodes * wanted.tasks_per_node;
  return read_text_file<InputError>(path, most_bytes, "file of placement.path");
}

Wanted wanted_of_job(std::span<const JobTasks> jobs, u32 job, u32 nodes) {
  WEFT_ASSERT(job < jobs.size());
  const bool named = jobs.size() > 1 || !jobs[job].name.empty();
  return {jobs[job].tasks, nodes, std::ranges::max(jobs, {}, &JobTasks::tasks_per_node).tasks_per_node, job,
          named ? jobs : std::span<const JobTasks>()};
}

}  // namespace

Placement read_placement(std::string_view text, const std::string& name, u32 tasks, u32 nodes, u32 tasks_per_node,
                         u32 instance) {
  return read_lines(text, name, {tasks, nodes, tasks_per_node, instance}).placement;
}

Placement from_file(const std::string& path, u32 tasks, u32 nodes, u32 tasks_per_node, u32 instance) {
  const Wanted wanted{tasks, nodes, tasks_per_node, instance};
  return read_lines(text_of_file(path, wanted), path, wanted).placement;
}

FilePlacement read_job_placement(std::string_view text, const std::string& name, std::span<const JobTasks> jobs,
                                 u32 job, u32 nodes) {
  return read_lines(text, name, wanted_of_job(jobs, job, nodes));
}

FilePlacement job_from_file(const std::string& path, std::span<const JobTasks> jobs, u32 job, u32 nodes) {
  const Wanted wanted = wanted_of_job(jobs, job, nodes);
  return read_lines(text_of_file(path, wanted), path, wanted);
}

}  // namespace weft::workloads
