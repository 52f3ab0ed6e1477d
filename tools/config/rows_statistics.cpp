// Rows of [statistics]: what a run counts and writes besides its summary, all of it off unless asked for.
#include "tools/config/settings.hpp"
#include "workloads/kind/workload_kind.hpp"

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
      row::text(
          "statistics.events", std::nullopt,
          "File for what happens to single packets, a line each, relative to the working directory. Not given: none."),
      row::integers("statistics.event_nodes", "", {0, 1'000'000'000},
                    "Nodes whose packets statistics.events is to follow. Not given: all.")
          .only_with("statistics.events"),
      row::text("statistics.matches", std::nullopt,
                "File (CSV) for which receive took which message: tasks, and operations in their programs from 0; "
                "relative to the working directory. Not given: none.")
          .only_with("workload.kind", workloads::workload_kinds(true)),
      row::text("statistics.timeline", std::nullopt,
                "File (JSON, trace events as Perfetto and chrome://tracing read them) for what the tasks of "
                "statistics.timeline_tasks did, and when; relative to the working directory. Not given: none.")
          .only_with("statistics.timeline_tasks"),
      row::integers("statistics.timeline_tasks", "", {0, 1'000'000'000},
                    "Tasks with lanes of which the result has what they did, and when. Not given: none.")
          .only_with("workload.kind", workloads::kinds_with_lanes()),
  };
}

}  // namespace weft::tools::rows
