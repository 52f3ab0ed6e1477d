// What a run is built from, shared by the runs of all models: topology, settings, time scale, partition.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/transport.hpp"
#include "models/faults/live_faults.hpp"
#include "models/routing/settings.hpp"
#include "models/topology/attachment.hpp"
#include "models/topology/part_of.hpp"
#include "models/topology/topology.hpp"
#include "tools/result/run_result.hpp"
#include "tools/run/checkpoint/checkpoint_file.hpp"
#include "tools/run/checkpoint/run_inputs.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/progress.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/program/placement/policy.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
class ExternalTasks;
}  // namespace weft::workloads

namespace weft::tools {

/// How a steady state is found and measured; all lengths in cycles.
struct MeasurePlan {
  Tick warmup_cycles = 0, interval_cycles = 0, max_warmup_cycles = 0, batch_cycles = 0;
  double tolerance_fraction = 0;
  u32 intervals = 1, batches = 1;
  bool mser = false;  ///< warm-up found by MSER-5, up to max_cycles; else the published method
  Tick max_cycles = 0;
  double precision_fraction = 0, confidence_percent = 95;
};

/// One rank's share of the engine counters.
struct EngineShare {
  double wall_s = 0, cpu_s = 0, blocked_s = 0, exchange_s = 0;
  u64 rss_bytes = 0, rss_before = 0, events = 0, windows = 0, remote_messages = 0, routers = 0, cut_links = 0;
  u64 exchanges = 0, null_messages = 0;
};

/// Thrown on all ranks when a checkpoint was written and the routers have been shared out anew: the run is to go on
/// from there.
struct Rebalanced {};

/// Set-up common to all models of a run.
struct Context {
  const Config& config;
  engine::Transport& transport;
  Progress* progress;
  std::unique_ptr<models::Topology> topology;
  std::optional<models::Attachment> attachment;  ///< where the NICs of its nodes are
  models::RouterSettings router;
  std::unique_ptr<models::LiveFaults> faults;  ///< what fails and comes back during the run; null: nothing does
  TimeScale time;
  MeasurePlan measure;
  std::string stop;  ///< "cycles", "steady-state", "workload-complete"
  Tick stop_cycles = 0, max_cycles = 0, watchdog_cycles = 0;
  models::PartOf part_of;  ///< until the layout is made
  std::string protocol, partition;
  workloads::ExternalTasks* outside = nullptr;  ///< who else takes part, if anybody does
  std::string resume;                           ///< checkpoint to go on from, or empty
  std::string only_job;                         ///< of several jobs the one that runs, alone; or empty
  Tick only_job_start = 0;                      ///< tick at which that begins
  CheckpointPlace checkpoint;
  RunInputs inputs;
  bool counts_cells = false;  ///< the router's packets have any length: RouterKind::any_length
  u64 sources = 0;            ///< nodes that send synthetic traffic, on all ranks; 0 with other workloads
  /// Packets that unbounded sources on this rank's share of the nodes generate before a tick.
  std::function<u64(Tick)> generated_before;
  EngineShare spent;     ///< before the routers were shared out anew for the last time
  u64 hops_before = 0;   ///< packet-hops before the checkpoint that this process resumed first
  double started_s = 0;  ///< clock at the begin of set-up
  u64 rss_before = 0;
  RunResult result;

  Context(const Config& c, engine::Transport& t, Progress* p) : config(c), transport(t), progress(p) {}
  [[nodiscard]] double cycles(Tick ticks) const {
    return static_cast<double>(ticks) / static_cast<double>(time.ticks_per_cycle);
  }
  /// The file that a setting of record_keys asks this run to write; empty if none: each of several seeds has its own,
  /// and a job that runs alone, to be compared, writes none.
  [[nodiscard]] std::string record_path(const std::string& key) const;
};

/// Builds topology, settings and partition from the config.
void prepare(Context& context);
/// Before that, by all ranks: files of workloads are brought into forms that each rank can read its part of.
void prepare_workloads(const Config& config, engine::Transport& transport);

/// [workload] of a config, of the run's own or of a job, as programs are made from it.
[[nodiscard]] workloads::WorkloadSpec workload_spec(const Context& context, const Config& config);
/// What patterns of destinations know of the network.
[[nodiscard]] workloads::PatternSpec pattern_spec(const Context& context);
/// What placements by [placement] of a config know of the network.
[[nodiscard]] workloads::PlacementSpec placement_spec(const Context& context, const Config& config);
/// The nodes in the order in which tasks, or the processes of a pattern, fill them: placement.policy. Throws what
/// workloads::fill_order and from_file throw.
[[nodiscard]] std::vector<NodeId> fill_order(const Context& context);

}  // namespace weft::tools
