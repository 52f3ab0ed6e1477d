// The loop of a run: steps the simulation, watches for deadlock, measures steady states, writes and resumes
// checkpoints.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/base/system/clock.hpp"
#include "models/core/layout.hpp"
#include "models/core/statistics.hpp"
#include "tools/run/checkpoint/checkpointing.hpp"
#include "tools/run/collect/link_watch.hpp"
#include "tools/run/collect/recorder.hpp"
#include "tools/run/context.hpp"
#include "tools/run/setup/congestion_control.hpp"
#include "tools/run/simulation.hpp"
#include "tools/run/watchdog.hpp"
#include "workloads/program/program.hpp"

namespace weft::tools {

class JobRestarts;
class Meetings;
class Resends;

/// How far a run has come in what is to be done, besides the simulated time: what a checkpoint must know of it.
struct RunStage {
  u64 step = 0;  ///< steady state: 0 warm-up, 1 settling, 2 batches; bursts: how many are over
  Tick at = 0;   ///< steady state: cycle at which the interval at hand began; bursts: tick at which the burst began
  bool inside = false;                       ///< in the middle of an interval or a burst
  models::Counters before, measured_before;  ///< counts at the begin of the interval at hand, of the measurement
};

/// A group of intervals of a run that finds its warm-up by itself: what the counts were when it began, and the
/// latencies of the packets delivered in it; of all ranks.
struct GroupCounts {
  std::array<u64, models::Counters::sums> before{};
  std::array<u64, models::LatencyHistogram::bins> histogram{};
  Tick latency_max = 0;
};

/// Runs a simulation on all ranks and fills in context.result. All members are collective. Larger than others: each way
/// to end a run measures, saves and goes on with the same state.
class RunLoop {
 public:
  /// What it is given must outlive it. `layout`: of the simulation.
  RunLoop(Context& context, Simulation& simulation, models::Layout& layout, const Clock& clock = machine_clock());

  [[nodiscard]] RunStage& stage() { return stage_; }
  /// All before it is done.
  [[nodiscard]] Tick now() const { return now_; }
  /// What statistics.timeline_links asks for; whole after `finish`.
  [[nodiscard]] const LinkWatch& watched_links() const { return watch_; }
  [[nodiscard]] Tick now_cycles() const { return now_ / cycle_ticks(); }

  /// Tasks meet on the way: see Meetings, which must outlive the loop. Call before anything runs.
  void meet_by(Meetings& meetings) { meetings_ = &meetings; }
  /// Packets that are lost are sent again: see Resends, which must outlive the loop. Likewise.
  void resend_by(Resends& resends) { resends_ = &resends; }
  /// Jobs fail with their nodes and restart: see JobRestarts, which must outlive the loop. Likewise.
  void restart_by(JobRestarts& restarts) { restarts_ = &restarts; }
  /// Progress is that of the recordings among these programs, which must outlive the loop, if there are any.
  void count_records(const std::vector<const workloads::Program*>& programs);
  /// Takes up the checkpoint that the run is to go on from, or starts the host. Then call `begin`.
  void resume_or_start();
  /// Call when everything is set up.
  void begin();
  /// Runs to `cycle`; false if no event is left before, and no host waits for congestion control. Throws StuckError on
  /// a deadlock in the network, and at simulation.max_cycles: both at a tick that does not depend on how the run is cut
  /// into stretches.
  bool run_to(Tick cycle);
  /// Tells the loop that events have been added between stretches, from now on.
  void add_events() { upcoming_ = now_; }
  /// After a stretch: the first cycle in which something happens.
  [[nodiscard]] Tick upcoming_cycles() const { return upcoming_ == never ? never : upcoming_ / cycle_ticks(); }
  /// Runs as long as there are events. Those of packets that are over within simulation.max_cycles may come later.
  void run_out();
  /// Warm-up, convergence, batches (TARGETS T1: throughput method); or what measure.method says instead.
  void measure_steady_state();
  /// Bursts one after the other: the next begins two cycles after the last packet of the one before was consumed (one
  /// cycle is lost in between, as in INSEE's shot mode).
  void run_bursts(u64 bursts);
  /// What is to be said of packets that were dropped because of faults; empty if none were.
  [[nodiscard]] std::string drops();
  /// Ends the loop: accounting, digest, engine counters. `stop_reason` as in the contract; `cycles`: simulated length.
  void finish(const std::string& stop_reason, Tick cycles);
  /// Tick after the last delivery anywhere, in cycles; call after run_out.
  [[nodiscard]] Tick completion_cycles();

 private:
  // run_loop.cpp
  bool run_network(Tick target);
  void apply_faults();
  void check_cut_off();
  [[nodiscard]] Tick next_fault() const;
  [[nodiscard]] bool repair_may_come() const;
  [[nodiscard]] bool waits_for_repair();
  [[nodiscard]] Tick next_restart() const;
  [[nodiscard]] bool waits_for_restart();
  [[nodiscard]] bool jobs_are_over();
  [[nodiscard]] Tick cycle_ticks() const { return context_.router.cycle_ticks; }
  [[nodiscard]] u64 global_max(u64 value);
  /// Counts of all ranks so far.
  [[nodiscard]] models::Counters totals();
  [[nodiscard]] Tick watchdog_ticks() const;
  [[nodiscard]] Watchdog::Seen seen() const;
  /// Whether a host of any rank waits to inject.
  [[nodiscard]] bool hosts_wait();
  /// The tick by which a run must be over, or (`to_the_end`) have no packet in flight.
  [[nodiscard]] Tick limit(bool to_the_end) const;
  /// Throws StuckError if a run that stands at the limit, or beyond, has not come to its end in time.
  void check_limit(bool to_the_end) const;
  [[nodiscard]] models::InFlight in_flight();
  void watch();
  void observe(double seconds);
  [[nodiscard]] std::string lately();
  void add_spent();
  [[noreturn]] void fail_at_limit() const;
  [[noreturn]] void deadlock(const std::string& why);

  // run_loop_measure.cpp
  void begin_batches();
  void measure_batches();
  IntervalRow interval(Tick length);
  void summarise(const models::Counters& all, const models::Counters& before, Tick cycles, Tick begin);
  [[nodiscard]] u64 generated_by_sources(Tick end);

  // run_loop_mser.cpp
  void measure_mser();
  void measure_group();
  void summarise_groups(u64 first);
  void put_groups(engine::ByteWriter& to);
  void get_groups(engine::ByteReader& from);

  // run_loop_checkpoint.cpp
  /// What the hosts of all local entities have to say, one record after the other.
  struct HostRecords {
    engine::ByteWriter bytes;
    std::vector<std::size_t> begin{0};  ///< of each record, and the end of the last
  };
  bool resume();
  void save();
  [[nodiscard]] CheckpointHeader header() const;
  [[nodiscard]] CheckpointShare share(HostRecords& hosts);
  void load_entities(CheckpointReader& file);
  void load_events(CheckpointReader& file);
  void put_run(engine::ByteWriter& to);
  void get_run(engine::ByteReader& from);
  [[nodiscard]] std::vector<u32> recent_work();
  void rebalance_if_needed(const std::vector<u32>& ids);
  /// Whether another loop has begun the run, before the routers were shared out anew.
  [[nodiscard]] bool goes_on() const { return context_.result.engine.rebalances != 0; }
  [[nodiscard]] bool may_rebalance() const;

  Context& context_;
  Simulation& simulation_;
  models::Layout& layout_;
  const Clock& clock_;
  Checkpointing checkpointing_;
  Watchdog watchdog_;
  CongestionControl control_;
  Recorder recorder_;
  LinkWatch watch_;
  RunStage stage_;
  std::vector<GroupCounts> groups_;  ///< measure.method = "mser"; the last one may be going on
  bool stop_wanted_ = false, save_wanted_ = false;
  std::vector<u32> work_before_;     ///< see recent_work; empty: all 0
  Tick now_ = 0;                     ///< all before this tick is done
  Tick upcoming_ = 0;                ///< nothing happens before, as far as is known
  Tick stretch_;                     ///< longest time to run without looking up: adapts to the speed of the machine
  Tick last_delivery_ = 0;           ///< on any rank
  Meetings* meetings_ = nullptr;     ///< where programs meet
  Resends* resends_ = nullptr;       ///< where lost packets are sent again
  JobRestarts* restarts_ = nullptr;  ///< where jobs restart
  std::vector<const workloads::Program*> recordings_;  ///< see count_records
  models::Counters total_;                             ///< of all ranks at the end of the last stretch
  models::Counters shown_;                             ///< those up to which `lately_` is
  Tick shown_at_ = 0;
  double shown_wall_ = 0;
  std::string lately_;  ///< what progress says of load and latency
  double loop_wall_ = 0, loop_cpu_ = 0, blocked_before_ = 0, exchange_before_ = 0;
  bool drained_ = false;
};

}  // namespace weft::tools
