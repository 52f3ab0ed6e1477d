// What is sent and when the run ends: one function per subject.
#include <algorithm>
#include <fmt/format.h>

#include "engine/nearest.hpp"
#include "engine/words.hpp"
#include "tools/config/application.hpp"
#include "tools/config/check.hpp"
#include "tools/config/resolve.hpp"

namespace weft::tools::checks {
namespace {

void check_stop(const Config& config) {
  const std::string stop = config.text("simulation.stop");
  const std::string workload = config.text("workload.kind");
  const i64 cycles = config.integer("simulation.cycles");
  if (stop == "cycles" && cycles == 0) {
    fail(config, "simulation.stop", "does not say how many (simulation.cycles is not given)",
         "add for example cycles = 100000");
  }
  if (cycles > 0 && is_one_of(stop, {"steady-state", "workload-complete"})) {
    fail(config, "simulation.cycles", fmt::format("contradicts stop = \"{}\" (two ways to end the run)", stop),
         "remove one of them, or use max_cycles for a safety limit");
  }
  if (stop == "steady-state" && workload != "synthetic") {
    fail(config, "simulation.stop", fmt::format("does not fit workload.kind = \"{}\" (it ends by itself)", workload),
         "use stop = \"workload-complete\"");
  }
  if (stop == "workload-complete" && workload == "synthetic") {
    fail(config, "simulation.stop", "does not fit workload.kind = \"synthetic\" (it never ends)",
         "use stop = \"steady-state\" or give cycles");
  }
}

/// Several jobs of synthetic traffic.
void check_jobs(const Config& config) {
  const std::size_t jobs = config.integers("workload.job_nodes").size();
  const std::string kind = config.text("workload.kind");
  for (const std::string key : {"workload.job_nodes", "workload.job_patterns", "workload.job_load_percent"}) {
    if (!config.given(key)) continue;
    if (!is_one_of(kind, {"synthetic", "burst"})) {
      fail(config, key, fmt::format("has no effect with workload.kind = \"{}\"", kind),
           "remove it, or use kind = \"synthetic\"");
    }
    if (jobs == 0) fail(config, key, "needs the nodes of each job", "add for example job_nodes = [32, 32]");
  }
  if (jobs == 0) return;
  if (config.given("workload.pattern")) {
    fail(config, "workload.pattern", "has no effect beside workload.job_nodes", "remove it, and use job_patterns");
  }
  const std::size_t patterns = listed_words(config.text("workload.job_patterns")).size();
  if (patterns != jobs) {
    const std::vector<std::string> example(jobs, "uniform");
    fail(config, "workload.job_patterns", fmt::format("has {} patterns for {} jobs", patterns, jobs),
         fmt::format("write one for each, for example job_patterns = \"{}\"", fmt::join(example, ", ")));
  }
  const std::size_t loads = config.integers("workload.job_load_percent").size();
  if (loads != 0 && loads != jobs) {
    fail(config, "workload.job_load_percent", fmt::format("has {} loads for {} jobs", loads, jobs),
         fmt::format("write one for each, for example job_load_percent = {}", list_text(std::vector<i64>(jobs, 100))));
  }
}

/// Keys of one pattern change nothing in others.
void check_pattern_keys(const Config& config) {
  const std::string kind = config.text("workload.kind"), pattern = config.text("workload.pattern");
  const bool sends = is_one_of(kind, {"synthetic", "burst"}), jobs = config.given("workload.job_nodes");
  for (const auto& [key, of] : {std::pair<std::string, std::string>{"workload.zipf_exponent", "zipf"},
                                {"workload.group_shift", "next-group"},
                                {"workload.grid", "stencil"}}) {
    if (!config.given(key)) continue;
    if (jobs && of != "zipf") {
      fail(config, key, "has no effect beside workload.job_nodes (jobs know no groups, their grids are square)",
           "remove it");
    }
    const std::vector<std::string> patterns =
        jobs ? listed_words(config.text("workload.job_patterns")) : std::vector{pattern};
    if (sends && std::ranges::find(patterns, of) != patterns.end()) continue;
    fail(config, key,
         fmt::format("has no effect with workload.kind = \"{}\" and workload.pattern = \"{}\"", kind,
                     fmt::join(patterns, ", ")),
         fmt::format("remove it, or use pattern = \"{}\"", of));
  }
}

/// Keys of exchanges alone.
void check_exchange(const Config& config) {
  const std::string kind = config.text("workload.kind"), name = config.text("workload.name");
  const bool exchange = kind == "exchange";
  if (config.given("workload.both_ways") && !exchange) {
    fail(config, "workload.both_ways", fmt::format("has no effect with workload.kind = \"{}\"", kind),
         "remove it, or use kind = \"exchange\"");
  }
  if (config.given("workload.pairs") && !(exchange && name == "pairs")) {
    fail(config, "workload.pairs",
         fmt::format("has no effect with workload.kind = \"{}\" and workload.name = \"{}\"", kind, name),
         "remove it, or use kind = \"exchange\" and name = \"pairs\"");
  }
}

/// What a kind of workload cannot do without.
struct Need {
  const char *kind, *key, *what, *advice;
};
constexpr Need needs[] = {
    {"trace", "workload.path", "a trace file", "path = \"traces/is.S.16.trc.xz\""},
    {"kernel", "workload.name", "the name of a kernel", "name = \"wavefront\"; weft describe kernels lists them"},
    {"collective", "workload.name", "the name of an operation",
     "name = \"reduce\"; weft describe collectives lists them"},
    {"exchange", "workload.name", "the name of a pattern", "name = \"bisect\"; weft describe exchanges lists them"}};

/// What a kind of workload needs, and keys of other kinds.
void check_kind(const Config& config) {
  check_jobs(config);
  const std::string kind = config.text("workload.kind");
  for (const Need& need : needs) {
    if (kind != need.kind || !config.text(need.key).empty()) continue;
    fail(config, "workload.kind", fmt::format("needs {} ({} is not given)", need.what, need.key),
         fmt::format("add for example {}", need.advice));
  }
  check_exchange(config);
  if (kind != "collective" && config.given("workload.algorithm")) {
    fail(config, "workload.algorithm", fmt::format("has no effect with workload.kind = \"{}\"", kind),
         "remove it, or use kind = \"collective\"");
  }
  for (const std::string key : {"dimensions", "return_sweep", "wrap", "diagonals"}) {
    if ((kind != "collective" && kind != "exchange") || !config.given("workload." + key)) continue;
    fail(config, "workload." + key,
         fmt::format("has no effect with workload.kind = \"{}\" (its tasks have no places)", kind), "remove it");
  }
  check_pattern_keys(config);
  if (config.text("workload.mode") == "at-will" && kind != "trace") {
    fail(config, "workload.mode",
         fmt::format("does not fit workload.kind = \"{}\" (only traces can be sent at will)", kind), "remove the key");
  }
}

/// What only nodes that run tasks have.
void check_tasks(const Config& config) {
  if (!runs_tasks(config)) {
    for (const std::string key : {"tasks_per_node", "local_latency_cycles", "turnaround_cycles", "send_gap_cycles"}) {
      if (!config.given("workload." + key)) continue;
      fail(config, "workload." + key,
           fmt::format("has no effect with workload.kind = \"{}\" (its nodes run no tasks)",
                       config.text("workload.kind")),
           "remove it, or use kind = \"kernel\", \"collective\", \"exchange\" or \"trace\"");
    }
  }
  if (config.integer("workload.turnaround_cycles") > 0 && config.text("workload.mode") == "at-will") {
    fail(config, "workload.turnaround_cycles", "has no effect with workload.mode = \"at-will\" (nobody receives)",
         "remove it, or use mode = \"causal\"");
  }
}

}  // namespace

void check_workload(const Config& config) {
  check_stop(config);
  check_kind(config);
  check_tasks(config);
  check_file(config, "placement", "policy", "path", "nodes.txt");
}

}  // namespace weft::tools::checks
