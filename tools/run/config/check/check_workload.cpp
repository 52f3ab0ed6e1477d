// What is sent and when the run ends: one function per subject.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "engine/base/text/words.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/check.hpp"
#include "tools/run/config/given.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools::checks {
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
  if (stop == "steady-state" && ends_by_itself(config)) {
    const std::string what = config.jobs().empty() ? fmt::format("workload.kind = \"{}\" (it ends by itself)", workload)
                                                   : "[[job]] (the run ends with the jobs, as some do)";
    fail(config, "simulation.stop", "does not fit " + what, "use stop = \"workload-complete\"");
  }
  if (stop == "workload-complete" && !ends_by_itself(config)) {
    fail(config, "simulation.stop", fmt::format("does not fit workload.kind = \"{}\" (it never ends)", workload),
         "use stop = \"steady-state\" or give cycles");
  }
}

namespace {

/// Random pauses are said completely, and not beside recorded ones.
void check_noise(const Config& config) {
  if (!runs_tasks(config) || config.text("workload.noise") == "none") return;
  if (!config.text("workload.noise_file").empty()) {
    fail(config, "workload.noise", "contradicts workload.noise_file (random pauses and recorded ones)",
         "remove one of them");
  }
  const double length = config.real("workload.noise_ns"), interval = config.real("workload.noise_interval_ns");
  if (length == 0)
    fail(config, "workload.noise", "does not say how long pauses are", "add for example noise_ns = 2000");
  if (interval == 0)
    fail(config, "workload.noise", "does not say how often there are pauses",
         "add for example noise_interval_ns = 1000000");
  if (length > interval) {
    fail(config, "workload.noise_ns",
         fmt::format("is more than workload.noise_interval_ns = {} (there would hardly be time to work)", interval),
         fmt::format("use {} or less, or a longer interval", interval));
  }
}

/// What the kind says against its keys.
void check_kind(const Config& config) {
  const workloads::WorkloadKind& kind = workload_kind(config);
  if (!kind.check) return;
  if (const auto complaint = kind.check(table_parameters(config, "workload")))
    fail(config, complaint->key, complaint->why, complaint->advice);
}

/// What the law of arrivals says against its keys.
void check_arrivals(const Config& config) {
  if (!config.jobs().empty() || !draws_arrivals(config)) return;
  const auto* const law = workloads::ArrivalRegistry::instance().find(config.text("workload.arrivals"));
  if (law == nullptr || !law->check) return;
  const double load = config.real("workload.offered_load");
  if (load <= 0) return;
  if (const auto complaint = law->check(table_parameters(config, "workload"), load))
    fail(config, complaint->key, complaint->why, complaint->advice);
}

/// Sources do not ask before they send. Not of one of several jobs: others may have tasks.
void check_rendezvous(const Config& config) {
  const std::string key = "ideal.rendezvous_bytes";
  if (runs_tasks(config) || !given_otherwise(config, key)) return;
  fail(config, key, "has no effect without tasks (independent sources do not wait for receives)",
       "remove it, or use a workload of tasks");
}

/// Jobs beside each other may have messages.
void check_classes_of_messages(const Config& config) {
  const std::string key = "router.class_bytes";
  if (!given_otherwise(config, key) || runs_tasks(config)) return;
  fail(config, key, "has no effect without messages (independent sources send packets)",
       "remove it, or use router.class_shares");
}

/// Not of one of several jobs, which may have another number than others.
void check_places(const Config& config) {
  const std::string key = "workload.tasks_per_node";
  if (!config.given(key) || !given_otherwise(config, "node.tasks")) return;
  fail(config, key,
       fmt::format("says how many tasks a node has, as does {} (one value too many)",
                   setting_text(config, "node.tasks")),
       "remove one of them");
}

/// Inside nodes.
void check_path(const Config& config) {
  const std::string key = "workload.local_latency_cycles";
  if (config.real("node.path_latency_ns") == 0 || !given_otherwise(config, key)) return;
  fail(config, key,
       fmt::format("says the latency inside a node, as does {} (one value too many)",
                   setting_text(config, "node.path_latency_ns")),
       "remove one of them");
}

}  // namespace

void check_workload(const Config& config) {
  check_kind(config);
  check_arrivals(config);
  check_path(config);
  if (config.job().empty()) {
    check_places(config);
    check_rendezvous(config);
    check_classes_of_messages(config);
  }
  check_noise(config);
  check_file(config, "placement", "policy", "path", "nodes.txt");
}

}  // namespace weft::tools::checks
