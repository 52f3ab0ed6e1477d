// What the nodes of a config of CODES send. A .conf says nothing of it but for server_pings; model-net-mpi-replay takes
// a workload file (a line a job: its processes, and a trace or a program) and an allocation file (a line a job: the
// process slots that its processes take).
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <functional>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/codes/conversion.hpp"

namespace weft::tools::codes {
namespace {

/// What model-net-synthetic does unless its command line says otherwise: messages of a process, and the mean time
/// between two, ns.
constexpr i64 synthetic_messages = 20, synthetic_bytes = 2048, replay_synthetic_bytes = 1024;
constexpr double synthetic_interval_ns = 1000;

struct Job {
  i64 processes = 0;
  std::string program;
  std::string place;
  std::string text;
};

struct Allocation {
  std::vector<i64> slots;
  std::string place;
};

/// A program of Union or of SWM, by a part of its name, and the kernel or collective of weft that comes nearest.
struct Program {
  const char *part, *kind, *name;
  std::vector<std::pair<const char*, SettingValue>> keys;
};

const std::vector<Program>& programs() {
  static const std::vector<Program> all{
      {"jacobi",
       "kernel",
       "stencil",
       {{"dimensions", i64{3}}, {"message_bytes", i64{50000}}, {"repetitions", i64{10}}}},
      {"halo", "kernel", "stencil", {{"dimensions", i64{3}}, {"message_bytes", i64{50000}}, {"repetitions", i64{10}}}},
      {"nearest",
       "kernel",
       "stencil",
       {{"dimensions", i64{3}}, {"message_bytes", i64{50000}}, {"repetitions", i64{10}}}},
      {"milc", "kernel", "milc", {{"repetitions", i64{10}}}},
      {"nekbone", "kernel", "nekbone", {{"repetitions", i64{10}}}},
      {"lammps", "kernel", "lammps", {{"repetitions", i64{10}}}},
      {"hacc", "kernel", "hacc", {{"repetitions", i64{2}}}},
      {"incast", "kernel", "incast", {{"message_bytes", i64{1024}}, {"repetitions", i64{10}}}},
      {"many", "kernel", "random-exchange", {{"message_bytes", i64{1024}}, {"repetitions", i64{10}}}},
      {"alltoall", "collective", "all-to-all", {{"message_bytes", i64{1024}}, {"repetitions", i64{10}}}},
      {"cosmo", "collective", "allreduce", {{"message_bytes", i64{7379200}}, {"repetitions", i64{10}}}},
      {"alexnet", "collective", "allreduce", {{"message_bytes", i64{7379200}}, {"repetitions", i64{10}}}},
      {"allreduce", "collective", "allreduce", {{"message_bytes", i64{1024}}, {"repetitions", i64{10}}}},
      {"latency",
       "exchange",
       "pairs",
       {{"pairs", std::vector<i64>{0, 1}}, {"message_bytes", i64{1024}}, {"repetitions", i64{100}}}},
      {"ping",
       "exchange",
       "pairs",
       {{"pairs", std::vector<i64>{0, 1}}, {"message_bytes", i64{1024}}, {"repetitions", i64{100}}}},
      {"bisect", "exchange", "bisect", {{"message_bytes", i64{65536}}, {"repetitions", i64{10}}}},
  };
  return all;
}

bool all_lines(std::string_view text, const std::function<bool(const std::vector<std::string>&)>& fits) {
  bool any = false, all = true;
  for_each_line(text, [&](std::string_view line) {
    const std::vector<std::string> words = listed_words(trimmed(line), line_blanks);
    if (words.empty() || words.front().starts_with('#')) return;
    any = true;
    all = all && fits(words);
  });
  return any && all;
}

class WorkloadConversion {
 public:
  WorkloadConversion(Conversion& all, const Network& network)
      : all_(all), in_(all.in), out_(all.out), network_(network) {}

  void all() {
    read_files();
    if (jobs_.empty() && allocations_.empty()) return alone();
    if (!jobs_.empty() && !allocations_.empty() && jobs_.size() > allocations_.size()) {
      throw ConfigError(
          fmt::format("{}: the allocation file has {} lines, but there are {} jobs; write a line of nodes "
                      "for each",
                      jobs_.back().place, allocations_.size(), jobs_.size()));
    }
    for (std::size_t k = jobs_.size(); k < allocations_.size(); ++k) {
      // An allocation alone: background of so many processes.
      if (!workload_given_)
        jobs_.push_back({static_cast<i64>(allocations_[k].slots.size()), "synthetic", "", ""});
      else
        left_over(allocations_[k]);
    }
    const bool only_background =
        std::ranges::all_of(jobs_, [](const Job& job) { return job.program.starts_with("synthetic"); });
    std::string placement;
    for (std::size_t k = 0; k < jobs_.size(); ++k) {
      const std::string name = fmt::format("job{}", k);
      job(jobs_[k], name, only_background);
      if (k < allocations_.size()) placement += placed(allocations_[k], jobs_[k], name);
    }
    if (!placement.empty())
      static_cast<void>(all_.add_companion(
          "alloc", "# node, task, job: from an allocation file of CODES, by weft import.\n" + placement));
  }

 private:
  void read_files() {
    for (const ForeignFile& file : all_.task.files) {
      if (file.path == in_.file() || std::ranges::find(all_.used, file.path) != all_.used.end()) continue;
      if (is_allocation_file(file.text))
        read_allocation(file);
      else if (is_workload_file(file.text))
        read_workload(file);
      else {
        throw ConfigError(fmt::format(
            "{}: is neither a workload file (lines of processes and a program), nor an allocation file (lines of "
            "numbers), nor a file that {} names; remove it, or check its name",
            shown(file.path), shown(in_.file())));
      }
    }
  }

  void read_workload(const ForeignFile& file) {
    workload_given_ = true;
    u64 number = 0;
    for_each_line(file.text, [&](std::string_view line) {
      ++number;
      const std::vector<std::string> words = listed_words(trimmed(line), line_blanks);
      if (words.empty() || words.front().starts_with('#')) return;
      Job job{.program = words[1],
              .place = fmt::format("{}:{}", shown(file.path), number),
              .text = std::string(trimmed(line))};
      job.processes = parsed<i64>(words[0]).value_or(0);
      if (job.processes < 1 || job.processes > most_processes) {
        throw ConfigError(fmt::format("{}: {} is no number of processes from 1 to {}; write one", job.place,
                                      shown(words[0]), most_processes));
      }
      jobs_.push_back(std::move(job));
    });
    if (jobs_.size() > most_jobs)
      throw ConfigError(fmt::format("{}: has more than {} jobs; use fewer", shown(file.path), most_jobs));
  }

  void read_allocation(const ForeignFile& file) {
    u64 number = 0;
    for_each_line(file.text, [&](std::string_view line) {
      ++number;
      Allocation one{.slots = {}, .place = fmt::format("{}:{}", shown(file.path), number)};
      const std::vector<std::string> words = listed_words(trimmed(line), line_blanks);
      if (words.empty() || words.front().starts_with('#')) return;
      for (const std::string& word : words) {
        const std::optional<i64> slot = parsed<i64>(word);
        if (!slot || *slot < 0 || *slot / network_.tasks_per_node >= network_.nodes) {
          throw ConfigError(fmt::format("{}: {} is none of the {} places for processes; use numbers from 0 on",
                                        one.place, shown(word), network_.nodes * network_.tasks_per_node));
        }
        one.slots.push_back(*slot);
      }
      allocations_.push_back(std::move(one));
    });
    if (allocations_.size() > most_jobs)
      throw ConfigError(fmt::format("{}: has more than {} jobs; use fewer", shown(file.path), most_jobs));
  }

  static std::string text_of(const Allocation& allocation) {
    std::string text;
    for (std::size_t k = 0; k < std::min<std::size_t>(allocation.slots.size(), 4); ++k)
      text += fmt::format("{} ", allocation.slots[k]);
    return text + (allocation.slots.size() > 4 ? fmt::format("... ({} numbers)", allocation.slots.size()) : "");
  }

  void left_over(const Allocation& allocation) {
    all_.more.push_back({allocation.place, text_of(allocation), OptionState::left_out, "there is no such job"});
  }

  std::string placed(const Allocation& allocation, const Job& job, const std::string& name) {
    const i64 count = static_cast<i64>(allocation.slots.size());
    if (count < job.processes) {
      throw ConfigError(fmt::format("{}: has {} numbers, but its job has {} processes; write one for each",
                                    allocation.place, count, job.processes));
    }
    std::string lines;
    for (i64 task = 0; task < job.processes; ++task)
      lines += fmt::format("{} {} {}\n", allocation.slots[static_cast<std::size_t>(task)] / network_.tasks_per_node,
                           task, name);
    all_.more.push_back({allocation.place, text_of(allocation),
                         count == job.processes ? OptionState::same : OptionState::nearest,
                         count == job.processes ? "job.placement" : "job.placement; the first ones"});
    return lines;
  }

  void job(const Job& job, const std::string& name, bool only_background) {
    out_.begin("[[job]]");
    out_.set("[[job]]", "name", name);
    const std::string table = "[job.workload]";
    ImportedLine line{job.place, job.text, OptionState::same, fmt::format("[[job]] {}", name)};
    if (job.program.starts_with("synthetic")) {
      if (!only_background) out_.set("[[job]]", "repeat", "until-others-end");
      out_.begin(table);
      flows(table, job.processes, replay_synthetic_bytes);
      line.becomes += fmt::format(
          ": a message of {} bytes each us from each process, as model-net-mpi-replay sends "
          "unless its command line says otherwise",
          replay_synthetic_bytes);
    } else {
      out_.begin(table);
      std::string lower = job.program;
      std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      const bool is_program = lower.starts_with("conceptual-") || lower.starts_with("swm") ||
                              lower.ends_with(".json") || lower.find('/') == std::string::npos;
      const std::size_t last = lower.rfind('/');
      const std::string base = last == std::string::npos ? lower : lower.substr(last + 1);
      const auto found = std::ranges::find_if(
          programs(), [&](const Program& program) { return base.find(program.part) != std::string::npos; });
      if (is_program && found == programs().end() && !base.starts_with("dumpi")) {
        throw ConfigError(
            fmt::format("{}: {} is no program that weft has something near to; use one of jacobi3d, milc, "
                        "nekbone, lammps, hacc, incast, cosmoflow, alltoall, allreduce, latency, or a trace",
                        job.place, shown(job.program)));
      }
      if (is_program && !base.starts_with("dumpi")) {
        out_.set(table, "kind", found->kind);
        out_.set(table, "name", found->name);
        out_.set(table, "tasks", job.processes);
        for (const auto& [key, value] : found->keys) out_.set(table, key, value);
        line.state = OptionState::nearest;
        line.becomes += fmt::format(": {} {}; its sizes are in files of the program: --set job.{}.workload.KEY=VALUE",
                                    found->kind, found->name, name);
      } else {
        out_.set(table, "kind", "trace");
        out_.set(table, "path", job.program + "*.bin");
        out_.set(table, "cpu_scale", 1.0);
        line.becomes += ": a DUMPI trace";
      }
      costs(table);
    }
    if (!allocations_.empty()) {
      out_.begin("[job.placement]");
      out_.set("[job.placement]", "policy", "file");
      out_.set("[job.placement]", "path", all_.task.stem + ".alloc");
    }
    if (!job.place.empty()) all_.more.push_back(std::move(line));
  }

  void costs(const std::string& table) {
    for (const auto& [key, value] : network_.costs) out_.set(table, key, value);
  }

  /// Messages at random times from each process to random others.
  void flows(const std::string& table, i64 processes, i64 bytes) {
    out_.set(table, "kind", "flows");
    if (table != "workload") out_.set(table, "tasks", processes);
    out_.set(table, "pattern", "uniform");
    out_.set(table, "flow_sizes", "fixed");
    out_.set(table, "flow_bytes", bytes);
    out_.set(table, "flow_interval_ns", synthetic_interval_ns);
    out_.set(table, "flows", synthetic_messages * processes);
    out_.set(table, "flow_order", in_.text("modelnet_scheduler", "fcfs") == "round-robin" ? "fair" : "in-turn");
    costs(table);
  }

  /// A config without a workload file.
  void alone() {
    const i64 processes = network_.nodes * network_.tasks_per_node;
    if (const Section* const pings = in_.section("server_pings"); pings != nullptr) {
      const auto number = [&](const char* name, i64 fallback) {
        const auto found = std::ranges::find(pings->entries, name, &Entry::name);
        if (found == pings->entries.end()) return fallback;
        const std::optional<i64> value =
            found->values.empty() ? std::nullopt : parsed<i64>(trimmed(found->values.front()));
        if (!value || *value < 1 || *value > most_value)
          in_.fail_at(found->line, fmt::format("{} is no whole number from 1 on; write one", shown(found->text())));
        return *value;
      };
      out_.set("workload", "kind", "exchange");
      out_.set("workload", "name", "ring");
      out_.set("workload", "message_bytes", number("payload_sz", 4096));
      out_.set("workload", "repetitions", number("num_reqs", 5));
      return costs("workload");
    }
    flows("workload", processes, synthetic_bytes);
    all_.more.push_back(
        {shown(in_.file()), "no workload file", OptionState::nearest,
         fmt::format("workload: {} messages of {} bytes from each process to random others, one each us, "
                     "as model-net-synthetic sends unless its command line says otherwise",
                     synthetic_messages, synthetic_bytes)});
  }

  static constexpr i64 most_processes = i64{1} << 26, most_value = i64{1} << 30;
  static constexpr std::size_t most_jobs = 4096;

  Conversion& all_;
  Values& in_;
  TomlWriter& out_;
  const Network& network_;
  std::vector<Job> jobs_;
  std::vector<Allocation> allocations_;
  bool workload_given_ = false;
};

}  // namespace

bool is_workload_file(std::string_view text) {
  return all_lines(text, [](const std::vector<std::string>& words) {
    return words.size() >= 2 && parsed<i64>(words[0]) && !parsed<i64>(words[1]);
  });
}

bool is_allocation_file(std::string_view text) {
  return all_lines(text, [](const std::vector<std::string>& words) {
    return std::ranges::all_of(words, [](const std::string& word) { return parsed<i64>(word).has_value(); });
  });
}

void convert_workload(Conversion& all, const Network& network) { WorkloadConversion(all, network).all(); }

}  // namespace weft::tools::codes
