// The members of Recorder that put what was recorded into the result.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/deviation.hpp"
#include "tools/run/collect/collect.hpp"
#include "tools/run/collect/recorder.hpp"
#include "tools/run/collect/summarise.hpp"

namespace weft::tools {
namespace {

/// The links of routers, all channels together, by place.
std::vector<BusyLink> whole_links(const std::vector<LinkRow>& ports, const models::Topology& topology) {
  std::vector<BusyLink> links;
  const LinkRow* last = nullptr;
  for (const LinkRow& row : ports) {
    if (last == nullptr || last->owner != row.owner || last->port != row.port) {
      const u32 router = static_cast<u32>(row.owner), port = static_cast<u32>(row.port);
      links.push_back({fmt::format("router {}, {}", router, topology.port_name(RouterId(router), port)), 0, 0});
    }
    last = &row;
    links.back().packets += row.packets;
    links.back().utilisation += row.utilisation;
  }
  return links;
}

}  // namespace

void Recorder::finish(const models::Counters& total, Tick cycles) {
  const Tick end = cycles * context_.router.cycle_ticks;
  if (series_) series_->end_rows(end, context_.router.cycle_ticks, total);
  if (occupancy_ticks_ != 0) end_samples(end);
  write_events();
  match_passages();
  if (occupancy_ticks_ != 0) finish_occupancy();
  if (sizes_.one_by_one) finish_queues();
  if (simulation_.details() == nullptr) return;
  Gathered all = gather();
  if (!first()) return;
  ExtraStatistics& extra = context_.result.extra;
  if (series_) finish_series(all, end);
  if (context_.config.flag("statistics.ports")) finish_links(all, std::max<Tick>(cycles, 1));
  finish_distances(all);
  finish_pairs(all);
  if (passages_) {
    PassageCounts passed;
    for (const PassageCounts& of_interval : passages_->counts()) passed.add(of_interval);
    const double ticks = static_cast<double>(context_.router.cycle_ticks);
    const double most = passed.packets == 0 ? no_figure : context_.cycles(passed.most);
    extra.injection_latency = {passed.packets, passed.mean() / ticks, passed.deviation() / ticks, most};
  }
  if (events_) {
    extra.events_path = events_->path();
    extra.events = events_->lines();
  }
}

void Recorder::finish_series(Gathered& all, Tick end) {
  models::IntervalCounter behind(series_->period());
  for (const models::TravelSpan& span : all.spans) behind.cut(span, end);
  const std::vector<models::IntervalCounts> less = behind.rows();
  all.intervals.insert(all.intervals.end(), less.begin(), less.end());
  std::ranges::stable_sort(all.intervals, {}, &models::IntervalCounts::interval);
  context_.result.extra.series =
      series_->rows(all.intervals, passages_ ? passages_->counts() : std::vector<PassageCounts>{}, load_scale(context_),
                    directed_links_);
}

void Recorder::finish_distances(const Gathered& all) {
  const auto packets = [](const std::vector<u64>& counts, std::size_t links) {
    return links < counts.size() ? counts[links] : 0;
  };
  for (std::size_t links = 0; links < std::max(all.distances.size(), all.distances_ahead.size()); ++links) {
    const DistanceRow row{links, packets(all.distances, links), packets(all.distances_ahead, links)};
    if (row.packets + row.injected_packets != 0) context_.result.extra.distances.push_back(row);
  }
  double n = 0, sum = 0, squares = 0;
  for (const DistanceRow& row : context_.result.extra.distances) {
    const double count = static_cast<double>(row.packets), distance = static_cast<double>(row.links);
    n += count;
    sum += count * distance;
    squares += count * distance * distance;
  }
  if (n > 0) context_.result.distance_stddev = stats::deviation_of_all(n, sum, squares);
}

void Recorder::finish_links(const Gathered& all, Tick cycles) {
  ExtraStatistics& extra = context_.result.extra;
  const u32 routers = context_.topology->routers();
  const u32 channels = context_.router.link_channels();
  const LoadScale scale = load_scale(context_);
  const models::Topology& topology = *context_.topology;
  for (const models::LinkCount& link : all.links) {
    LinkRow row{link.entity, link.output / channels, link.output % channels, link.packets,
                scale.busy_cycles(link.packets, link.busy) / static_cast<double>(cycles)};
    bool of_node = link.entity >= routers;
    if (of_node) {
      row.owner -= routers;
    } else if (topology.direct() && row.port > topology.ports(RouterId(link.entity))) {
      // The node inside the router sends here: its own port is behind the router's to it.
      of_node = true;
      row.port = 0;
    }
    (of_node ? extra.nic_ports : extra.ports).push_back(row);
  }
  extra.busiest = whole_links(extra.ports, topology);
  if (context_.config.integer("measure.seeds") == 1) keep_busiest(extra.busiest);
}

void Recorder::finish_pairs(const Gathered& all) {
  if (all.too_many_pairs != 0) {
    warn(context_,
         fmt::format(
             "more than statistics.most_pairs = {} pairs of source and destination occurred: the result has none "
             "of them",
             context_.config.integer("statistics.most_pairs")));
  }
  for (const models::PairCount& pair : all.pairs) {
    context_.result.extra.pairs.push_back(
        {pair.from, pair.to, pair.packets,
         pair.packets == 0 ? no_figure : context_.cycles(pair.latency) / static_cast<double>(pair.packets),
         pair.injected});
  }
}

void Recorder::finish_occupancy() {
  ExtraStatistics& extra = context_.result.extra;
  const std::vector<u64> transit = summed(sizes_.transit), injection = summed(sizes_.injection);
  extra.occupancy_samples = samples_;
  extra.occupancy.resize(std::max(transit.size(), injection.size()));
  for (std::size_t packets = 0; packets < extra.occupancy.size(); ++packets) {
    extra.occupancy[packets] = {packets, packets < transit.size() ? transit[packets] : 0,
                                packets < injection.size() ? injection[packets] : 0};
  }
  // Channels without a link are no queues, though they were seen empty.
  if (!transit.empty()) extra.occupancy[0].transit_queues -= unlinked_channels_ * samples_;
}

/// Rows of the queues of routers that were seen with packets, then those of injection queues.
void Recorder::finish_queues() {
  const std::vector<models::QueueCount> queues = gather_queues();
  if (!first() || samples_ == 0) return;
  ExtraStatistics& extra = context_.result.extra;
  const u32 routers = context_.topology->routers(), channels = context_.router.link_channels();
  for (const models::QueueCount& queue : queues) {
    if (queue.most == 0) continue;
    const double mean = static_cast<double>(queue.packets) / static_cast<double>(samples_);
    const bool of_node = queue.entity >= routers;
    const u64 owner = of_node ? queue.entity - routers : queue.entity;
    if (queue.injection != 0) {
      extra.injection_queues.push_back({owner, 0, queue.queue, mean, queue.most});
    } else if (!of_node) {
      extra.queues.push_back({owner, queue.queue / channels, queue.queue % channels, mean, queue.most});
    }
  }
}

}  // namespace weft::tools
