// The members of Recorder that put what was recorded into the result.
#include <algorithm>
#include <fmt/format.h>

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
  if (series_ticks_ != 0) end_rows(end, total);
  if (occupancy_ticks_ != 0) end_samples(end);
  write_events();
  ExtraStatistics& extra = context_.result.extra;
  extra.series = series_;
  if (occupancy_ticks_ != 0) finish_occupancy();
  if (simulation_.details() == nullptr) return;
  const Gathered all = gather();
  if (!first()) return;
  if (context_.config.flag("statistics.ports")) finish_links(all, std::max<Tick>(cycles, 1));
  for (std::size_t links = 0; links < all.distances.size(); ++links) {
    if (all.distances[links] != 0) extra.distances.push_back({links, all.distances[links]});
  }
  finish_pairs(all);
  if (events_) {
    extra.events_path = events_->path();
    extra.events = events_->lines();
  }
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
        {pair.from, pair.to, pair.packets, context_.cycles(pair.latency) / static_cast<double>(pair.packets)});
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

}  // namespace weft::tools
