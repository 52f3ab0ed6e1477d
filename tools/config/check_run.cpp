// Measuring, statistics, checkpoints, ranks: one function per subject.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "tools/config/check.hpp"
#include "tools/config/resolve.hpp"

namespace weft::tools::checks {
namespace {

void check_measure(const Config& config) {
  const i64 warmup = config.integer("measure.warmup_cycles");
  if (config.integer("measure.max_warmup_cycles") < warmup) {
    fail(config, "measure.max_warmup_cycles", "is less than " + setting_text(config, "measure.warmup_cycles"),
         fmt::format("the nearest valid value is {}", warmup));
  }
}

/// Keys of one method change nothing in the other.
void check_measure_method(const Config& config) {
  const bool mser = config.text("measure.method") == "mser";
  const std::vector<std::string> published_keys{"warmup_cycles", "tolerance_fraction", "intervals", "max_warmup_cycles",
                                                "batch_cycles"};
  const std::vector<std::string> mser_keys{"precision_fraction", "max_cycles"};
  for (const std::string& name : mser ? published_keys : mser_keys) {
    if (!config.given("measure." + name)) continue;
    fail(config, "measure." + name, fmt::format("has no meaning for {}", setting_text(config, "measure.method")),
         fmt::format("remove it, or use method = \"{}\"", mser ? "published" : "mser"));
  }
  if (!mser) return;
  if (resolved_stop(config) != "steady-state") {
    fail(config, "measure.method", "has no effect on a run that looks for no steady state",
         "use synthetic traffic without simulation.cycles, or remove it");
  }
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

void check_statistics(const Config& config) {
  if (config.given("statistics.events") && config.text("statistics.events").empty()) {
    fail(config, "statistics.events", "is empty", "name a file, e.g. \"events.txt\"");
  }
  if (config.given("statistics.event_nodes") && !config.given("statistics.events")) {
    fail(config, "statistics.event_nodes", "has no effect (statistics.events is not given)",
         "add for example events = \"events.txt\"");
  }
}

void check_checkpoint(const Config& config) {
  if (config.given("checkpoint.path") && config.text("checkpoint.path").empty()) {
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
  check_measure_method(config);
  check_seeds(config);
  check_statistics(config);
  check_checkpoint(config);
  check_file(config, "parallel", "partition", "partition_path", "ranks.txt");
  check_weights(config);
  check_rebalancing(config);
}

}  // namespace weft::tools::checks
