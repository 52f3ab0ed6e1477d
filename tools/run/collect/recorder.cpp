// Recording of a run while it goes on, and its state in checkpoints; see the header.
#include "tools/run/collect/recorder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/gathered.hpp"
#include "tools/run/collect/link_watch.hpp"

namespace weft::tools {
namespace {

/// First multiple of `period` after `now`; `never` if there is no period.
Tick multiple_after(Tick period, Tick now) { return period == 0 ? never : (now / period + 1) * period; }

void add_counts(std::vector<u64>& to, const std::vector<u64>& more) {
  if (to.size() < more.size()) to.resize(more.size());
  for (std::size_t k = 0; k < more.size(); ++k) to[k] += more[k];
}

/// Sorts by `key` and adds up entries of the same.
template <class T, class Key, class Add>
void merge_equal(std::vector<T>& entries, Key key, Add add) {
  std::ranges::sort(entries, {}, key);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (kept != 0 && key(entries[kept - 1]) == key(entries[k])) {
      add(entries[kept - 1], entries[k]);
    } else {
      entries[kept++] = entries[k];
    }
  }
  entries.resize(kept);
}

Tick series_ticks(const Context& context) {
  return static_cast<Tick>(context.config.integer("statistics.series_cycles")) * context.router.cycle_ticks;
}

}  // namespace

models::DetailSettings detail_settings(const Context& context) {
  const Config& config = context.config;
  models::DetailSettings settings;
  settings.watched = channels_of(watched_links(context), context.router.link_channels());
  settings.links = config.flag("statistics.ports") || !settings.watched.empty();
  settings.distances = config.flag("statistics.distances");
  settings.pairs = config.flag("statistics.pairs");
  settings.most_pairs = static_cast<u64>(config.integer("statistics.most_pairs"));
  settings.events = !context.record_path("statistics.events").empty();
  settings.departures = config.flag("statistics.departures");
  settings.passages = config.flag("statistics.injection_latency");
  settings.interval_ticks = series_ticks(context);
  settings.unit_ticks = context.counts_cells ? context.router.cycle_ticks : context.router.packet_ticks;
  settings.topology = context.topology.get();
  const std::vector<i64> nodes = config.integers("statistics.event_nodes");
  if (!nodes.empty()) settings.event_sources.resize(context.topology->nodes());
  for (const i64 node : nodes) {
    if (node >= context.topology->nodes()) {
      throw ConfigError(fmt::format("statistics.event_nodes has {} (the network has the nodes 0 to {}); use these",
                                    node, context.topology->nodes() - 1));
    }
    settings.event_sources[static_cast<std::size_t>(node)] = true;
  }
  return settings;
}

Recorder::Recorder(Context& context, Simulation& simulation, const models::Layout& layout)
    : context_(context), simulation_(simulation) {
  const Config& config = context.config;
  const Tick cycle = context.router.cycle_ticks, series = series_ticks(context);
  if (series != 0) series_.emplace(series);
  occupancy_ticks_ = static_cast<Tick>(config.integer("statistics.occupancy_cycles")) * cycle;
  sizes_.one_by_one = config.flag("statistics.queues");
  if (config.flag("statistics.injection_latency") && first()) passages_.emplace(series, cycle);
  const std::string path = context.record_path("statistics.events");
  if (!path.empty() && first()) events_.emplace(path, *context.topology, context.router.link_channels(), cycle);
  if (series == 0 && occupancy_ticks_ == 0) return;
  u64 links[2] = {layout.entities() - layout.local_routers(), 0};  // NICs have one each
  if (context.topology->joins_all()) links[0] = layout.entities();
  for (u32 r = 0; r < layout.local_routers(); ++r) {
    const RouterId router = layout.router(r);
    for (u32 p = 0; p < context.topology->ports(router); ++p) {
      const bool out = context.topology->peer(router, p).kind != models::Peer::Kind::none;
      links[0] += out && context.topology->carries(router, p) ? 1 : 0;
      links[1] += is_linked(router, p) ? 0 : 1;
    }
  }
  context.transport.sum(links);
  directed_links_ = links[0];
  unlinked_channels_ = links[1] * context.router.link_channels();
}

/// Whether packets may come in through a port: nothing comes in by a one-way link that leads away.
bool Recorder::is_linked(RouterId router, u32 port) const {
  const models::Topology& topology = *context_.topology;
  const models::Peer far = topology.peer(router, port);
  if (far.kind == models::Peer::Kind::none) return false;
  return far.kind != models::Peer::Kind::router || topology.carries(RouterId(far.id), far.port);
}

void Recorder::start() {
  if (events_) events_->create();
}

void Recorder::go_on() {
  if (events_) events_->go_on();
}

Tick Recorder::next_after(Tick now) const {
  return std::min(multiple_after(series_ ? series_->period() : 0, now), multiple_after(occupancy_ticks_, now));
}

void Recorder::stopped(Tick now, const models::Counters& total) {
  done_to_ = now;
  if (series_ && now % series_->period() == 0) series_->add_row(now, total);
  if (occupancy_ticks_ != 0 && now % occupancy_ticks_ == 0 && now > sampled_at_) {
    sampled_at_ = now;
    ++samples_;
    sizes_.begin();
    simulation_.sample_queues(sizes_);
  }
  write_events();
  match_passages();
}

/// As many samples as `end` has periods: those of a network in which nothing happens any more are all like one now.
void Recorder::end_samples(Tick end) {
  const u64 wanted = end / occupancy_ticks_;
  if (wanted == samples_) return;
  models::QueueSizes now;
  now.one_by_one = sizes_.one_by_one;
  simulation_.sample_queues(now);
  const auto repeat = [&](std::vector<u64>& counts, const std::vector<u64>& once) {
    if (counts.size() < once.size()) counts.resize(once.size());
    for (std::size_t k = 0; k < once.size(); ++k) counts[k] += once[k] * (wanted - samples_);  // less: modulo 2^64
  };
  repeat(sizes_.transit, now.transit);
  repeat(sizes_.injection, now.injection);
  sizes_.queues.resize(now.queues.size());
  for (std::size_t k = 0; k < now.queues.size(); ++k) {
    models::QueueCount& seen = sizes_.queues[k];
    const u64 packets = seen.packets + now.queues[k].packets * (wanted - samples_);
    seen = {now.queues[k].entity, now.queues[k].queue, now.queues[k].injection, std::max(seen.most, now.queues[k].most),
            packets};
  }
  samples_ = wanted;
}

void Recorder::write_events() {
  models::Details* const details = simulation_.details();
  if (details == nullptr || !details->settings().events) return;
  std::vector<models::PacketEvent> events = engine::gathered(context_.transport, details->take_events());
  if (!events_) return;
  std::ranges::sort(events);  // whatever happens later has a later tick
  events_->write(events);
}

void Recorder::match_passages() {
  models::Details* const details = simulation_.details();
  if (details == nullptr || !details->settings().passages) return;
  std::vector<models::Passage> passages = engine::gathered(context_.transport, details->take_passages());
  if (!passages_) return;
  std::ranges::sort(passages);  // whatever happens later has a later tick
  passages_->add(passages);
}

/// Sums over the ranks; lists of different lengths.
std::vector<u64> Recorder::summed(std::vector<u64> counts) {
  u64 length = counts.size();
  context_.transport.max({&length, 1});
  counts.resize(length);
  if (length != 0) context_.transport.sum(counts);
  return counts;
}

Recorder::Gathered Recorder::gather() {
  Gathered all = before_checkpoint_;
  models::Details* const details = simulation_.details();
  if (details == nullptr) return all;
  const auto links = engine::gathered(context_.transport, details->links());
  all.links.insert(all.links.end(), links.begin(), links.end());
  merge_equal(
      all.links, [](const models::LinkCount& l) { return std::pair(l.entity, l.output); },
      [](models::LinkCount& to, const models::LinkCount& more) {
        to.packets += more.packets;
        to.busy += more.busy;
      });
  add_counts(all.distances, summed(details->distances()));
  add_counts(all.distances_ahead, summed(details->distances_ahead()));
  gather_pairs(all, *details);
  gather_intervals(all, *details);
  return all;
}

void Recorder::gather_pairs(Gathered& all, const models::Details& details) {
  const auto pairs = engine::gathered(context_.transport, details.pairs());
  all.pairs.insert(all.pairs.end(), pairs.begin(), pairs.end());
  merge_equal(
      all.pairs, [](const models::PairCount& p) { return std::pair(p.from, p.to); },
      [](models::PairCount& to, const models::PairCount& more) {
        to.packets += more.packets;
        to.latency += more.latency;
        to.injected += more.injected;
      });
  u64 too_many = details.too_many_pairs() ? 1 : 0;
  context_.transport.max({&too_many, 1});
  // A rank with too many has more than all may have: the answer is the same however the network is shared out.
  if (too_many != 0 || all.pairs.size() > details.settings().most_pairs) all.too_many_pairs = 1;
  if (all.too_many_pairs != 0) all.pairs.clear();
}

void Recorder::gather_intervals(Gathered& all, const models::Details& details) {
  const auto rows = engine::gathered(context_.transport, details.intervals().rows());
  all.intervals.insert(all.intervals.end(), rows.begin(), rows.end());
  merge_equal(
      all.intervals, [](const models::IntervalCounts& c) { return c.interval; },
      [](models::IntervalCounts& to, const models::IntervalCounts& more) { to.add(more); });
  std::erase_if(all.spans, [&](const models::TravelSpan& span) { return span.end <= done_to_; });
  const auto spans = engine::gathered(context_.transport, details.intervals().spans_after(done_to_));
  all.spans.insert(all.spans.end(), spans.begin(), spans.end());
}

/// What was seen of each queue, on rank 0, in order.
std::vector<models::QueueCount> Recorder::gather_queues() {
  std::vector<models::QueueCount> queues = engine::gathered(context_.transport, sizes_.queues);
  queues.insert(queues.end(), queues_before_.begin(), queues_before_.end());
  merge_equal(
      queues, [](const models::QueueCount& q) { return std::tuple(q.injection, q.entity, q.queue); },
      [](models::QueueCount& to, const models::QueueCount& more) {
        to.packets += more.packets;
        to.most = std::max(to.most, more.most);
      });
  return queues;
}

void Recorder::put(engine::ByteWriter& to) {
  if (series_) series_->put(to);
  to.put(done_to_);
  to.put(sampled_at_);
  to.put(samples_);
  to.put_list(summed(sizes_.transit));
  to.put_list(summed(sizes_.injection));
  to.put_list(gather_queues());
  const Gathered all = gather();
  to.put_list(all.links);
  to.put_list(all.distances);
  to.put_list(all.distances_ahead);
  to.put_list(all.pairs);
  to.put(all.too_many_pairs);
  to.put_list(all.intervals);
  to.put_list(all.spans);
  to.put(events_ ? events_->bytes() : u64{0});
  to.put(events_ ? events_->lines() : u64{0});
  if (context_.config.flag("statistics.injection_latency")) (passages_ ? *passages_ : PassageBook(0, 0)).put(to);
}

void Recorder::get(engine::ByteReader& from) {
  if (series_) series_->get(from);
  done_to_ = from.get<Tick>();
  sampled_at_ = from.get<Tick>();
  samples_ = from.get<u64>();
  Gathered all;
  std::vector<models::QueueCount> queues;
  from.get_list(sizes_.transit);
  from.get_list(sizes_.injection);
  from.get_list(queues);
  from.get_list(all.links);
  from.get_list(all.distances);
  from.get_list(all.distances_ahead);
  from.get_list(all.pairs);
  all.too_many_pairs = from.get<u64>();
  from.get_list(all.intervals);
  from.get_list(all.spans);
  const u64 bytes = from.get<u64>(), lines = from.get<u64>();
  if (events_) events_->take_up(bytes, lines);
  if (context_.config.flag("statistics.injection_latency")) {
    PassageBook elsewhere(0, 0);
    (passages_ ? *passages_ : elsewhere).get(from);
  }
  // What is summed over the ranks goes to one of them.
  const bool one_by_one = sizes_.one_by_one;
  if (first()) {
    before_checkpoint_ = std::move(all);
    queues_before_ = std::move(queues);
  } else {
    sizes_ = {};
    sizes_.one_by_one = one_by_one;
  }
}

}  // namespace weft::tools
