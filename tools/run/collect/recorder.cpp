// Recording of a run while it goes on, and its state in checkpoints; see the header.
#include "tools/run/collect/recorder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/gathered.hpp"
#include "tools/run/collect/link_watch.hpp"
#include "tools/run/collect/summarise.hpp"

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
  const Tick cycle = context.router.cycle_ticks;
  series_ticks_ = static_cast<Tick>(config.integer("statistics.series_cycles")) * cycle;
  occupancy_ticks_ = static_cast<Tick>(config.integer("statistics.occupancy_cycles")) * cycle;
  const std::string path = context.record_path("statistics.events");
  if (!path.empty() && first()) events_.emplace(path, *context.topology, context.router.link_channels(), cycle);
  if (series_ticks_ == 0 && occupancy_ticks_ == 0) return;
  u64 links[2] = {layout.entities() - layout.local_routers(), 0};  // NICs have one each
  if (context.topology->joins_all()) links[0] = layout.entities();
  for (u32 r = 0; r < layout.local_routers(); ++r) {
    const RouterId router = layout.router(r);
    for (u32 p = 0; p < context.topology->ports(router); ++p) {
      const models::Peer far = context.topology->peer(router, p);
      if (far.kind == models::Peer::Kind::none) {
        ++links[1];
        continue;
      }
      links[0] += context.topology->carries(router, p) ? 1 : 0;
      // Nothing comes in by a one-way link that leads away.
      links[1] +=
          far.kind == models::Peer::Kind::router && !context.topology->carries(RouterId(far.id), far.port) ? 1 : 0;
    }
  }
  context.transport.sum(links);
  directed_links_ = links[0];
  unlinked_channels_ = links[1] * context.router.link_channels();
}

void Recorder::start() {
  if (events_) events_->create();
}

void Recorder::go_on() {
  if (events_) events_->go_on();
}

Tick Recorder::next_after(Tick now) const {
  return std::min(multiple_after(series_ticks_, now), multiple_after(occupancy_ticks_, now));
}

void Recorder::stopped(Tick now, const models::Counters& total) {
  if (series_ticks_ != 0 && now % series_ticks_ == 0) add_row(now, total);
  if (occupancy_ticks_ != 0 && now % occupancy_ticks_ == 0 && now > sampled_at_) {
    sampled_at_ = now;
    ++samples_;
    simulation_.sample_queues(sizes_);
  }
  write_events();
}

/// The row that ends before tick `end`; none if that was where the last one ended.
void Recorder::add_row(Tick end, const models::Counters& total) {
  if (end <= row_begin_) return;
  const Tick cycle = context_.router.cycle_ticks;
  const models::Counters c = total - before_;
  SeriesRow row;
  row.begin = row_begin_ / cycle;
  row.end = ceil_cycles(end);
  const double cycles = static_cast<double>(row.end - row.begin);
  const LoadScale scale = load_scale(context_);
  const double node_cycles = cycles * context_.topology->nodes();
  row.injected_load = scale.injected(c) / node_cycles;
  row.accepted_load = scale.delivered(c) / node_cycles;
  if (directed_links_ != 0)
    row.utilisation = scale.busy_cycles(c.link_starts, c.link_busy) / (cycles * static_cast<double>(directed_links_));
  if (c.delivered != 0) row.latency_mean = context_.cycles(c.latency) / static_cast<double>(c.delivered);
  row.delivered_packets = c.delivered;
  row.dropped_packets = c.dropped;
  row.network_packets = total.in_network();
  row.queued_packets = total.generated - total.injected - total.dropped_at_source;
  series_.push_back(row);
  row_begin_ = end;
  before_ = total;
}

/// Takes what is counted in a row behind `row` into it, as if it had happened in its time.
void Recorder::add_to(SeriesRow& row, const SeriesRow& behind) {
  const double longer = static_cast<double>(behind.end - behind.begin) / static_cast<double>(row.end - row.begin);
  for (const auto load : {&SeriesRow::injected_load, &SeriesRow::accepted_load, &SeriesRow::utilisation})
    row.*load += behind.*load * longer;
  const u64 delivered = row.delivered_packets + behind.delivered_packets;
  if (delivered != 0)
    row.latency_mean = (row.latency_mean * static_cast<double>(row.delivered_packets) +
                        behind.latency_mean * static_cast<double>(behind.delivered_packets)) /
                       static_cast<double>(delivered);
  row.delivered_packets = delivered;
  row.dropped_packets += behind.dropped_packets;
  row.network_packets = behind.network_packets;
  row.queued_packets = behind.queued_packets;
}

/// Rows up to tick `end` and none behind: events may end before a run that has a stated length, and the last credits
/// come after a run that ends with its last packet.
void Recorder::end_rows(Tick end, const models::Counters& total) {
  constexpr Tick most_idle_rows = 1'000'000;
  while (row_begin_ < end) {
    const bool is_long = before_.gone() == total.gone() && (end - row_begin_) / series_ticks_ > most_idle_rows;
    add_row(is_long ? end : std::min(end, multiple_after(series_ticks_, row_begin_)), total);
  }
  const models::Counters rest = total - before_;
  if (rest.injected + rest.delivered + rest.dropped + rest.link_starts != 0)
    add_row(row_begin_ + context_.router.cycle_ticks, total);
  const Tick last = ceil_cycles(end);
  while (series_.size() > 1 && series_.back().begin >= last) {
    const SeriesRow behind = series_.back();
    series_.pop_back();
    add_to(series_.back(), behind);
  }
  if (series_.empty() || series_.back().end <= last) return;
  SeriesRow& row = series_.back();
  const double longer = static_cast<double>(row.end - row.begin) / static_cast<double>(last - row.begin);
  for (double* const figure : {&row.injected_load, &row.accepted_load, &row.utilisation}) *figure *= longer;
  row.end = last;
}

/// As many samples as `end` has periods: those of a network in which nothing happens any more are all like one now.
void Recorder::end_samples(Tick end) {
  const u64 wanted = end / occupancy_ticks_;
  if (wanted == samples_) return;
  models::QueueSizes now;
  simulation_.sample_queues(now);
  const auto repeat = [&](std::vector<u64>& counts, const std::vector<u64>& once) {
    if (counts.size() < once.size()) counts.resize(once.size());
    for (std::size_t k = 0; k < once.size(); ++k) counts[k] += once[k] * (wanted - samples_);  // less: modulo 2^64
  };
  repeat(sizes_.transit, now.transit);
  repeat(sizes_.injection, now.injection);
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

Tick Recorder::ceil_cycles(Tick tick) const {
  const Tick cycle = context_.router.cycle_ticks;
  return (tick + cycle - 1) / cycle;
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
  const auto pairs = engine::gathered(context_.transport, details->pairs());
  all.pairs.insert(all.pairs.end(), pairs.begin(), pairs.end());
  merge_equal(
      all.pairs, [](const models::PairCount& p) { return std::pair(p.from, p.to); },
      [](models::PairCount& to, const models::PairCount& more) {
        to.packets += more.packets;
        to.latency += more.latency;
      });
  u64 too_many = details->too_many_pairs() ? 1 : 0;
  context_.transport.max({&too_many, 1});
  // A rank with too many has more than all may have: the answer is the same however the network is shared out.
  if (too_many != 0 || all.pairs.size() > details->settings().most_pairs) all.too_many_pairs = 1;
  if (all.too_many_pairs != 0) all.pairs.clear();
  return all;
}

void Recorder::put(engine::ByteWriter& to) {
  to.put_list(series_);
  to.put(before_.words());
  to.put(row_begin_);
  to.put(sampled_at_);
  to.put(samples_);
  to.put_list(summed(sizes_.transit));
  to.put_list(summed(sizes_.injection));
  const Gathered all = gather();
  to.put_list(all.links);
  to.put_list(all.distances);
  to.put_list(all.pairs);
  to.put(all.too_many_pairs);
  to.put(events_ ? events_->bytes() : u64{0});
  to.put(events_ ? events_->lines() : u64{0});
}

void Recorder::get(engine::ByteReader& from) {
  from.get_list(series_);
  before_ = models::Counters::from(from.get<std::array<u64, models::Counters::sums>>());
  row_begin_ = from.get<Tick>();
  sampled_at_ = from.get<Tick>();
  samples_ = from.get<u64>();
  Gathered all;
  from.get_list(sizes_.transit);
  from.get_list(sizes_.injection);
  from.get_list(all.links);
  from.get_list(all.distances);
  from.get_list(all.pairs);
  all.too_many_pairs = from.get<u64>();
  const u64 bytes = from.get<u64>(), lines = from.get<u64>();
  if (events_) events_->take_up(bytes, lines);
  // What is summed over the ranks goes to one of them.
  if (first()) {
    before_checkpoint_ = std::move(all);
  } else {
    sizes_ = {};
  }
}

}  // namespace weft::tools
