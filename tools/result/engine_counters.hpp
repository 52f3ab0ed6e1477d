// The counters of the engine by name, with units and meanings: what every file that holds them is filled from.
#pragma once

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// Calls f(name, unit, help, counter) for each counter, in the order in which files list them; lists are [rank]. A
/// counter that is added here is in all files. `Counters` is EngineCounters or const.
template <class Counters, class F>
void for_each_counter(Counters& e, F&& f) {
  f("events", "events", "events executed, of all ranks", e.events);
  f("packet_hops", "links", "link traversals begun, injection and ejection included", e.packet_hops);
  f("windows", "windows", "stretches of time executed without a word to other ranks, most of a rank", e.windows);
  f("exchanges", "exchanges", "agreements of all ranks on the time", e.exchanges);
  f("remote_messages", "messages", "events sent to other ranks", e.remote_messages);
  f("null_messages", "messages", "messages to other ranks that carried no event, only a time", e.null_messages);
  f("wall_s", "s", "event loop, on the slowest rank's clock", e.wall_s);
  f("setup_s", "s", "everything before the event loop", e.setup_s);
  f("cpu_s", "s", "user CPU time of the event loop", e.cpu_s);
  f("blocked_s", "s", "waiting for other ranks", e.blocked_s);
  f("exchange_s", "s", "sending and receiving the events that cross", e.exchange_s);
  f("rss_bytes", "bytes", "resident set at the end of the event loop", e.rss_bytes);
  f("rank_events", "events", "events executed", e.rank_events);
  f("bytes_per_node", "bytes/node", "growth of the resident sets from program start, over nodes", e.bytes_per_node);
  f("lookahead_cycles", "cycles", "least time that an event for another rank lies ahead", e.lookahead_cycles);
  f("protocol", "", "how the ranks keep in step", e.protocol);
  f("partition", "", "how the routers were shared out", e.partition);
  f("edge_cut", "links", "links between routers of different ranks", e.edge_cut);
  f("balance", "", "routers of the largest rank over the mean", e.balance);
  f("checkpoints", "files", "checkpoints written by this process", e.checkpoints);
  f("checkpoint_bytes", "bytes", "size of the last checkpoint", e.checkpoint_bytes);
  f("checkpoint_s", "s", "time spent on checkpoints, part of wall_s", e.checkpoint_s);
  f("rebalances", "times", "times that the routers were shared out anew", e.rebalances);
}

/// Calls f(name, unit, help, value) for each figure that follows from the counters; 0 for a run of no time.
template <class F>
void for_each_rate(const EngineCounters& e, F&& f) {
  const auto rate = [&e](u64 count) { return e.wall_s > 0 ? static_cast<double>(count) / e.wall_s : 0.0; };
  f("events_per_s", "events/s", "events / wall_s", rate(e.events));
  f("packet_hops_per_s", "links/s", "packet_hops / wall_s", rate(e.packet_hops));
}

}  // namespace weft::tools
