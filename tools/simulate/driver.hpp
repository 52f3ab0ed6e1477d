// Runs one model: steps the kernel, watches for deadlock, measures steady states, gathers what the ranks counted.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "engine/bytes.hpp"
#include "engine/error.hpp"
#include "models/network/network.hpp"
#include "tools/checkpoint/checkpointing.hpp"
#include "tools/checkpoint/stop_signal.hpp"
#include "tools/machine/machine.hpp"
#include "tools/simulate/collect.hpp"
#include "tools/simulate/context.hpp"
#include "tools/simulate/steady_state.hpp"
#include "tools/simulate/watchdog.hpp"

namespace weft::tools {

/// How far a run has come in what is to be done, besides the simulated time: what a checkpoint must know of it.
struct RunStage {
  u64 step = 0;  ///< steady state: 0 warm-up, 1 settling, 2 batches; bursts: how many are over
  Tick at = 0;   ///< steady state: cycle at which the interval at hand began; bursts: tick at which the burst began
  bool inside = false;                       ///< in the middle of an interval or a burst
  models::Counters before, measured_before;  ///< counts at the begin of the interval at hand, of the measurement
};

/// A network with its host on all ranks. All members are collective.
template <class Policy, class Host>
class Driver {
 public:
  using Net = models::Network<Policy, Host>;

  Driver(Context& context, Host& host, models::Layout& layout)
      : context_(context),
        host_(host),
        layout_(layout),
        net_(*context.topology, context.router, layout, host),
        kernel_(net_, context.transport, spec(context, layout)),
        checkpointing_(context.config, context.router.cycle_ticks),
        watchdog_(watchdog_ticks()) {
    net_.attach(kernel_);
    if (context.topology->nodes() <= max_counted_nodes) net_.count_endpoints();
  }

  [[nodiscard]] Net& net() { return net_; }
  [[nodiscard]] RunStage& stage() { return stage_; }
  /// Takes up the checkpoint that the run is to go on from; false if there is none. Call instead of starting the host.
  bool resume();
  [[nodiscard]] Tick now_cycles() const { return now_ / cycle_ticks(); }

  /// Call when everything is set up.
  void begin_loop() {
    if (!goes_on()) context_.result.engine.setup_s = wall_s() - context_.started_s;
    loop_wall_ = wall_s();
    loop_cpu_ = user_cpu_s();
    blocked_before_ = context_.transport.blocked_s();
    exchange_before_ = context_.transport.exchange_s();
  }

  /// Runs to `cycle`; false if no event is left before. Throws StuckError on a deadlock in the network, and at
  /// simulation.max_cycles: both at a tick that does not depend on how the run is cut into stretches.
  bool run_to(Tick cycle) {
    const Tick until = cycle == never ? never : cycle * cycle_ticks();
    const Tick limit = context_.max_cycles == 0 ? never : context_.max_cycles * cycle_ticks();
    while (now_ < until) {
      if (now_ >= limit) fail_at_limit();
      watch();
      const Tick stretch = until - now_ > segment_ ? now_ + segment_ : until;
      const Tick target = std::min({stretch, limit, checkpointing_.next_after(now_), watchdog_.due(seen())});
      const double begin = wall_s();
      const bool more = kernel_.run(target) == Net::Kernel::Outcome::reached;
      now_ = target;
      observe(wall_s() - begin);
      if (!more) {
        now_ = global_max(kernel_.now()) + 1;
        if (total_.generated != total_.delivered) deadlock("no event is left");
        return false;
      }
      if (save_wanted_ || stop_wanted_ || checkpointing_.due_at(now_)) save();
    }
    return true;
  }

  /// Runs as long as there are events.
  void run_out() {
    while (run_to(never)) {
    }
  }

  /// Warm-up, convergence, batches (TARGETS T1: throughput method).
  void measure_steady_state() {
    const MeasurePlan& plan = context_.measure;
    RunResult& result = context_.result;
    if (stage_.step == 0) {
      run_to(plan.warmup_cycles);
      stage_.at = plan.warmup_cycles;
      stage_.step = 1;
    }
    if (stage_.step == 1) {
      while (!settled(result.intervals, plan) && stage_.at < plan.max_warmup_cycles)
        result.intervals.push_back(interval(plan.interval_cycles));
      begin_batches();
    }
    if (!settled(result.intervals, plan)) {
      result.warnings.push_back(
          "the accepted load did not settle within measure.max_warmup_cycles; the batches were taken all the same");
    }
    measure_batches();
  }

  void begin_batches() {
    stage_.measured_before = totals();
    stage_.step = 2;
    net_.statistics().histogram = {};
    net_.statistics().latency_max = 0;
  }

  /// Measures the batches that are left.
  void measure_batches() {
    const MeasurePlan& plan = context_.measure;
    RunResult& result = context_.result;
    while (result.batches.size() < plan.batches) result.batches.push_back(interval(plan.batch_cycles));
    result.measured = true;
    result.load_accepted_stddev = accepted_stddev(result.batches);
    const Tick cycles = plan.batches * plan.batch_cycles;
    summarise(totals(), stage_.measured_before, cycles, (stage_.at - cycles) * cycle_ticks());
  }

  /// Counts of all ranks so far.
  [[nodiscard]] models::Counters totals() {
    auto words = net_.statistics().counters.words();
    context_.transport.sum(words);
    return models::Counters::from(words);
  }

  /// Ends the loop: accounting, digest, engine counters. `stop_reason` as in the contract; `cycles`: simulated length.
  void finish(const std::string& stop_reason, Tick cycles) {
    RunResult& result = context_.result;
    add_spent();
    result.engine.wall_s = context_.spent.wall_s;
    result.stop_reason = stop_reason;
    result.cycles = cycles;
    const models::Counters all = totals();
    if (!result.measured) summarise(all, {}, std::max<Tick>(cycles, 1), 0);
    collect_accounting(context_, all, under_way());
    collect_digest(context_, net_.digest());
    EngineShare& share = context_.spent;
    share.rss_bytes = resident_bytes();
    share.rss_before = context_.rss_before;
    share.routers = layout_.local_routers();
    share.cut_links = layout_.cut_links();
    models::Counters here = all;  // rates are of this process's part of the run
    here.packet_hops -= context_.hops_before;
    collect_engine(context_, share, here, kernel_.lookahead());
    if (!net_.injected_at().empty()) collect_endpoints(context_, layout_, net_.injected_at(), net_.delivered_at());
    if (all.generated == all.delivered && drained_) net_.check_drained();
  }

  /// Tick after the last delivery anywhere, in cycles; call after run_out.
  [[nodiscard]] Tick completion_cycles() {
    drained_ = true;
    return (global_max(net_.statistics().last_delivery) + cycle_ticks()) / cycle_ticks();
  }
  /// Tick at which the kernel stands when it has run out, on all ranks alike.
  [[nodiscard]] Tick drained_tick() { return global_max(kernel_.now()); }

 private:
  static constexpr u32 max_counted_nodes = 65536;

  static engine::KernelSpec spec(const Context& context, const models::Layout& layout) {
    engine::KernelSpec spec = layout.kernel_spec();
    const models::RouterSettings& r = context.router;
    spec.lookahead = r.link_ticks;
    if (context.protocol == "null-message") spec.protocol = engine::Protocol::null_message;
    // Releases, arrivals and credits fit in; packet gaps of sources mostly do. Longer waits go to the heap.
    const Tick reach = r.packet_ticks + r.link_ticks + r.switch_ticks + 2;
    spec.horizon = std::min<Tick>(std::max<Tick>(reach, 512), 65536);
    return spec;
  }
  [[nodiscard]] Tick cycle_ticks() const { return context_.router.cycle_ticks; }

  [[nodiscard]] u64 global_max(u64 value) {
    context_.transport.max({&value, 1});
    return value;
  }

  [[nodiscard]] Tick watchdog_ticks() const {
    const models::RouterSettings& r = context_.router;
    const Tick journey = context_.topology->diameter() * (r.link_ticks + r.switch_ticks) + 4 * r.packet_ticks;
    return std::max(context_.watchdog_cycles * cycle_ticks(), 4 * journey);
  }

  /// Runs `length` cycles from the stage's cycle on and measures them.
  IntervalRow interval(Tick length) {
    const Tick begin = stage_.at, end = begin + length;
    if (!stage_.inside) stage_.before = totals();
    stage_.inside = true;
    run_to(end);
    stage_.inside = false;
    stage_.at = end;
    const models::Counters c = totals() - stage_.before;
    const double node_cycles = static_cast<double>(context_.topology->nodes()) * static_cast<double>(end - begin);
    IntervalRow row;
    row.begin = begin;
    row.end = end;
    row.injected_load = static_cast<double>(c.injected) * context_.router.packet_phits / node_cycles;
    row.accepted_load = static_cast<double>(c.delivered) * context_.router.packet_phits / node_cycles;
    row.latency_mean = c.delivered == 0 ? 0 : context_.cycles(c.latency) / static_cast<double>(c.delivered);
    row.delivered_packets = c.delivered;
    return row;
  }

  [[nodiscard]] Watchdog::Seen seen() const {
    return {now_, total_.generated == total_.delivered, kernel_.upcoming(), last_delivery_};
  }

  /// Packets under way on all ranks.
  [[nodiscard]] models::UnderWay under_way() {
    const models::UnderWay mine = net_.under_way(now_);
    u64 sums[2] = {mine.queued, mine.network};
    context_.transport.sum(sums);
    return {sums[0], sums[1], global_max(mine.oldest_age)};
  }

  /// Throws StuckError if packets have been under way for too long without a delivery.
  void watch() {
    if (!watchdog_.expired(seen())) return;
    watchdog_.learn(now_ - under_way().oldest_age);
    if (!watchdog_.expired(seen())) return;
    deadlock("no packet was delivered for " + std::to_string(watchdog_.waited(seen()) / cycle_ticks()) + " cycles");
  }

  [[noreturn]] void fail_at_limit() const {
    throw StuckError("simulation.max_cycles = " + std::to_string(context_.max_cycles) +
                     " is over before the run is done (" + context_.stop + "); raise it or set it to 0");
  }

  /// After a segment: shows progress, learns what the ranks know, adapts the segment's length to about 0.2 s.
  void observe(double seconds) {
    total_ = totals();
    const bool first = context_.transport.rank() == 0;
    u64 agreed[4] = {static_cast<u64>(seconds * 1e6), stop_signalled() ? 1U : 0U,
                     first && checkpointing_.time_is_over() ? 1U : 0U, net_.statistics().last_delivery};
    context_.transport.max(agreed);
    const u64 microseconds = agreed[0];
    stop_wanted_ = agreed[1] != 0;
    save_wanted_ = agreed[2] != 0;
    last_delivery_ = agreed[3];
    if (microseconds < 100000 && segment_ < (Tick{1} << 60)) segment_ *= 2;
    if (microseconds > 400000 && segment_ > 64 * cycle_ticks()) segment_ /= 2;
    if (context_.progress != nullptr && context_.transport.rank() == 0) {
      context_.progress->update(context_.cycles(std::min(now_, kernel_.now() + 1)),
                                kernel_.counters().events * context_.transport.size(),
                                std::to_string(total_.delivered) + " packets delivered");
    }
  }

  /// Adds what this driver's loop has cost to that of the run.
  void add_spent() {
    EngineShare& s = context_.spent;
    const engine::KernelCounters& k = kernel_.counters();
    s.wall_s += wall_s() - loop_wall_;
    s.cpu_s += user_cpu_s() - loop_cpu_;
    s.blocked_s += context_.transport.blocked_s() - blocked_before_;
    s.exchange_s += context_.transport.exchange_s() - exchange_before_;
    s.events += k.events;
    s.windows += k.windows;
    s.exchanges += k.exchanges;
    s.remote_messages += k.remote_messages;
    s.null_messages += k.null_messages;
  }

  /// Whether another driver has begun the run, before the routers were shared out anew.
  [[nodiscard]] bool goes_on() const { return context_.result.engine.rebalances != 0; }
  [[nodiscard]] bool may_rebalance() const {
    return context_.config.real("parallel.rebalance_above") != 0 && context_.transport.size() > 1;
  }

  void save();
  [[nodiscard]] std::vector<u32> recent_work();
  void rebalance_if_needed(const std::vector<u32>& ids);
  void put_run(engine::ByteWriter& to);
  void get_run(engine::ByteReader& from);
  /// The events of a type in global terms: tick, then the event with its entity's number in the whole network.
  template <class Event>
  static constexpr u32 event_bytes = sizeof(Tick) + sizeof(Event);

  [[noreturn]] void deadlock(const std::string& why) {
    report_deadlock(context_, net_.blocked(), total_.generated - total_.delivered, now_cycles(), why);
  }

  /// Loads, latency and distance over `cycles` cycles from tick `begin`, from the counts of the run now and then.
  void summarise(const models::Counters& all, const models::Counters& before, Tick cycles, Tick begin) {
    Measured measured;
    measured.counts = all - before;
    measured.cycles = static_cast<double>(cycles);
    measured.time_in_network = all.time_in_network(now_) - before.time_in_network(begin);
    const u64 highest[2] = {global_max(net_.statistics().latency_max), global_max(net_.statistics().distance_max)};
    auto counts = net_.statistics().histogram.counts();
    context_.transport.sum(counts);
    measured.histogram = counts;
    measured.latency_max = highest[0];
    measured.distance_max = static_cast<u32>(highest[1]);
    const LoadScale scale{context_.topology->nodes(), context_.router.packet_phits, context_.time.ticks_per_cycle};
    summarise_counts(context_.result, measured, scale);
  }

  Context& context_;
  Host& host_;
  models::Layout& layout_;
  Net net_;
  typename Net::Kernel kernel_;
  Checkpointing checkpointing_;
  Watchdog watchdog_;
  RunStage stage_;
  bool stop_wanted_ = false, save_wanted_ = false;
  std::vector<u32> work_before_;  ///< see recent_work; empty: all 0
  Tick now_ = 0, segment_ = 256, last_delivery_ = 0;
  models::Counters total_;
  double loop_wall_ = 0, loop_cpu_ = 0, blocked_before_ = 0, exchange_before_ = 0;
  bool drained_ = false;
};

}  // namespace weft::tools

#include "tools/simulate/driver_checkpoint.hpp"
