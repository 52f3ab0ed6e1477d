// The gathering side of a run: integers over the ranks, floating point only on what is already reduced.
#include "tools/run/collect/collect.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/base/error.hpp"
#include "engine/digest_sum.hpp"
#include "engine/gathered.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/collect/summarise.hpp"
#include "tools/run/waiting_cycle.hpp"

namespace weft::tools {
namespace {

/// "router 12, queue of dimension 0+ channel 0" in direct networks, "router 3, input port 5 channel 0" or "NIC 7,
/// injection queue 0" in others.
std::string place_name(const Context& context, u32 entity, u32 input) {
  const models::Topology& t = *context.topology;
  const u32 channels = context.router.link_channels();
  const bool nic = !t.direct() && entity >= t.routers();
  const std::string whose = nic ? fmt::format("NIC {}", entity - t.routers()) : fmt::format("router {}", entity);
  const u32 ports = nic ? 1 : t.ports(RouterId(entity));
  if (input >= ports * channels) return fmt::format("{}, injection queue {}", whose, input - ports * channels);
  const u32 port = input / channels, channel = input % channels;
  if (nic) return fmt::format("{}, input port {} channel {}", whose, port, channel);
  return fmt::format("{}, queue of {} channel {}", whose, t.port_name(RouterId(entity), port), channel);
}

}  // namespace

void collect_accounting(Context& context, const models::Counters& all, const models::InFlight& in_flight) {
  if (all.in_network() != in_flight.network ||
      all.generated != all.injected + in_flight.queued + all.dropped_at_source) {
    throw Bug(fmt::format(
        "packets are not conserved: {} generated, {} injected, {} delivered, {} dropped ({} at their source), but {} "
        "wait for injection and {} are in the network",
        all.generated, all.injected, all.delivered, all.dropped, all.dropped_at_source, in_flight.queued,
        in_flight.network));
  }
  RunResult& r = context.result;
  r.counts = all;
  r.packets_in_flight = in_flight.network;
  add_rest_of_classes(r, all);
  for (ClassRow& row : r.classes) {
    const models::ClassCounts counts = counts_of(row, all);
    row.generated_packets = counts.generated;
    row.injected_packets = counts.injected;
    row.delivered_packets = counts.delivered;
  }
}

models::FirstDrop first_of_ranks(const Context& context, const models::FirstDrop& mine) {
  const std::array<models::FirstDrop, 1> share{mine};
  models::FirstDrop first = mine;
  for (const auto& of_rank : engine::gather_values<models::FirstDrop>(context.transport, share)) {
    first = std::min(first, of_rank.front());
  }
  return first;
}

std::string drops_text(const Context& context, const models::Counters& all, const models::FirstDrop& first) {
  const std::string& rule = models::router_kind(context.router.kind).drops;
  const bool only_on_request = all.dropped_at_head == 0 && !context.router.faults && rule.empty();
  if (all.dropped == all.dropped_at_full_nic || only_on_request) return {};
  const u64 no_way =
      all.dropped - all.dropped_to_failed - all.dropped_at_full_nic - all.dropped_at_head - all.dropped_in_failures;
  std::vector<std::string> reasons;
  if (all.dropped_at_head > 0) {
    reasons.push_back(fmt::format(
        "{} waited too long at the head of an injection queue (router.injection_timeout_cycles)", all.dropped_at_head));
  }
  if (all.dropped_in_failures > 0)
    reasons.push_back(fmt::format("{} on links, or in routers and nodes, that failed", all.dropped_in_failures));
  if (all.dropped_to_failed > 0) reasons.push_back(fmt::format("{} to failed nodes", all.dropped_to_failed));
  if (no_way > 0) {
    const models::Topology& t = *context.topology;
    const u32 router = first.entity < t.routers() ? first.entity : t.router_of(NodeId(first.from)).value();
    reasons.push_back(fmt::format("{} {} (the first: from node {} to node {} at router {})", no_way,
                                  rule.empty() ? "found no path past failed links" : rule, first.from, first.to,
                                  router));
  }
  return fmt::format("{} packet{} dropped: {}", all.dropped, all.dropped == 1 ? " was" : "s were",
                     fmt::join(reasons, ", "));
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
  RunResult& result = context.result;
  std::vector<u64>& node_injected = context.counts_cells ? result.node_injected_cells : result.node_injected;
  std::vector<u64>& node_delivered = context.counts_cells ? result.node_delivered_cells : result.node_delivered;
  node_injected.assign(context.topology->nodes(), 0);
  node_delivered.assign(context.topology->nodes(), 0);
  for (const auto& part : all) {
    for (const auto& [node, in, out] : part) {
      node_injected[node] = in;
      node_delivered[node] = out;
    }
  }
}

void warn(Context& context, const std::string& text) {
  spdlog::warn("{}", text);
  context.result.warnings.push_back(text);
}

void say_saved(const Context& context, Tick cycle, const std::string& path, double seconds) {
  spdlog::info("checkpoint at cycle {}: {} bytes in '{}', {:.2f} s", cycle, context.result.engine.checkpoint_bytes,
               path, seconds);
}

void say_resumed(const Context& context, Tick cycle) {
  spdlog::info("goes on at cycle {} from '{}'", cycle, context.resume);
}

void report_deadlock(Context& context, const std::vector<models::Blocked>& mine, u64 in_flight, Tick cycle,
                     const std::string& why) {
  const std::vector<models::Blocked> all = engine::gathered(context.transport, mine);
  std::string detail;
  if (context.transport.rank() == 0) {
    const WaitingChain found = waiting_chain(all);
    const std::vector<models::Blocked>& chain = found.queues;
    detail =
        found.closed ? fmt::format("cycle of waiting queues ({}):", chain.size()) : "longest chain of waiting queues:";
    constexpr std::size_t shown = 40;
    for (std::size_t i = 0; i < std::min(chain.size(), shown); ++i) {
      const models::Blocked& b = chain[i];
      detail +=
          fmt::format("\n  {}: packet to node {} waits for free space in {}", place_name(context, b.entity, b.input),
                      b.to, place_name(context, b.next_entity, b.next_input));
    }
    if (chain.size() > shown) detail += fmt::format("\n  ... and {} more", chain.size() - shown);
  }
  throw StuckError(fmt::format("deadlock in the simulated network at cycle {} with {} packets in flight ({}); use a "
                               "deadlock-free router setting, see 'weft describe routers'",
                               cycle, in_flight, why),
                   detail);
}

}  // namespace weft::tools
