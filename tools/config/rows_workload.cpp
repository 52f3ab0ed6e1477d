// Rows of [workload] and [placement]: what the nodes send, and which node runs which task.
#include <algorithm>

#include "tools/config/registered_rows.hpp"
#include "tools/config/settings.hpp"
#include "workloads/length/length_law.hpp"
#include "workloads/pattern/pattern.hpp"
#include "workloads/placement/policy.hpp"

namespace weft::tools::rows {

std::vector<Setting> workload_and_placement() {
  // Kinds of workloads: packets of nodes, tasks, and of those the ones that are not recorded.
  const std::vector<std::string> packets = {"synthetic", "burst"}, written_tasks = {"kernel", "collective", "exchange"},
                                 tasks = {"kernel", "collective", "exchange", "trace"};
  constexpr i64 most_tasks = 1 << 30, most_cycles = 1'000'000'000;
  std::vector<std::string> length_laws = workloads::LengthRegistry::instance().names();
  length_laws.insert(length_laws.begin(), "auto");
  std::vector<Setting> rows = {
      row::choice(
          "workload.kind", "synthetic", {"synthetic", "burst", "kernel", "collective", "exchange", "trace"},
          "synthetic: packets at random times to destinations of a pattern; burst: every node sends some packets "
          "at once, again when the network is empty; kernel: the messages of an application kernel; collective: "
          "those of a collective operation; exchange: pairs of tasks send each other messages at the same time; trace: "
          "replay of a recorded MPI application."),
      row::text("workload.pattern", "uniform",
                "Synthetic, burst: how destinations are chosen; `weft describe patterns` lists them.")
          .only_with("workload.kind", packets),
      row::integers(
          "workload.job_nodes", "nodes", {2, 1 << 30},
          "Synthetic, burst: several jobs side by side, each with so many nodes; placement.policy says which. "
          "Nodes that are left over are idle. Not given: one pattern for all nodes.")
          .only_with("workload.kind", packets),
      row::text("workload.job_patterns", "",
                "The pattern of each job, separated by commas (\"uniform, stencil\"), among its own nodes.")
          .only_with("workload.kind", packets),
      row::integers("workload.job_load_percent", "%", {0, 100},
                    "Of workload.offered_load (of the packets of a burst), what the nodes of each job generate; not "
                    "given: all of it.")
          .only_with("workload.kind", packets),
      row::real("workload.offered_load", "phits/node/cycle", 0.3, {0.0, 1.0},
                "Synthetic: load that each node generates.")
          .only_with("workload.kind", {"synthetic"}),
      row::choice(
          "workload.source_queue", "bounded", {"bounded", "unbounded"},
          "Synthetic: what a source does when its NIC (router.injection_queue_packets) is full. bounded: it generates "
          "nothing until there is free space, so that latency beyond saturation stays that of a full NIC. unbounded: "
          "it goes on, and packets wait at the source; latency counts from generation, and grows with the run beyond "
          ""
          "saturation. Waiting packets take no memory, however many: they are drawn again from their numbers.")
          .only_with("workload.kind", {"synthetic"}),
      row::choice("workload.packet_length", "auto", length_laws,
                  "Synthetic, burst: how long packets are, with routers that take any length; `weft describe lengths` "
                  "explains the laws. auto: uniform if workload.packet_cells is given, else fixed.")
          .only_with("workload.kind", packets),
      row::integer("workload.burst_packets", "packets", 10, {1, 1'000'000'000},
                   "Burst: packets of each node in a burst.")
          .only_with("workload.kind", {"burst"}),
      row::integer("workload.bursts", "bursts", 1, {1, 1'000'000'000}, "Burst: number of bursts.")
          .only_with("workload.kind", {"burst"}),
      row::text("workload.name", std::nullopt,
                "Kernel, collective, exchange: which one; `weft describe kernels`, `weft describe collectives` and "
                "`weft describe exchanges` list them.")
          .only_with("workload.kind", written_tasks),
      row::integers("workload.pairs", "tasks", {0, most_tasks},
                    "Exchange \"pairs\": source and destination of each pair in turn, as numbers of tasks.")
          .only_with("workload.kind", {"exchange"})
          .only_with("workload.name", {"pairs"}),
      row::boolean(
          "workload.both_ways", true,
          "Exchange: both tasks of a pair send, and each waits for the other's message before its next; false: "
          "only the first of them sends.")
          .only_with("workload.kind", {"exchange"}),
      row::text("workload.algorithm", "auto",
                "Collective: by which messages; `weft describe collectives` lists them, auto = its usual one.")
          .only_with("workload.kind", {"collective"}),
      row::integer("workload.tasks", "tasks", 0, {0, most_tasks},
                   "Kernel, collective, exchange: number of tasks; 0 = one for each place on the nodes.")
          .only_with("workload.kind", written_tasks),
      row::integer(
          "workload.tasks_per_node", "tasks", 1, {1, workloads::most_tasks_per_node},
          "Kernel, collective, exchange, trace: places for tasks on each node; its tasks take turns at its NIC, packet "
          "by packet.")
          .only_with("workload.kind", tasks),
      row::integer("workload.local_latency_cycles", "cycles", 1, {1, most_cycles},
                   "Kernel, collective, trace: a message to another task of the same node takes as long, whatever its "
                   "size, and does not enter the network.")
          .only_with("workload.kind", tasks),
      row::integer("workload.turnaround_cycles", "cycles", 0, {0, most_cycles},
                   "Kernel, collective, trace: a task that has received takes as long until it can send or compute.")
          .only_with("workload.kind", tasks)
          .only_with("workload.mode", {"causal"}),
      row::integer("workload.send_gap_cycles", "cycles", 0, {0, most_cycles},
                   "Kernel, collective, trace: least time from the start of a task's message to the start of its "
                   "next.")
          .only_with("workload.kind", tasks),
      row::integer(
          "workload.message_bytes", "bytes", 40'960, {1, 1'000'000'000'000},
          "Kernel, exchange: size of a message. Collective: of the data that is broadcast or reduced, that a task adds "
          "(allgather), or that it has for each other (all-to-all).")
          .only_with("workload.kind", written_tasks),
      row::integer("workload.dimensions", "dimensions", 0, {0, 8},
                   "Kernel: dimensions of the virtual mesh of tasks; 0 = the kernel's own, mostly 2.")
          .only_with("workload.kind", {"kernel"}),
      row::boolean("workload.return_sweep", false, "Wavefront kernel: sweep back after the sweep forth.")
          .only_with("workload.kind", {"kernel"}),
      row::boolean("workload.wrap", false, "Kernels on a mesh: the virtual mesh is a torus.")
          .only_with("workload.kind", {"kernel"}),
      row::boolean("workload.diagonals", false, "Mesh kernel: exchange with diagonal neighbours too.")
          .only_with("workload.kind", {"kernel"}),
      row::integer("workload.repetitions", "", 0, {0, 1'000'000'000},
                   "Kernel, collective: how often it runs through; exchange: messages of each pair; for waterfall the "
                   "wave-fronts in a row, for direction-distribution "
                   ""
                   "the messages in each direction. 0 = the kernel's own: 40 for waterfall, 1 for all others.")
          .only_with("workload.kind", written_tasks),
      row::path("workload.path", "Trace: the file, relative to the config file or absolute.")
          .only_with("workload.kind", {"trace"}),
      row::text("workload.trace_format", "auto",
                "Trace: its format, auto = from the file itself; `weft describe formats` lists them.")
          .only_with("workload.kind", {"trace"}),
      row::choice(
          "workload.mode", "causal", {"causal", "at-will"},
          "Trace: causal: a receive waits for its message; at-will: tasks send as fast as the network takes it.")
          .only_with("workload.kind", {"trace"}),
      row::real("workload.cpu_scale", "", 0.0, {0.0, 1e9},
                "Trace: recorded computing time is multiplied by this; 0 = computing takes no time.")
          .only_with("workload.kind", {"trace"}),

      row::choice(
          "placement.policy", "consecutive", workloads::PlacementRegistry::instance().names(),
          "In which order tasks fill the nodes, workload.tasks_per_node on each, and the processes of synthetic "
          "patterns; or which node has which, by a file. `weft describe placements` explains the policies."),
  };
  for (Setting& own : registered_rows<workloads::PlacementKind>()) rows.push_back(std::move(own));
  for (Setting& own : registered_rows<workloads::LengthLaw>()) rows.push_back(std::move(own));
  const std::vector<Setting> of_patterns = registered_rows<workloads::PatternKind>();
  rows.insert(std::ranges::find(rows, "workload.pattern", &Setting::key) + 1, of_patterns.begin(), of_patterns.end());
  return rows;
}

}  // namespace weft::tools::rows
