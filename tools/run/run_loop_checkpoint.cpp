// The members of RunLoop that write a checkpoint and take one up.
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/digest_sum.hpp"
#include "tools/run/collect/collect.hpp"
#include "tools/run/collect/fault_results.hpp"
#include "tools/run/job_restarts.hpp"
#include "tools/run/plugin/plugins.hpp"
#include "tools/run/run_loop.hpp"
#include "tools/run/setup/split.hpp"
#include "version.hpp"

namespace weft::tools {

void RunLoop::save() {
  const double begin_s = clock_.wall_s();
  HostRecords hosts;
  const CheckpointShare mine = share(hosts);
  bool written = false;
  try {
    EngineCounters& engine = context_.result.engine;
    engine.checkpoint_bytes = write_checkpoint(context_.checkpoint, header(), mine, context_.transport);
    const double spent_s = clock_.wall_s() - begin_s;
    engine.checkpoint_s += spent_s;
    ++engine.checkpoints;
    written = true;
    say_saved(context_, now_cycles(), context_.checkpoint.path, spent_s);
  } catch (const SystemError& error) {
    if (stop_wanted_)
      throw SystemError(fmt::format("stopped at cycle {} as asked by a signal, but {}", now_cycles(), error.what()));
    // A run that cannot be saved now may well come to its end.
    warn(context_, error.what());
  }
  checkpointing_.written(clock_.wall_s());
  if (stop_wanted_) {
    throw Stopped(
        fmt::format("stopped at cycle {0} as asked by a signal; the state is in '{1}': go on with --resume {1}",
                    now_cycles(), context_.checkpoint.path));
  }
  if (written) rebalance_if_needed(mine.ids);
}

CheckpointHeader RunLoop::header() const {
  CheckpointHeader header;
  header.version = version;
  header.config_hash = context_.config.hash();
  header.config_toml = context_.config.toml();
  header.plugins = plugin_text();
  header.tick = now_;
  header.inputs_hash = context_.inputs.hash();
  return header;
}

/// What this rank has to say. `hosts` is filled in and must outlive it.
CheckpointShare RunLoop::share(HostRecords& hosts) {
  CheckpointShare share;
  CheckpointColumn network{
      "network", {}, [this](std::size_t row, std::byte* to) { simulation_.save(static_cast<u32>(row), to); }};
  CheckpointColumn host{"host", {}, [&hosts](std::size_t row, std::byte* to) {
                          const std::size_t begin = hosts.begin[row];
                          std::memcpy(to, hosts.bytes.bytes().data() + begin, hosts.begin[row + 1] - begin);
                        }};
  for (u32 e = 0; e < layout_.entities(); ++e) {
    share.ids.push_back(simulation_.global_id(e));
    network.bytes.push_back(simulation_.state_bytes(e));
    if (simulation_.is_endpoint(e)) simulation_.save_host(e, hosts.bytes);
    const std::size_t end = hosts.bytes.bytes().size();
    host.bytes.push_back(static_cast<u32>(end - hosts.begin.back()));
    hosts.begin.push_back(end);
  }
  CheckpointColumn work{"work", std::vector<u32>(share.ids.size(), sizeof(u32)),
                        [this](std::size_t row, std::byte* to) {
                          const u32 packets = simulation_.work(static_cast<u32>(row));
                          std::memcpy(to, &packets, sizeof packets);
                        }};
  share.columns = {std::move(network), std::move(host), std::move(work)};
  share.events = simulation_.pending_events();
  share.event_bytes = simulation_.event_bytes();
  engine::ByteWriter run;
  put_run(run);
  if (context_.transport.rank() == 0) share.run = run.take();
  return share;
}

/// Packets that each entity has sent since this was last asked.
std::vector<u32> RunLoop::recent_work() {
  work_before_.resize(layout_.entities(), 0);
  std::vector<u32> recent(layout_.entities());
  for (u32 e = 0; e < recent.size(); ++e) {
    const u32 work = simulation_.work(e);
    recent[e] = work - std::exchange(work_before_[e], work);
  }
  return recent;
}

bool RunLoop::may_rebalance() const {
  return context_.config.real("parallel.rebalance_above") != 0 && context_.transport.size() > 1;
}

/// After a checkpoint of the entities `ids`: goes on from it with another partition if the load has moved; through
/// Rebalanced.
void RunLoop::rebalance_if_needed(const std::vector<u32>& ids) {
  if (!may_rebalance() || !rebalance(context_, ids, recent_work())) return;
  add_spent();
  context_.resume = context_.checkpoint.path;
  throw Rebalanced();
}

/// Takes up the checkpoint that the run is to go on from; false if there is none.
bool RunLoop::resume() {
  if (context_.resume.empty()) return false;
  const auto opened = CheckpointReader::open_by_all(context_.resume, context_.transport);
  CheckpointReader& file = *opened;
  check_belongs(file, context_.config, context_.inputs.hash());
  // Networks find their routes again by what was known then. Changes of the tick at hand are applied when the run goes
  // on.
  if (const Tick at = file.header().tick; context_.faults != nullptr && at > 0)
    static_cast<void>(context_.faults->advance(at - 1));
  simulation_.prepare_host();
  load_entities(file);
  const std::vector<std::byte> run = file.run();
  engine::ByteReader bytes(run);
  get_run(bytes);
  bytes.finish();
  if (now_ != file.header().tick) file.fail("its parts are of different ticks");
  load_events(file);
  file.verify(context_.transport);
  recorder_.go_on();  // all ranks have accepted the checkpoint
  if (may_rebalance()) static_cast<void>(recent_work());
  if (!goes_on()) context_.result.resumed_cycles = now_cycles();
  say_resumed(context_, now_cycles());
  return true;
}

void RunLoop::load_entities(CheckpointReader& file) {
  u64 loaded = 0;
  file.keep([this](u32 id) { return layout_.entity_of_global(id) != models::Layout::none; });
  file.each_record("network", [&](u32 id, std::span<const std::byte> record) {
    const u32 entity = layout_.entity_of_global(id);
    try {
      simulation_.load(entity, record);
    } catch (const InputError& error) {
      file.fail(error.what());
    }
    ++loaded;
  });
  if (loaded != layout_.entities()) file.fail(fmt::format("it holds {} of {} entities", loaded, layout_.entities()));
  file.each_record("host", [&](u32 id, std::span<const std::byte> record) {
    const u32 entity = layout_.entity_of_global(id);
    if (!simulation_.is_endpoint(entity)) return;
    engine::ByteReader bytes(record);
    simulation_.load_host(entity, bytes);
    bytes.finish();
  });
  file.each_record("work", [](u32, std::span<const std::byte>) {});  // the partition has seen it; here for the digest
}

void RunLoop::load_events(CheckpointReader& file) {
  const std::vector<u32> row_bytes = simulation_.event_bytes();
  for (u32 type = 0; type < row_bytes.size(); ++type) {
    file.each_event(type, row_bytes[type], [&](std::span<const std::byte> row) {
      Tick tick;
      std::memcpy(&tick, row.data(), sizeof tick);
      if (tick < now_) file.fail("an event lies before its time");
      return simulation_.schedule(type, row);
    });
  }
}

/// What belongs to no entity. Reduced over the ranks, so that any number of ranks can take it up.
void RunLoop::put_run(engine::ByteWriter& to) {
  to.put(now_);
  to.put(global_max(simulation_.now()));
  to.put(stage_.step);
  to.put(stage_.at);
  to.put(static_cast<u64>(stage_.inside));
  to.put(static_cast<u64>(control_.open()));
  to.put(control_.last_sample());
  to.put(stage_.before.words());
  to.put(stage_.measured_before.words());
  to.put(totals().words());
  models::Statistics& s = simulation_.statistics();
  auto histogram = s.histogram.counts();
  context_.transport.sum(histogram);
  to.put(histogram);
  to.put(global_max(s.latency_max));
  to.put(global_max(s.distance_max));
  to.put(global_max(s.last_delivery));
  to.put(global_max(s.last_reroute));
  to.put(first_of_ranks(context_, s.first_drop));
  std::vector<u64> dropped_of = s.dropped_of;
  dropped_of.resize(global_max(dropped_of.size()));
  context_.transport.sum(dropped_of);
  to.put_list(dropped_of);
  to.put_list(fault_costs(context_, s));
  to.put_list(std::vector<char>(s.transition_loop.begin(), s.transition_loop.end()));
  to.put(s.transition_at);
  const engine::Digest all = engine::sum_of_ranks(context_.transport, simulation_.digest());
  to.put(all.low());
  to.put(all.high());
  const RunResult& result = context_.result;
  to.put_list(result.intervals);
  to.put_list(result.batches);
  to.put_list(result.burst_cycles);
  if (context_.measure.mser) put_groups(to);
  if (restarts_ != nullptr) restarts_->put(to);
  recorder_.put(to);
  watch_.put(to);
}

void RunLoop::get_run(engine::ByteReader& from) {
  const bool first = context_.transport.rank() == 0;
  now_ = from.get<Tick>();
  simulation_.start_at(from.get<Tick>());
  stage_.step = from.get<u64>();
  stage_.at = from.get<Tick>();
  stage_.inside = from.get<u64>() != 0;
  const bool open = from.get<u64>() != 0;
  control_.restore(open, from.get<u64>());
  if (!open) simulation_.set_injection(false, now_);
  using Words = std::array<u64, models::Counters::sums>;
  stage_.before = models::Counters::from(from.get<Words>());
  stage_.measured_before = models::Counters::from(from.get<Words>());
  const auto counters = models::Counters::from(from.get<Words>());
  if (!goes_on()) context_.hops_before = counters.packet_hops;
  models::Statistics& s = simulation_.statistics();
  const auto histogram = from.get<std::array<u64, models::LatencyHistogram::bins>>();
  // What is summed over the ranks goes to one of them.
  if (first) {
    s.counters = counters;
    s.histogram.counts() = histogram;
  }
  s.latency_max = from.get<u64>();
  s.distance_max = static_cast<u32>(from.get<u64>());
  s.last_delivery = last_delivery_ = from.get<u64>();
  s.last_reroute = from.get<u64>();
  s.first_drop = from.get<models::FirstDrop>();
  std::vector<u64> dropped_of;
  from.get_list(dropped_of);
  if (first) s.dropped_of = dropped_of;
  std::vector<models::FaultCost> costs;
  from.get_list(costs);
  if (first) s.fault_costs = costs;
  std::vector<char> loop;
  from.get_list(loop);
  s.transition_loop.assign(loop.begin(), loop.end());
  s.transition_at = from.get<Tick>();
  const u64 low = from.get<u64>(), high = from.get<u64>();
  if (first) simulation_.digest().add_words(low, high);
  RunResult& result = context_.result;
  from.get_list(result.intervals);
  from.get_list(result.batches);
  from.get_list(result.burst_cycles);
  if (context_.measure.mser) get_groups(from);
  if (restarts_ != nullptr) restarts_->get(from);
  recorder_.get(from);
  watch_.get(from);
  total_ = totals();
}

}  // namespace weft::tools
