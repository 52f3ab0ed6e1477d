// Rows of [statistics]: what a run counts and writes besides its summary, all of it off unless asked for.
#include "tools/run/config/settings.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::tools::rows {

std::vector<Setting> statistics() {
  constexpr i64 most_cycles = 1'000'000'000'000;
  return {
      row::integer("statistics.series_cycles", "cycles", 0, {0, most_cycles},
                   "Time series of the whole run: loads, utilisation, latency and packets in flight for each so many "
                   "cycles. 0 = none."),
      row::boolean("statistics.ports", false,
                   "Count the packets of each virtual channel of each link, and name the busiest links."),
      row::boolean("statistics.distances", false, "Histogram of the distances that delivered packets have travelled."),
      row::boolean("statistics.pairs", false,
                   "Packets and mean latency of each source and destination between which packets were delivered."),
      row::integer("statistics.most_pairs", "pairs", 1'000'000, {1, 1'000'000'000},
                   "If more pairs than this occur, the result has none of them and says so.")
          .only_with("statistics.pairs", {"true"}),
      row::integer("statistics.occupancy_cycles", "cycles", 0, {0, most_cycles},
                   "Look into all queues each so many cycles, for a histogram of their occupancy. 0 = never."),
      row::boolean("statistics.queues", false,
                   "Mean and most packets of each queue by itself, of the samples of statistics.occupancy_cycles.")
          .only_with("statistics.occupancy_cycles"),
      row::boolean("statistics.injection_latency", false,
                   "Latency from injection, packet by packet: mean, deviation and maximum, and in the time series. The "
                   "first rank keeps a record of each packet in flight."),
      row::text(
          "statistics.events", std::nullopt,
          "File for what happens to single packets, a line each, relative to the working directory. Not given: none."),
      row::integers("statistics.event_nodes", "", {0, 1'000'000'000},
                    "Nodes whose packets statistics.events is to follow. Not given: all.")
          .only_with("statistics.events"),
      row::boolean("statistics.departures", false,
                   "statistics.events has a line, too, when a packet's header leaves the queue of a link.")
          .only_with("statistics.events"),
      row::text("statistics.matches", std::nullopt,
                "File (CSV) for which receive took which message: tasks, and operations in their programs from 0; "
                "relative to the working directory. Not given: none.")
          .only_with("workload.kind", workloads::workload_kinds(true)),
      row::text("statistics.timeline", std::nullopt,
                "File for what the tasks of statistics.timeline_tasks did, and when (docs/timelines.md): NAME.pftrace "
                "for Perfetto, NAME.json for Perfetto and chrome://tracing (small ones), NAME.otf2, a folder that is "
                "made, for Vampir and other tools, and a trace itself, NAME.h5 for weft explain; relative to the "
                "working directory. Not given: none.")
          .only_with("workload.kind", workloads::workload_kinds(true)),
      row::ranges(
          "statistics.timeline_tasks", {0, 1'000'000'000},
          "Tasks that statistics.timeline is of, \"0-15,20\" or [0, 128]; what they did is in the result, too, for "
          "weft report to draw. Not given: all for statistics.timeline, else none.")
          .only_with("workload.kind", workloads::workload_kinds(true)),
      row::integer("statistics.timeline_from_cycles", "cycles", 0, {0, most_cycles},
                   "What ends before is not in statistics.timeline.")
          .only_with("statistics.timeline"),
      row::integer("statistics.timeline_to_cycles", "cycles", 0, {0, most_cycles},
                   "What begins then or later is not in statistics.timeline. 0 = the end of the run.")
          .only_with("statistics.timeline"),
      row::integer("statistics.most_timeline", "records", 4'000'000, {1, 1'000'000'000},
                   "Of 72 bytes each, for statistics.timeline: each task has an equal share of them; when the first "
                   "one has no more room, the timeline of all ends, and a warning says so.")
          .only_with("statistics.timeline"),
      row::text("statistics.timeline_links", std::nullopt,
                "Links whose utilisation statistics.timeline has, as /busiest_links names them: \"router 0, X+; router "
                "3, X-\", or \"router 0, port 1\", or \"node 5\" for the link of a node's NIC. Not given: none.")
          .only_with("statistics.timeline"),
      row::integer("statistics.timeline_links_cycles", "cycles", 1000, {1, most_cycles},
                   "Each value of statistics.timeline_links is of so many cycles.")
          .only_with("statistics.timeline_links"),
  };
}

}  // namespace weft::tools::rows
