// The members of Driver that write a checkpoint and take one up.
#pragma once

#include <fmt/format.h>
#include <utility>

#include "engine/digest_sum.hpp"
#include "tools/simulate/driver.hpp"
#include "tools/simulate/split.hpp"
#include "version.hpp"

namespace weft::tools {

namespace detail {
/// Place of an event type in the kernel's list.
template <class Event, class... Others>
constexpr u32 event_index(engine::EventTypes<Others...>) {
  u32 at = 0, found = 0;
  ((std::is_same_v<Event, Others> ? found = at++ : at++), ...);
  return found;
}
/// Calls f.template operator()<Event>(index) for every type.
template <class F, class... Event>
void for_event_types(engine::EventTypes<Event...>, F&& f) {
  u32 at = 0;
  (f.template operator()<Event>(at++), ...);
}
}  // namespace detail

template <class Policy, class Host>
void Driver<Policy, Host>::save() {
  const double begin_s = wall_s();
  CheckpointHeader header;
  header.version = version;
  header.config_hash = context_.config.hash();
  header.config_toml = context_.config.toml();
  header.tick = now_;
  header.inputs_hash = context_.inputs.hash();
  CheckpointShare share;
  CheckpointColumn blocks{
      "network", {}, [this](std::size_t row, std::byte* to) { net_.save(static_cast<u32>(row), to); }};
  std::vector<std::size_t> begin{0};  // of each record in `hosts`, and the end of the last
  engine::ByteWriter hosts;
  CheckpointColumn host{"host", {}, {}};
  for (u32 e = 0; e < layout_.entities(); ++e) {
    share.ids.push_back(net_.global_id(e));
    blocks.bytes.push_back(net_.state_bytes(e));
    if (net_.is_endpoint(e)) host_.save(e, hosts);
    host.bytes.push_back(static_cast<u32>(hosts.bytes().size() - begin.back()));
    begin.push_back(hosts.bytes().size());
  }
  host.fill = [&](std::size_t row, std::byte* to) {
    std::memcpy(to, hosts.bytes().data() + begin[row], begin[row + 1] - begin[row]);
  };
  CheckpointColumn work{"work", std::vector<u32>(share.ids.size(), sizeof(u32)),
                        [this](std::size_t row, std::byte* to) {
                          const u32 packets = net_.work(static_cast<u32>(row));
                          std::memcpy(to, &packets, sizeof packets);
                        }};
  share.columns = {blocks, host, work};
  using Events = typename Net::Events;
  detail::for_event_types(Events{}, [&]<class Event>(u32) {
    share.events.emplace_back();
    share.event_bytes.push_back(event_bytes<Event>);
  });
  kernel_.for_each_pending([&]<class Event>(Tick tick, const Event& event) {
    std::vector<std::byte>& rows = share.events[detail::event_index<Event>(Events{})];
    Event global = event;
    global.entity = net_.global_id(event.entity);
    const std::size_t at = rows.size();
    rows.resize(at + event_bytes<Event>);
    std::memcpy(rows.data() + at, &tick, sizeof tick);
    std::memcpy(rows.data() + at + sizeof tick, &global, sizeof global);
  });
  engine::ByteWriter run;
  put_run(run);
  if (context_.transport.rank() == 0) share.run = run.take();
  bool written = false;
  try {
    EngineCounters& engine = context_.result.engine;
    engine.checkpoint_bytes = write_checkpoint(context_.checkpoint, header, share, context_.transport);
    engine.checkpoint_s += wall_s() - begin_s;
    ++engine.checkpoints;
    written = true;
    say_saved(context_, now_cycles(), context_.checkpoint.path, wall_s() - begin_s);
  } catch (const SystemError& error) {
    if (stop_wanted_)
      throw SystemError(fmt::format("stopped at cycle {} as asked by a signal, but {}", now_cycles(), error.what()));
    // A run that cannot be saved now may well come to its end.
    warn(context_, error.what());
  }
  checkpointing_.written();
  if (stop_wanted_) {
    throw Stopped(
        fmt::format("stopped at cycle {0} as asked by a signal; the state is in '{1}': go on with --resume {1}",
                    now_cycles(), context_.checkpoint.path));
  }
  if (written) rebalance_if_needed(share.ids);
}

/// Packets that each entity has sent since this was last asked.
template <class Policy, class Host>
std::vector<u32> Driver<Policy, Host>::recent_work() {
  work_before_.resize(layout_.entities(), 0);
  std::vector<u32> recent(layout_.entities());
  for (u32 e = 0; e < recent.size(); ++e) recent[e] = net_.work(e) - std::exchange(work_before_[e], net_.work(e));
  return recent;
}

/// After a checkpoint of the entities `ids`: goes on from it with another partition if the load has moved; by way of Rebalanced.
template <class Policy, class Host>
void Driver<Policy, Host>::rebalance_if_needed(const std::vector<u32>& ids) {
  if (!may_rebalance() || !rebalance(context_, ids, recent_work())) return;
  add_spent();
  context_.resume = context_.checkpoint.path;
  throw Rebalanced();
}

template <class Policy, class Host>
bool Driver<Policy, Host>::resume() {
  if (context_.resume.empty()) return false;
  const auto opened = CheckpointReader::open_by_all(context_.resume, context_.transport);
  CheckpointReader& file = *opened;
  check_belongs(file, context_.config, context_.inputs.hash());
  host_.prepare(net_);
  const Tick from = file.header().tick;
  u64 loaded = 0;
  file.keep([this](u32 id) { return layout_.entity_of_global(id) != models::Layout::none; });
  file.each_record("network", [&](u32 id, std::span<const std::byte> record) {
    const u32 entity = layout_.entity_of_global(id);
    if (record.size() != net_.state_bytes(entity))
      file.fail("the record of entity " + std::to_string(id) + " has a wrong length");
    net_.load(entity, record.data());
    ++loaded;
  });
  if (loaded != layout_.entities())
    file.fail("it holds " + std::to_string(loaded) + " of " + std::to_string(layout_.entities()) + " entities");
  file.each_record("host", [&](u32 id, std::span<const std::byte> record) {
    const u32 entity = layout_.entity_of_global(id);
    if (!net_.is_endpoint(entity)) return;
    engine::ByteReader bytes(record);
    host_.load(entity, bytes);
    bytes.finish();
  });
  file.each_record("work", [](u32, std::span<const std::byte>) {});  // the partition has seen it; here for the digest
  const std::vector<std::byte> run = file.run();
  engine::ByteReader bytes(run);
  get_run(bytes);
  bytes.finish();
  if (now_ != from) file.fail("its parts are of different ticks");
  detail::for_event_types(typename Net::Events{}, [&]<class Event>(u32 type) {
    file.each_event(type, event_bytes<Event>, [&](std::span<const std::byte> row) {
      Tick tick;
      Event event;
      std::memcpy(&tick, row.data(), sizeof tick);
      std::memcpy(static_cast<void*>(&event), row.data() + sizeof tick, sizeof event);
      const u32 entity = layout_.entity_of_global(event.entity);
      if (entity == models::Layout::none) return false;
      if (tick < from) file.fail("an event lies before its time");
      event.entity = entity;
      kernel_.schedule(tick, event);
      return true;
    });
  });
  file.verify(context_.transport);
  if (may_rebalance()) static_cast<void>(recent_work());
  if (!goes_on()) context_.result.resumed_cycles = now_cycles();
  say_resumed(context_, now_cycles());
  return true;
}

/// What belongs to no entity. Reduced over the ranks, so that any number of ranks can take it up.
template <class Policy, class Host>
void Driver<Policy, Host>::put_run(engine::ByteWriter& to) {
  to.put(now_);
  to.put(global_max(kernel_.now()));
  to.put(stage_.step);
  to.put(stage_.at);
  to.put(static_cast<u64>(stage_.inside));
  to.put(stage_.before.words());
  to.put(stage_.measured_before.words());
  to.put(totals().words());
  models::Statistics& s = net_.statistics();
  auto histogram = s.histogram.counts();
  context_.transport.sum(histogram);
  to.put(histogram);
  to.put(global_max(s.latency_max));
  to.put(global_max(s.distance_max));
  to.put(global_max(s.last_delivery));
  const engine::Digest all = engine::sum_of_ranks(context_.transport, net_.digest());
  to.put(all.low());
  to.put(all.high());
  const RunResult& result = context_.result;
  to.put_list(result.intervals);
  to.put_list(result.batches);
  to.put_list(result.burst_cycles);
}

template <class Policy, class Host>
void Driver<Policy, Host>::get_run(engine::ByteReader& from) {
  const bool first = context_.transport.rank() == 0;
  now_ = from.get<Tick>();
  kernel_.start_at(from.get<Tick>());
  stage_.step = from.get<u64>();
  stage_.at = from.get<Tick>();
  stage_.inside = from.get<u64>() != 0;
  using Words = std::array<u64, models::Counters::sums>;
  stage_.before = models::Counters::from(from.get<Words>());
  stage_.measured_before = models::Counters::from(from.get<Words>());
  const auto counters = models::Counters::from(from.get<Words>());
  if (!goes_on()) context_.hops_before = counters.packet_hops;
  models::Statistics& s = net_.statistics();
  const auto histogram = from.get<std::array<u64, models::LatencyHistogram::bins>>();
  // What is summed over the ranks goes to one of them.
  if (first) {
    s.counters = counters;
    s.histogram.counts() = histogram;
  }
  s.latency_max = from.get<u64>();
  s.distance_max = static_cast<u32>(from.get<u64>());
  s.last_delivery = last_delivery_ = from.get<u64>();
  const u64 low = from.get<u64>(), high = from.get<u64>();
  if (first) net_.digest().add_words(low, high);
  RunResult& result = context_.result;
  from.get_list(result.intervals);
  from.get_list(result.batches);
  from.get_list(result.burst_cycles);
  total_ = totals();
}

}  // namespace weft::tools
