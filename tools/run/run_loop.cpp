// Stretches, watchdog and the end of a run; see the header.
#include "tools/run/run_loop.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/stop_look.hpp"
#include "models/routing/longest_idle_time.hpp"
#include "tools/run/checkpoint/stop_signal.hpp"
#include "tools/run/collect/collect.hpp"
#include "tools/run/collect/fault_results.hpp"
#include "tools/run/collect/summarise.hpp"
#include "tools/run/job_restarts.hpp"
#include "tools/run/meetings.hpp"
#include "tools/run/resends.hpp"
#include "tools/run/setup/gcc_threshold.hpp"
#include "workloads/program/external/external_tasks.hpp"

namespace weft::tools {

namespace {

/// Cycles that take far less than half a second, by the size of the network: a run does not know its speed yet.
Tick short_cycles(const models::Topology& topology) {
  constexpr Tick cycles_of_a_node = Tick{1} << 21;
  return std::max<Tick>(1, cycles_of_a_node / std::max(1U, topology.nodes()));
}
constexpr Tick first_ticks = 256, least_cycles = 64;

}  // namespace

RunLoop::RunLoop(Context& context, Simulation& simulation, models::Layout& layout, const Clock& clock)
    : context_(context),
      simulation_(simulation),
      layout_(layout),
      clock_(clock),
      checkpointing_(context.config, context.router.cycle_ticks, clock.wall_s()),
      watchdog_(watchdog_ticks()),
      control_(gcc_threshold(context.config, *context.topology, context.router),
               static_cast<Tick>(context.config.integer("congestion.gcc_period_cycles")) * context.router.cycle_ticks),
      recorder_(context, simulation, layout),
      watch_(context, simulation),
      stretch_(std::min(first_ticks, short_cycles(*context.topology) * context.router.cycle_ticks)) {}

void RunLoop::resume_or_start() {
  if (resume()) return;
  recorder_.start();
  simulation_.start_host();
}

void RunLoop::begin() {
  engine::set_stop_question(nullptr);  // from now on there is a state to be saved
  if (!goes_on()) context_.result.engine.setup_s = clock_.wall_s() - context_.started_s;
  loop_wall_ = clock_.wall_s();
  loop_cpu_ = clock_.user_cpu_s();
  blocked_before_ = context_.transport.blocked_s();
  exchange_before_ = context_.transport.exchange_s();
}

bool RunLoop::run_to(Tick cycle) {
  const bool to_the_end = cycle == never;
  const Tick until = to_the_end ? never : cycle * cycle_ticks(), last = limit(to_the_end);
  workloads::ExternalTasks* const outside = context_.outside;
  while (now_ < until) {
    if (now_ >= last) check_limit(to_the_end);
    apply_faults();
    if (jobs_are_over()) {
      now_ = global_max(simulation_.now()) + 1;
      return false;
    }
    if (outside != nullptr && now_ >= outside->due()) {
      outside->exchange(now_);
      upcoming_ = now_;
    }
    watch();
    const Tick end = until - now_ > stretch_ ? now_ + stretch_ : until;
    const Tick look = now_ < last ? last : engine::later_by(std::max(now_, upcoming_), 1);
    const Tick target =
        std::min({end, look, checkpointing_.next_after(now_), recorder_.next_after(now_), watch_.next_after(now_),
                  watchdog_.due(seen()), control_.next_after(now_, upcoming_, total_.in_network()),
                  outside == nullptr ? never : outside->due(), next_fault(), next_restart()});
    const double begin = clock_.wall_s();
    const bool over =
        !run_network(target) && (control_.open() || !hosts_wait()) && !waits_for_repair() && !waits_for_restart();
    // A run that is over ends behind its last event, however it was cut.
    now_ = over ? global_max(simulation_.now()) + 1 : target;
    observe(clock_.wall_s() - begin);
    if (control_.due_at(now_) && control_.sample(total_.in_network())) {
      simulation_.set_injection(control_.open(), now_);
      upcoming_ = now_;
    }
    check_cut_off();
    recorder_.stopped(now_, total_);
    watch_.stopped(now_);
    if (over) {
      if (total_.generated != total_.gone()) deadlock("no event is left");
      return false;
    }
    if (save_wanted_ || stop_wanted_ || checkpointing_.due_at(now_)) save();
  }
  return true;
}

/// Parts that fail or come back now.
void RunLoop::apply_faults() {
  const bool any = context_.faults != nullptr && context_.faults->advance(now_);
  if (any) {
    simulation_.faults_changed(now_);
    upcoming_ = now_;
  }
  if (restarts_ != nullptr && restarts_->apply(now_, simulation_, any)) upcoming_ = now_;
}

Tick RunLoop::next_restart() const { return restarts_ == nullptr ? never : restarts_->next_after(now_); }

/// Whether a job goes on later though there is no event; the next thing that happens is that, then, or a repair.
bool RunLoop::waits_for_restart() {
  if (restarts_ == nullptr || !restarts_->any_stands()) return false;
  upcoming_ = std::min(next_restart(), next_fault());
  return true;
}

/// Whether only events are left that jobs had scheduled before they failed.
bool RunLoop::jobs_are_over() {
  return restarts_ != nullptr && restarts_->all_over() && total_.generated == total_.gone();
}

/// faults.cut_off = "stop": no packet may be without a path.
void RunLoop::check_cut_off() {
  if (context_.faults == nullptr || context_.faults->cut_off() != models::CutOff::stop) return;
  if (total_.dropped == total_.dropped_in_failures + total_.dropped_at_full_nic + total_.dropped_at_head) return;
  const models::FirstDrop first = first_of_ranks(context_, simulation_.statistics().first_drop);
  const std::string why = first.tick == never ? "" : "; " + cut_off_text(context_, first.from, first.to, first.tick);
  throw StuckError(drops() + why + " (faults.cut_off = \"stop\")");
}

Tick RunLoop::next_fault() const { return context_.faults == nullptr ? never : context_.faults->next_after(now_); }

/// Whether packets that are cut off may wait for something that is still to happen.
bool RunLoop::repair_may_come() const {
  if (context_.faults == nullptr || next_fault() == never) return false;
  return context_.faults->sweep_due() ||
         (context_.faults->cut_off() == models::CutOff::wait && context_.faults->damaged());
}

/// Whether packets do so though there is no event; the next thing that happens is that, then.
bool RunLoop::waits_for_repair() {
  if (!repair_may_come()) return false;
  const models::Counters all = totals();
  if (all.generated == all.gone()) return false;
  upcoming_ = next_fault();
  return true;
}

/// Runs the network up to `target`, and sets when the next event is; false if there is none left. Ranks tell each other
/// of tasks that meet, and of packets that were lost, as often as none of it can have had to be known before.
bool RunLoop::run_network(Tick target) {
  if (meetings_ == nullptr && resends_ == nullptr) {
    const bool more = simulation_.run(target);
    upcoming_ = simulation_.upcoming();
    return more;
  }
  const Tick step = std::min(meetings_ == nullptr ? never : meetings_->least_ticks(),
                             resends_ == nullptr ? never : resends_->least_ticks());
  for (Tick at = now_; at < target;) {
    at = std::min(target, engine::later_by(std::max(at, upcoming_), step));
    static_cast<void>(simulation_.run(at));
    upcoming_ = simulation_.upcoming();
    if (meetings_ != nullptr) upcoming_ = std::min(upcoming_, meetings_->exchange());
    if (resends_ != nullptr) upcoming_ = std::min(upcoming_, resends_->exchange());
    if (upcoming_ == never) return false;
  }
  return true;
}

void RunLoop::run_out() {
  while (run_to(never)) {
  }
}

void RunLoop::run_bursts(u64 bursts) {
  while (stage_.step < bursts) {  // step: bursts that are over; at: tick at which the one at hand began
    if (!stage_.inside) simulation_.start_burst(stage_.at);
    upcoming_ = now_;
    stage_.inside = true;
    run_out();
    // All packets of a burst may have been dropped: it is over when it begins then.
    const Tick end = std::max(completion_cycles(), stage_.at / cycle_ticks());
    context_.result.burst_cycles.push_back(static_cast<double>(end - stage_.at / cycle_ticks()));
    stage_.at = std::max((end + 1) * cycle_ticks(), global_max(simulation_.now()) + cycle_ticks());
    stage_.inside = false;
    ++stage_.step;
  }
}

void RunLoop::finish(const std::string& stop_reason, Tick cycles) {
  RunResult& result = context_.result;
  if (context_.max_cycles != 0 && cycles > context_.max_cycles) fail_at_limit();
  add_spent();
  result.engine.wall_s = context_.spent.wall_s;
  result.stop_reason = stop_reason;
  result.cycles = cycles;
  const models::Counters all = totals();
  if (!result.measured) summarise(all, {}, std::max<Tick>(cycles, 1), 0);
  recorder_.finish(all, cycles);
  watch_.stopped(now_, true);
  collect_accounting(context_, all, in_flight());
  if (context_.generated_before)
    result.packets_at_sources = generated_by_sources(cycles * cycle_ticks()) - all.generated;
  if (const std::string lost = drops(); !lost.empty()) context_.result.warnings.push_back(lost);
  collect_faults(context_, simulation_.statistics(), cycles * cycle_ticks());
  collect_digest(context_, simulation_.digest());
  EngineShare& share = context_.spent;
  share.rss_bytes = resident_bytes() / context_.transport.threads();
  share.rss_before = context_.rss_before;
  share.routers = layout_.local_routers();
  share.cut_links = layout_.cut_links();
  models::Counters here = all;  // rates are of this process's part of the run
  here.packet_hops -= context_.hops_before;
  collect_engine(context_, share, here, simulation_.lookahead());
  if (!simulation_.injected_at().empty())
    collect_endpoints(context_, layout_, simulation_.injected_at(), simulation_.delivered_at());
  if (all.generated == all.gone() && drained_) simulation_.check_drained();
}

std::string RunLoop::drops() {
  return drops_text(context_, totals(), first_of_ranks(context_, simulation_.statistics().first_drop));
}

Tick RunLoop::completion_cycles() {
  drained_ = true;
  return (global_max(simulation_.statistics().last_delivery) + cycle_ticks()) / cycle_ticks();
}

u64 RunLoop::global_max(u64 value) {
  context_.transport.max({&value, 1});
  return value;
}

models::Counters RunLoop::totals() {
  auto words = simulation_.statistics().counters.words();
  context_.transport.sum(words);
  return models::Counters::from(words);
}

Tick RunLoop::watchdog_ticks() const {
  if (context_.topology->joins_all()) return never;  // what is in flight arrives, however long it takes
  return std::max(context_.watchdog_cycles * cycle_ticks(),
                  4 * models::longest_idle_time(*context_.topology, context_.router));
}

Watchdog::Seen RunLoop::seen() const {
  // Who waits for a repair is not stuck.
  return {now_, total_.generated == total_.gone() || repair_may_come(), upcoming_, last_delivery_};
}

bool RunLoop::hosts_wait() { return global_max(simulation_.hosts_wait() ? 1 : 0) != 0; }

/// Packets in flight on all ranks.
models::InFlight RunLoop::in_flight() {
  const models::InFlight mine = simulation_.in_flight(now_);
  u64 sums[2] = {mine.queued, mine.network};
  context_.transport.sum(sums);
  return {sums[0], sums[1], global_max(mine.oldest_age)};
}

/// Throws StuckError if packets have been in flight for too long without a delivery.
void RunLoop::watch() {
  if (!watchdog_.expired(seen())) return;
  watchdog_.learn(now_ - in_flight().oldest_age);
  if (!watchdog_.expired(seen())) return;
  const Tick bound = watchdog_ticks() / cycle_ticks();
  deadlock(fmt::format("no packet was delivered for {} cycles, longer than simulation.watchdog_cycles = {}{}",
                       watchdog_.waited(seen()) / cycle_ticks(), context_.watchdog_cycles,
                       bound > context_.watchdog_cycles ? fmt::format(" and any legal wait, {} cycles", bound) : ""));
}

Tick RunLoop::limit(bool to_the_end) const {
  if (context_.max_cycles == 0) return never;
  // What happens in the last cycle is known when it is over.
  return (context_.max_cycles + (to_the_end ? 1 : 0)) * cycle_ticks();
}

void RunLoop::check_limit(bool to_the_end) const {
  const bool in_time = total_.generated == total_.gone() && last_delivery_ < context_.max_cycles * cycle_ticks();
  if (!to_the_end || !in_time) fail_at_limit();
}

void RunLoop::fail_at_limit() const {
  throw StuckError(
      fmt::format("simulation.max_cycles = {} is over before the run is done ({}); raise it or set it to 0",
                  context_.max_cycles, context_.stop));
}

void RunLoop::deadlock(const std::string& why) {
  const models::Statistics& mine = simulation_.statistics();
  const std::string changed =
      mine.transition_loop.empty()
          ? ""
          : fmt::format("; the routes that were made in cycle {} and those before can close a cycle together",
                        context_.cycles(mine.transition_at));
  report_deadlock(context_, simulation_.blocked(), total_.generated - total_.gone(), now_cycles(), why + changed);
}

/// After a stretch: shows progress, learns what the ranks know, adapts the stretch's length to about 0.2 s.
void RunLoop::observe(double seconds) {
  total_ = totals();
  const bool first = context_.transport.rank() == 0;
  u64 agreed[4] = {static_cast<u64>(seconds * 1e6), stop_signalled() ? 1U : 0U,
                   first && checkpointing_.time_is_over(clock_.wall_s()) ? 1U : 0U,
                   simulation_.statistics().last_delivery};
  context_.transport.max(agreed);
  const u64 microseconds = agreed[0];
  stop_wanted_ = agreed[1] != 0;
  save_wanted_ = agreed[2] != 0;
  last_delivery_ = agreed[3];
  if (microseconds < 100000 && stretch_ < (Tick{1} << 60)) stretch_ *= 2;
  const Tick least = std::min(least_cycles, short_cycles(*context_.topology)) * cycle_ticks();
  if (microseconds > 400000 && stretch_ > least) stretch_ /= 2;
  u64 records = 0;
  for (const workloads::Program* const program : recordings_) records += program->records().done;
  if (!recordings_.empty()) context_.transport.sum({&records, 1});
  if (context_.progress == nullptr || !first) return;
  const double cycles = context_.cycles(std::min(now_, simulation_.now() + 1));
  const u64 events = simulation_.kernel_counters().events * context_.transport.size();
  const std::string delivered = fmt::format("{}{} packets delivered", lately(), total_.delivered);
  if (recordings_.empty()) {
    context_.progress->update(cycles, events, delivered);
  } else {
    context_.progress->update(static_cast<double>(records), events,
                              fmt::format("{} cycles, {}", with_prefix(cycles), delivered));
  }
}

/// Load in phits/node/cycle and latency of the last second or more: "load 0.42, latency 38 cycles, ".
std::string RunLoop::lately() {
  constexpr double least_s = 1;
  const models::Counters recent = total_ - shown_;
  if (recent.delivered == 0 || now_ <= shown_at_ || clock_.wall_s() - shown_wall_ < least_s) return lately_;
  const LoadScale scale = load_scale(context_);
  const double load = scale.delivered(recent) / (context_.cycles(now_ - shown_at_) * scale.nodes);
  const double latency = context_.cycles(recent.latency) / static_cast<double>(recent.delivered);
  shown_ = total_;
  shown_at_ = now_;
  shown_wall_ = clock_.wall_s();
  return lately_ = fmt::format("load {:.3g}, latency {:.4g} cycles, ", load, latency);
}

void RunLoop::count_records(const std::vector<const workloads::Program*>& programs) {
  if (context_.stop == "cycles" || context_.stop == "steady-state") return;
  u64 all = 0;
  for (const workloads::Program* const program : programs) {
    const u64 records = program->records().all;
    if (records == 0) continue;
    all += records;
    recordings_.push_back(program);
  }
  if (all > 0 && context_.progress != nullptr && context_.transport.rank() == 0)
    context_.progress->count(static_cast<double>(all), "records");
}

/// Adds what this loop has cost to that of the run.
void RunLoop::add_spent() {
  EngineShare& s = context_.spent;
  const engine::KernelCounters& k = simulation_.kernel_counters();
  s.wall_s += clock_.wall_s() - loop_wall_;
  s.cpu_s += clock_.user_cpu_s() - loop_cpu_;
  s.blocked_s += context_.transport.blocked_s() - blocked_before_;
  s.exchange_s += context_.transport.exchange_s() - exchange_before_;
  s.events += k.events;
  s.windows += k.windows;
  s.exchanges += k.exchanges;
  s.remote_messages += k.remote_messages;
  s.null_messages += k.null_messages;
}

}  // namespace weft::tools
