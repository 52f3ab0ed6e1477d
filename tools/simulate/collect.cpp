// The gathering side of a run: integers over the ranks, floating point only on what is already reduced.
#include "tools/simulate/collect.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "engine/digest_sum.hpp"
#include "engine/error.hpp"

namespace weft::tools {
namespace {

/// Middle of the histogram bin in which the quantile lies, in ticks.
double quantile(std::span<const u64> histogram, u64 total, double q, Tick highest) {
  const double wanted = q * static_cast<double>(total);
  u64 seen = 0;
  for (u32 bin = 0; bin < histogram.size(); ++bin) {
    seen += histogram[bin];
    if (seen == 0 || static_cast<double>(seen) < wanted) continue;
    const Tick low = models::LatencyHistogram::low_edge(bin);
    const Tick high = std::min(models::LatencyHistogram::low_edge(bin + 1) - 1, highest);
    return 0.5 * static_cast<double>(low + std::max(low, high));
  }
  return static_cast<double>(highest);
}

/// "router 12, input X+ channel 0" for cubes, "switch 3, input 5 channel 0" or "NIC 7, injection" for trees.
std::string place_name(const Context& context, u32 entity, u32 input) {
  const models::Topology& t = *context.topology;
  const u32 channels = context.router.virtual_channels;
  const bool nic = !t.direct() && entity >= t.routers();
  std::string text = nic ? "NIC " + std::to_string(entity - t.routers()) : "router " + std::to_string(entity);
  const u32 ports = nic ? 1 : t.ports(RouterId(entity));
  if (input >= ports * channels) return text + ", injection queue " + std::to_string(input - ports * channels);
  const u32 port = input / channels;
  if (t.direct()) {
    text += ", queue of dimension " + std::to_string(port / 2) + (port % 2 == 0 ? "+" : "-");
  } else {
    text += ", input port " + std::to_string(port);
  }
  return text + " channel " + std::to_string(input % channels);
}

using QueueKey = std::pair<u32, u32>;

/// Follows the waiting packets until a queue comes again; the cycle, or the longest chain if there is none.
std::vector<models::Blocked> find_cycle(const std::vector<models::Blocked>& all) {
  std::map<QueueKey, const models::Blocked*> waiting;
  for (const models::Blocked& b : all) waiting[{b.entity, b.input}] = &b;
  std::map<QueueKey, u32> visit;  // queue -> walk that came by
  std::vector<models::Blocked> longest;
  u32 walk = 0;
  for (const models::Blocked& start : all) {
    ++walk;
    std::vector<models::Blocked> chain;
    const models::Blocked* at = &start;
    while (at != nullptr) {
      const QueueKey key{at->entity, at->input};
      const auto [seen, fresh] = visit.try_emplace(key, walk);
      if (!fresh) {
        if (seen->second != walk) break;
        const auto begin = std::ranges::find_if(
            chain, [&](const models::Blocked& b) { return b.entity == key.first && b.input == key.second; });
        return {begin, chain.end()};
      }
      chain.push_back(*at);
      const auto next = waiting.find({at->next_entity, at->next_input});
      at = next == waiting.end() ? nullptr : next->second;
    }
    if (chain.size() > longest.size()) longest = chain;
  }
  return longest;
}

}  // namespace

void collect_accounting(Context& context, const models::Counters& all) {
  RunResult& r = context.result;
  r.packets_generated = all.generated;
  r.packets_injected = all.injected;
  r.packets_delivered = all.delivered;
  r.packets_dropped = 0;
  r.packets_in_flight = all.injected - all.delivered;
  r.messages_sent = all.messages_sent;
  r.messages_delivered = all.messages_delivered;
  r.hops = all.hops;
}

void collect_digest(Context& context, const engine::Digest& mine) {
  context.result.digest = engine::sum_of_ranks(context.transport, mine).hex();
}

void collect_engine(Context& context, const EngineShare& mine, const models::Counters& all, Tick lookahead) {
  EngineCounters& e = context.result.engine;
  const std::array<EngineShare, 1> share{mine};
  const auto shares = engine::gather_values<EngineShare>(context.transport, share);
  e.packet_hops = all.packet_hops;
  e.protocol = context.protocol;
  e.partition = context.transport.size() == 1 ? "none" : context.partition;
  e.lookahead_cycles = context.transport.size() == 1
                           ? 0
                           : std::max<Tick>(1, lookahead / std::max<Tick>(1, context.time.ticks_per_cycle));
  u64 grown = 0, most_routers = 0;
  for (const auto& list : shares) {
    const EngineShare& s = list.front();
    e.cpu_s.push_back(s.cpu_s);
    e.blocked_s.push_back(s.blocked_s);
    e.exchange_s.push_back(s.exchange_s);
    e.rss_bytes.push_back(s.rss_bytes);
    e.rank_events.push_back(s.events);
    e.events += s.events;
    e.windows = std::max(e.windows, s.windows);
    e.exchanges = std::max(e.exchanges, s.exchanges);
    e.remote_messages += s.remote_messages;
    e.null_messages += s.null_messages;
    e.edge_cut += s.cut_links;
    grown += s.rss_bytes > s.rss_before ? s.rss_bytes - s.rss_before : 0;
    most_routers = std::max(most_routers, s.routers);
  }
  e.edge_cut /= 2;
  e.bytes_per_node = grown / std::max<u64>(1, context.result.nodes);
  e.balance =
      static_cast<double>(most_routers) * context.transport.size() / static_cast<double>(context.result.routers);
}

void collect_endpoints(Context& context, const models::Layout& layout, const std::vector<u32>& injected,
                       const std::vector<u32>& delivered) {
  std::vector<std::array<u32, 3>> rows;
  for (u32 e = 0; e < layout.entities(); ++e) {
    if (!context.topology->direct() && e < layout.local_routers()) continue;
    rows.push_back({layout.node(e).value(), injected[e], delivered[e]});
  }
  const auto all = engine::gather_values<std::array<u32, 3>>(context.transport, rows);
  if (context.transport.rank() != 0) return;
  context.result.node_injected.assign(context.topology->nodes(), 0);
  context.result.node_delivered.assign(context.topology->nodes(), 0);
  for (const auto& part : all) {
    for (const auto& [node, in, out] : part) {
      context.result.node_injected[node] = in;
      context.result.node_delivered[node] = out;
    }
  }
}

void summarise_counts(Context& context, const models::Counters& c, double cycles, std::span<const u64> histogram,
                      Tick latency_max, u32 distance_max) {
  RunResult& r = context.result;
  const double node_cycles = context.topology->nodes() * cycles, phits = context.router.packet_phits;
  r.load_injected = static_cast<double>(c.injected) * phits / node_cycles;
  r.load_accepted = static_cast<double>(c.delivered) * phits / node_cycles;
  r.distance_max = distance_max;
  if (c.delivered == 0) return;
  const double n = static_cast<double>(c.delivered), scale = 1.0 / static_cast<double>(context.time.ticks_per_cycle);
  const double mean = static_cast<double>(c.latency) / n;
  r.latency_mean = mean * scale;
  r.latency_stddev = std::sqrt(std::max(0.0, c.latency_square_sum() / n - mean * mean)) * scale;
  r.latency_max = static_cast<double>(latency_max) * scale;
  const u64 counted = std::accumulate(histogram.begin(), histogram.end(), u64{0});
  r.latency_p50 = quantile(histogram, counted, 0.5, latency_max) * scale;
  r.latency_p99 = quantile(histogram, counted, 0.99, latency_max) * scale;
  const double wait = c.injected == 0 ? 0 : static_cast<double>(c.wait) / static_cast<double>(c.injected);
  r.latency_network_mean = std::max(0.0, (mean - wait) * scale);
  r.distance_mean = static_cast<double>(c.distance) / n;
  for (u32 bin = 0; bin < histogram.size(); ++bin) {
    if (histogram[bin] == 0) continue;
    r.latency_histogram.push_back({static_cast<double>(models::LatencyHistogram::low_edge(bin)) * scale,
                                   static_cast<double>(models::LatencyHistogram::low_edge(bin + 1)) * scale,
                                   histogram[bin]});
  }
}

void report_deadlock(Context& context, const std::vector<models::Blocked>& mine, u64 in_flight, Tick cycle,
                     const std::string& why) {
  std::vector<models::Blocked> all;
  for (const auto& part : engine::gather_values<models::Blocked>(context.transport, mine))
    all.insert(all.end(), part.begin(), part.end());
  std::string detail;
  if (context.transport.rank() == 0) {
    const std::vector<models::Blocked> chain = find_cycle(all);
    const bool closed = !chain.empty() && chain.back().next_entity == chain.front().entity &&
                        chain.back().next_input == chain.front().input;
    detail =
        closed ? "cycle of waiting queues (" + std::to_string(chain.size()) + "):" : "longest chain of waiting queues:";
    constexpr std::size_t shown = 40;
    for (std::size_t i = 0; i < std::min(chain.size(), shown); ++i) {
      const models::Blocked& b = chain[i];
      detail += "\n  " + place_name(context, b.entity, b.input) + ": packet to node " + std::to_string(b.to) +
                " waits for room in " + place_name(context, b.next_entity, b.next_input);
    }
    if (chain.size() > shown) detail += "\n  ... and " + std::to_string(chain.size() - shown) + " more";
  }
  throw StuckError("deadlock in the simulated network at cycle " + std::to_string(cycle) + " with " +
                       std::to_string(in_flight) + " packets under way (" + why +
                       "); use a deadlock-free router setting, see 'weft describe routers'",
                   detail);
}

}  // namespace weft::tools
