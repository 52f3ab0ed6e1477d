// Rows of [measure], [parallel] and [checkpoint]: sampling in steady state, and how the run itself is carried out.
#include <algorithm>

#include "models/topology/topology.hpp"
#include "tools/run/config/settings.hpp"

namespace weft::tools::rows {

std::vector<Setting> measure() {
  constexpr i64 most_cycles = 1'000'000'000'000;
  const std::vector<std::string> steady = {"steady-state"}, published = {"published"}, mser = {"mser"};
  return {
      row::choice(
          "measure.method", "published", {"published", "mser"},
          "How the steady state is found. published: a warm-up, then intervals "
          "that agree, then the batches. mser: the warm-up that the run itself shows (MSER-5), longer and longer "
          "until the confidence intervals are as narrow as precision_fraction says.")
          .only_with("simulation.stop", steady),
      row::integer("measure.warmup_cycles", "cycles", 3000, {0, most_cycles}, "Cycles before convergence is looked at.")
          .only_with("simulation.stop", steady)
          .only_with("measure.method", published),
      row::integer("measure.interval_cycles", "cycles", 1000, {1, most_cycles},
                   "Length of the intervals whose accepted loads (mser: and latencies) tell where the steady state "
                   "begins.")
          .only_with("simulation.stop", steady),
      row::real("measure.tolerance_fraction", "", 0.05, {0.0, 1.0},
                "Intervals agree when their accepted loads differ by no more than this fraction.")
          .only_with("simulation.stop", steady)
          .only_with("measure.method", published),
      row::integer("measure.intervals", "intervals", 4, {1, 1000}, "Consecutive intervals that must agree.")
          .only_with("simulation.stop", steady)
          .only_with("measure.method", published),
      row::integer("measure.max_warmup_cycles", "cycles", 200'000, {0, most_cycles},
                   "Measure from here even if the intervals never agreed; the result says so.")
          .only_with("simulation.stop", steady)
          .only_with("measure.method", published),
      row::integer("measure.batches", "batches", 10, {1, 1'000'000}, "Samples taken in steady state.")
          .only_with("simulation.stop", steady),
      row::integer("measure.batch_cycles", "cycles", 1000, {1, most_cycles}, "Length of a sample.")
          .only_with("simulation.stop", steady)
          .only_with("measure.method", published),
      row::real("measure.precision_fraction", "", 0.02, {0.0001, 1.0},
                "mser: half the confidence intervals of accepted load and mean latency are to be no more than this "
                "fraction of them.")
          .only_with("simulation.stop", steady)
          .only_with("measure.method", mser),
      row::integer("measure.max_cycles", "cycles", 1'000'000, {1, most_cycles},
                   "mser: longest run; the result says if it did not converge by then.")
          .only_with("simulation.stop", steady)
          .only_with("measure.method", mser),
      row::integer(
          "measure.seeds", "runs", 1, {1, 10'000},
          "Runs with simulation.seed and the seeds after it, one after the other; figures are means over them, "
          "with deviation and confidence interval."),
      row::real(
          "measure.confidence_percent", "%", 95.0, {50.0, 99.9999},
          "Confidence of the intervals of means over batches or seeds, by Student's t; figures with ci95 in their "
          "names stay those of 95 %."),
  };
}

std::vector<Setting> parallel_and_checkpoint() {
  std::vector<std::string> partitions{"auto", "metis", "block", "round-robin", "file"};
  for (const std::string& kind : models::TopologyRegistry::instance().names()) {
    const std::string& own = models::TopologyRegistry::instance().find(kind)->partition;
    if (!own.empty() && std::ranges::find(partitions, own) == partitions.end()) partitions.push_back(own);
  }
  return {
      row::choice("parallel.protocol", "auto", {"auto", "sequential", "windowed", "null-message"},
                  "How ranks keep in step. auto: sequential on one rank, windowed on two, null-message on more."),
      row::choice("parallel.partition", "auto", partitions,
                  "How routers are shared out over ranks: meshes and tori in boxes, trees by subtrees, by graph "
                  "partitioning, in blocks of ids, in turn, or as partition_path says. auto: boxes or subtrees where "
                  "they come out even, blocks where there are no links, else metis."),
      row::path(
          "parallel.partition_path",
          "File with the rank of each router, a line each, relative to the config file; for partition = \"file\".")
          .only_with("parallel.partition", {"file"}),
      row::path(
          "parallel.weights",
          "Checkpoint of this network, relative to the config file: METIS then balances the work that routers had in "
          "it instead of their ports, and partition = \"auto\" takes METIS where boxes or subtrees would share that "
          "work out more than 2 % unevenly. A run that resumes takes the checkpoint it resumes from."),
      row::real(
          "parallel.rebalance_above", "", 0, {0, 1'000'000},
          "At a checkpoint, share the routers out anew if since the last one the busiest rank has sent more than so "
          "many times the mean, and METIS finds something better; e.g. 1.2. 0 = never."),
      row::boolean("parallel.check_memory", true,
                   "Refuse networks that need more memory than the machine, its cgroups or SLURM have left."),

      row::integer("checkpoint.every_seconds", "s", 0, {0, 1'000'000'000},
                   "Wall-clock time between checkpoints. 0 = only when SIGTERM or SIGUSR1 asks the run to stop."),
      row::integer("checkpoint.every_cycles", "cycles", 0, {0, 1'000'000'000'000},
                   "Simulated time between checkpoints, besides every_seconds. 0 = none for this reason."),
      row::text(
          "checkpoint.path", std::nullopt,
          "Checkpoint file, relative to the working directory. It is replaced only by a complete new one. Without this "
          "key it lies beside the result (--out result.h5: result.ckpt.h5), or is run.ckpt.h5 without one."),
  };
}

}  // namespace weft::tools::rows
