// Measuring, statistics, checkpoints, ranks: one function per subject.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "tools/result/timeline/timeline_kind.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/config/check/check.hpp"
#include "tools/run/config/given.hpp"
#include "tools/run/config/jobs.hpp"
#include "tools/run/config/resolve.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::tools::checks {
namespace {

/// A warm-up that ends before so many intervals have been seen can never be found long enough.
void check_warmup(const Config& config) {
  const i64 warmup = config.integer("measure.warmup_cycles"), most = config.integer("measure.max_warmup_cycles");
  const i64 intervals = config.integer("measure.intervals"), cycles = config.integer("measure.interval_cycles");
  const i64 least = warmup + intervals * cycles;
  if (most >= least) return;
  const std::string key = config.given("measure.max_warmup_cycles") ? "measure.max_warmup_cycles"
                          : config.given("measure.warmup_cycles")   ? "measure.warmup_cycles"
                          : config.given("measure.intervals")       ? "measure.intervals"
                                                                    : "measure.interval_cycles";
  fail(config, key,
       fmt::format("lets no run converge ({} ends before measure.warmup_cycles = {} and {} intervals of {} cycles)",
                   key == "measure.max_warmup_cycles" ? "it" : setting_text(config, "measure.max_warmup_cycles"),
                   warmup, intervals, cycles),
       fmt::format("use measure.max_warmup_cycles = {} or more{}", least,
                   most >= warmup + cycles ? ", or measure.intervals = 1 for a warm-up of one length" : ""));
}

void check_mser(const Config& config) {
  // Groups of five intervals; a run is judged when there are two for each batch.
  const i64 batches = config.integer("measure.batches"), interval = config.integer("measure.interval_cycles");
  const i64 most = config.integer("measure.max_cycles");
  constexpr i64 group = 5, most_intervals = 10'000;
  if (batches < 2) fail(config, "measure.batches", "leaves no confidence interval", "use 10");
  if (most / interval / group < 2 * batches) {
    fail(config, "measure.max_cycles",
         fmt::format("is not enough for {} groups of {} intervals with {}", 2 * batches, group,
                     setting_text(config, "measure.interval_cycles")),
         fmt::format("use measure.interval_cycles = {}, fewer batches or a longer run",
                     std::max<i64>(1, most / (group * 2 * batches))));
  }
  if (most / interval > most_intervals) {
    fail(config, "measure.max_cycles",
         fmt::format("is {} intervals of {} (at most {}, of which the counts are kept)", most / interval,
                     setting_text(config, "measure.interval_cycles"), most_intervals),
         fmt::format("use measure.interval_cycles = {}", (most + most_intervals - 1) / most_intervals));
  }
}

/// Runs one after the other have no state that a checkpoint could hold.
void check_seeds(const Config& config) {
  const i64 seeds = config.integer("measure.seeds");
  if (seeds == 1) return;
  for (const char* key : {"checkpoint.every_seconds", "checkpoint.every_cycles"}) {
    if (config.integer(key) == 0) continue;
    fail(config, key,
         fmt::format("does not go with {} (a checkpoint holds one run, not several)",
                     setting_text(config, "measure.seeds")),
         "remove it, or run one seed at a time (weft sweep with repeat does that)");
  }
  constexpr i64 most = std::numeric_limits<i64>::max();
  if (config.integer("simulation.seed") > most - (seeds - 1)) {
    fail(config, "simulation.seed", fmt::format("leaves no room for {} seeds", seeds),
         fmt::format("use {} or less", most - (seeds - 1)));
  }
}

/// What is measured of a run that looks for a steady state.
void check_measure(const Config& config) {
  if (resolved_stop(config) != "steady-state") return;
  if (config.text("measure.method") == "mser") {
    check_mser(config);
  } else {
    check_warmup(config);
  }
}

void check_statistics(const Config& config) {
  if (given_otherwise(config, "statistics.events") && source_rules(config).queue == workloads::SourceQueue::unbounded) {
    fail(config, "statistics.events",
         "does not go with workload.source_queue = \"unbounded\" (packets are known when a NIC takes them, and events "
         "are written in the order of their times)",
         "use bounded sources, or leave the events out");
  }
  for (const char* const key : {"statistics.events", "statistics.matches", "statistics.timeline"}) {
    if (!given_otherwise(config, key) || !config.text(key).empty()) continue;
    fail(config, key, "is empty", "name a file, e.g. \"events.txt\"");
  }
}

void check_timeline(const Config& config) {
  const std::string path = config.text("statistics.timeline");
  if (path.empty()) return;
  const auto kind = timeline_kind(path);
  if (!kind)
    fail(config, "statistics.timeline", "does not say which format it is", fmt::format("use {}", timeline_endings));
  const i64 from = config.integer("statistics.timeline_from_cycles"),
            to = config.integer("statistics.timeline_to_cycles");
  if (to != 0 && to <= from) {
    fail(config, "statistics.timeline_to_cycles",
         fmt::format("leaves nothing (it begins with {})", setting_text(config, "statistics.timeline_from_cycles")),
         fmt::format("use {} or more, or 0 for the end of the run", from + 1));
  }
  if (!config.text("statistics.timeline_links").empty() && *kind == TimelineKind::otf2) {
    fail(config, "statistics.timeline_links", "does not go with an OTF2 archive (it has tasks only)",
         "use statistics.timeline = \"NAME.pftrace\"");
  }
}

void check_checkpoint(const Config& config) {
  if (given_otherwise(config, "checkpoint.path") && config.text("checkpoint.path").empty()) {
    fail(config, "checkpoint.path", "is empty", "name a file, e.g. \"run.ckpt.h5\"");
  }
}

void check_weights(const Config& config) {
  const std::string partition = config.text("parallel.partition");
  if (config.text("parallel.weights").empty() || partition == "auto" || partition == "metis") return;
  fail(config, "parallel.weights",
       "has no effect with " + setting_text(config, "parallel.partition") + ", which balances no work",
       "use partition = \"metis\" or \"auto\", or leave weights out");
}

void check_rebalancing(const Config& config) {
  const double above = config.real("parallel.rebalance_above");
  if (above == 0) return;
  if (above < 1) {
    fail(config, "parallel.rebalance_above", "is always exceeded (the busiest rank has at least the mean)",
         "use 1.2, or 0 for never");
  }
  if (config.integer("checkpoint.every_cycles") == 0 && config.integer("checkpoint.every_seconds") == 0) {
    fail(config, "parallel.rebalance_above", "has no effect without checkpoints while the run goes on",
         "add for example [checkpoint] every_seconds = 600");
  }
}

}  // namespace

void check_run(const Config& config) {
  check_measure(config);
  check_seeds(config);
  check_statistics(config);
  check_timeline(config);
  check_checkpoint(config);
  check_file(config, "parallel", "partition", "partition_path", "ranks.txt");
  check_weights(config);
  check_rebalancing(config);
}

}  // namespace weft::tools::checks
