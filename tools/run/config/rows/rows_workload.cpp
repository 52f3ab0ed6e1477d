// Rows of [workload] and [placement]: what the nodes send, and which node runs which task.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

#include "tools/run/config/rows/registered_rows.hpp"
#include "tools/run/config/settings.hpp"
#include "workloads/generator/kernel/kernel.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/program/matching/matching.hpp"
#include "workloads/program/placement/placement.hpp"
#include "workloads/program/placement/policy.hpp"
#include "workloads/traffic/arrival_law.hpp"
#include "workloads/traffic/length_law.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::tools::rows {
namespace {

constexpr i64 most_cycles = 1'000'000'000;
constexpr double most_ns = 1e9;

/// What all kinds with independent sources have.
std::vector<Setting> rows_of_sources() {
  std::vector<std::string> length_laws = workloads::LengthRegistry::instance().names();
  length_laws.insert(length_laws.begin(), "auto");
  return {row::text("workload.pattern", "uniform", "how destinations are chosen; `weft describe patterns` lists them."),
          row::choice("workload.packet_length", "auto", length_laws,
                      "how long packets are, with routers that take any length; `weft describe lengths` "
                      "explains the laws. auto: uniform if workload.packet_cells is given, else fixed.")};
}

/// What kinds have whose sources generate packets at random times.
Setting row_of_arrivals() {
  return row::choice("workload.arrivals", "bernoulli", workloads::ArrivalRegistry::instance().names(),
                     "when sources generate packets, at the mean load workload.offered_load; `weft describe arrivals` "
                     "explains the laws.");
}

/// What all kinds with tasks have.
std::vector<Setting> rows_of_tasks() {
  std::vector<std::string> matchings = workloads::MatchingRegistry::instance().names();
  matchings.insert(matchings.begin(), "auto");
  return {
      row::integer(
          "workload.tasks_per_node", "tasks", std::nullopt, {1, workloads::most_tasks_per_node},
          "places for tasks on each node, in place of node.tasks; its tasks take turns at its NIC, packet by packet."),
      row::integer("workload.local_latency_cycles", "cycles", 1, {1, most_cycles},
                   "a message to another task of the same node takes as long, whatever its size, and does not enter "
                   "the network."),
      row::integer("workload.turnaround_cycles", "cycles", 0, {0, most_cycles},
                   "a task that has received takes as long until it can send or compute.")
          .only_with("workload.mode", {"causal"}),
      row::integer("workload.send_gap_cycles", "cycles", 0, {0, most_cycles},
                   "least time from the start of a task's message to the start of its next."),
      row::choice("workload.matching", "auto", matchings,
                  "how receives find their messages; `weft describe matchings` explains the rules. auto: order for "
                  "graphs, else length."),
      row::real("workload.overhead_ns", "ns", 0, {0, most_ns},
                "o of LogGOPS: time that a task takes to send a message, and to take one in."),
      row::real("workload.byte_overhead_ns", "ns/byte", 0, {0, 1e6}, "O: the same for each byte but the first."),
      row::real("workload.gap_ns", "ns", 0, {0, most_ns},
                "g: least time at a node from the start of one message to the start of the next, each way."),
      row::integer("workload.rendezvous_bytes", "bytes", 0, {0, i64{1} << 53},
                   "S: the sender of a longer message asks first (RTS), and waits until it is received (CTS); 0: no "
                   "message is too long to be sent at once."),
      row::path("workload.cpu_factors",
                "file of lines `task factor`: computations and overheads of that task take times as long (1 for tasks "
                "without a line)."),
      row::choice("workload.noise", "none", {"none", "fixed", "exponential"},
                  "pauses of the system, at random times, on the processors of each task, and how long they are: "
                  "workload.noise_ns each, or exponentially distributed with that mean. Work is over so much later."),
      row::real("workload.noise_ns", "ns", 0, {0, most_ns}, "mean length of pauses.")
          .only_with("workload.noise", {"fixed", "exponential"}),
      row::real("workload.noise_interval_ns", "ns", 0, {0, 1e12},
                "mean time from the begin of a pause to the begin of the next.")
          .only_with("workload.noise", {"fixed", "exponential"}),
      row::path("workload.noise_file",
                "recorded pauses in place of random ones: lines `begin_ns length_ns`, repeated; each task begins at a "
                "place of its own in the recording.")};
}

/// The rows that a kind has: its own, and those of all of its sort.
std::vector<Setting> rows_of_kind(const workloads::WorkloadKind& kind) {
  std::vector<Setting> own = kind.settings, shared = kind.runs_tasks() ? rows_of_tasks() : rows_of_sources();
  std::vector<Setting>& first = kind.runs_tasks() ? own : shared;
  const std::vector<Setting>& then = kind.runs_tasks() ? shared : own;
  const bool loaded = std::ranges::find(kind.settings, "workload.offered_load", &Setting::key) != kind.settings.end();
  if (!kind.runs_tasks() && loaded) shared.push_back(row_of_arrivals());
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

/// Keys in the order of lists: each behind the one that its kind declares before it.
std::vector<std::string> in_order_of_kinds(const std::vector<DeclaredRows>& declared) {
  std::vector<std::string> keys;
  for (const DeclaredRows& kind : declared) {
    auto at = keys.end();
    for (const Setting& row : kind.settings) {
      auto found = std::ranges::find(keys, row.key);
      if (found == keys.end()) found = keys.insert(at, row.key);
      at = found + 1;
    }
  }
  return keys;
}

/// Rows of all kinds of workloads; each has an effect only with the kinds that declare it.
std::vector<Setting> rows_of_kinds() {
  std::vector<DeclaredRows> declared;
  for (const std::string& name : workloads::workload_kinds())
    declared.push_back({name, rows_of_kind(*workloads::WorkloadRegistry::instance().find(name))});
  std::unordered_map<std::string, std::vector<std::string>> owners;
  for (const DeclaredRows& kind : declared) {
    for (const Setting& setting : kind.settings) owners[setting.key].push_back(kind.kind);
  }
  std::unordered_map<std::string, Setting> joined;
  for (Setting& row : joined_rows(declared)) {
    row.conditions.insert(row.conditions.begin(), {"workload.kind", owners.at(row.key)});
    joined.emplace(row.key, std::move(row));
  }
  std::vector<Setting> rows;
  for (const std::string& key : in_order_of_kinds(declared)) rows.push_back(std::move(joined.at(key)));
  return rows;
}

Setting row_of_kind() {
  std::vector<std::string> helps;
  for (const std::string& name : workloads::workload_kinds())
    helps.push_back(fmt::format("{}: {}", name, workloads::WorkloadRegistry::instance().find(name)->help));
  return row::choice("workload.kind", "synthetic", workloads::workload_kinds(),
                     fmt::format("{}.", fmt::join(helps, "; ")));
}

}  // namespace

std::vector<Setting> workload_and_placement() {
  std::vector<Setting> rows = rows_of_kinds();
  rows.insert(rows.begin(), row_of_kind());
  const std::vector<Setting> of_patterns = registered_rows<workloads::PatternKind>();
  rows.insert(std::ranges::find(rows, "workload.pattern", &Setting::key) + 1, of_patterns.begin(), of_patterns.end());
  const std::vector<Setting> of_kernels = registered_rows<workloads::KernelKind>();
  rows.insert(std::ranges::find(rows, "workload.diagonals", &Setting::key) + 1, of_kernels.begin(), of_kernels.end());
  rows.push_back(row::choice(
      "placement.policy", "consecutive", workloads::PlacementRegistry::instance().names(),
      "In which order tasks fill the nodes, workload.tasks_per_node on each, and the processes of synthetic "
      "patterns; or which node has which, by a file. `weft describe placements` explains the policies."));
  for (Setting& own : registered_rows<workloads::PlacementKind>()) rows.push_back(std::move(own));
  for (Setting& own : registered_rows<workloads::LengthLaw>()) rows.push_back(std::move(own));
  for (Setting& own : registered_rows<workloads::ArrivalLaw>()) rows.push_back(std::move(own));
  return rows;
}

}  // namespace weft::tools::rows
