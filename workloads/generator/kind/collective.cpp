// Kind "collective": the messages of one MPI operation, by an algorithm of workloads/generator/collective.
#include "workloads/generator/collective/collective.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "workloads/generator/collective/communicator.hpp"
#include "workloads/generator/collective/piece_counts.hpp"
#include "workloads/generator/collective/rules.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

CollectiveSpec collective_spec(const Parameters& keys, u32 tasks) {
  CollectiveSpec spec;
  spec.operation = keys.text("name");
  spec.algorithm = keys.text("algorithm");
  spec.tasks = tasks;
  spec.message_bytes = static_cast<u64>(keys.integer("message_bytes"));
  spec.repetitions = count_or(keys, "repetitions", 1);
  spec.segment_bytes = static_cast<u64>(keys.integer("segment_bytes"));
  spec.radix = static_cast<u32>(keys.integer("radix"));
  spec.node_tasks = static_cast<u32>(keys.integer("node_tasks"));
  spec.switch_tasks = static_cast<u32>(keys.integer("switch_tasks"));
  spec.library = keys.text("collectives");
  spec.commutative = keys.flag("commutative");
  spec.empty_messages = keys.flag("empty_messages");
  spec.self_messages = keys.flag("self_messages");
  spec.shape = keys.integers("shape");
  spec.wrap = keys.flag("wrap");
  spec.combine_ns_per_byte = keys.real("combine_ns_per_byte");
  return spec;
}

/// The key that gives bytes of pieces, if any does: of two, the first counts.
std::string key_of_counts(const Parameters& keys) {
  if (!keys.integers("counts").empty()) return "counts";
  if (!keys.text("counts_file").empty()) return "counts_file";
  return keys.text("counts_law") == "equal" ? "" : "counts_law";
}

std::shared_ptr<const PieceCounts> listed_in_config(const std::vector<i64>& listed, u32 tasks) {
  if (listed.size() != tasks) {
    throw ConfigError(
        fmt::format("workload.counts has {} numbers for {} tasks (of a communicator); give {}, or other workload.tasks "
                    "or group_tasks",
                    listed.size(), tasks, tasks));
  }
  return std::make_shared<const PieceCounts>(std::vector<u64>(listed.begin(), listed.end()), tasks);
}

std::shared_ptr<const PieceCounts> counts_of(const WorkloadSpec& from, const CollectiveSpec& spec) {
  const std::string key = key_of_counts(from.keys);
  if (key.empty() || spec.tasks == 0) return {};
  const bool pairs = OperationRegistry::instance().find(spec.operation)->counts == CollectiveOperation::Counts::by_pair;
  if (key == "counts") return listed_in_config(from.keys.integers(key), spec.tasks);
  if (key == "counts_file") return read_counts(open_bytes(from.keys.text(key)), spec.tasks, pairs);
  const CountsLaw law = from.keys.text(key) == "zipf" ? CountsLaw::zipf : CountsLaw::uniform;
  return drawn_counts(law, from.keys.real("counts_exponent"), spec.message_bytes, spec.tasks, pairs, from.seed);
}

/// What is wrong with a key beside the one that gives the bytes of pieces.
std::optional<Complaint> unused_beside_counts(const Parameters& keys, const std::string& name) {
  const std::string key = key_of_counts(keys);
  const bool listed = key == "counts" || key == "counts_file";
  const bool other =
      name == "message_bytes" || name == "counts_law" || name == "counts_exponent" || name == "counts_file";
  if (!listed || !other || name == key) return {};
  return Complaint{"workload." + name, fmt::format("with workload.{} (it gives all lengths)", key),
                   "remove one of them"};
}

/// As many as its nodes have places, of a communicator of tasks in a row that are placed node after node.
u32 tasks_of_a_switch(const WorkloadSpec& from) {
  const models::Topology& topology = *from.topology;
  if (topology.joins_all()) return 1;
  const u64 nodes = topology.nodes_at(topology.router_of(NodeId(0))), each = from.tasks_per_node,
            stride = count_or(from.keys, "group_stride", 1);
  return static_cast<u32>(std::clamp<u64>(nodes * each / stride, 1, std::max(1U, from.tasks)));
}

std::unique_ptr<Program> collective_of(const WorkloadSpec& from) {
  const u32 group = count_or(from.keys, "group_tasks", from.tasks);
  CollectiveSpec spec = collective_spec(from.keys, group);
  if (collective_kind(spec).by_switches && spec.switch_tasks == 0) spec.switch_tasks = tasks_of_a_switch(from);
  spec.counts = counts_of(from, spec);
  auto program = make_collective(spec);
  check_longest_message(longest_message_bytes(spec), from.limits);
  if (group == from.tasks) return program;
  return in_communicators(std::move(program),
                          communicator_split(from.tasks, group, count_or(from.keys, "group_stride", 1)));
}

/// What is wrong with the library whose rules are asked for.
[[maybe_unused]] const bool collective_registered = WorkloadRegistry::instance().add(
    "collective",
    {.help = "those of a collective operation",
     .place = 3,
     .settings =
         {row_of::name(),
          row::text(
              "workload.algorithm", "auto",
              "by which messages; `weft describe collectives` or `accelerators` lists them, auto = its usual one."),
          row_of::tasks(),
          row_of::message_bytes("of the data that is broadcast or reduced, of the piece of one task "
                                "(allgather, gather, scatter, reduce-scatter), or of what it has for each "
                                "other (all-to-all)."),
          row::integer("workload.segment_bytes", "bytes", 0, {0, 1'000'000'000'000},
                       "length of the segments that pipelined and segmented algorithms cut data into; 0 = the "
                       "algorithm's usual one."),
          row::integer("workload.radix", "", 0, {0, 1 << 20},
                       "of the tree of k-nomial algorithms, 2 or more; 0 = the algorithm's usual one."),
          row::integer("workload.group_tasks", "tasks", 0, {0, 1 << 24},
                       "tasks of a communicator: all tasks are split into groups of as many, which do the "
                       "operation at the same time; 0 = one of all tasks."),
          row::integer("workload.group_stride", "tasks", 1, {1, 1 << 24},
                       "from one task of a group to its next; 1 = groups are tasks in a row.")
              .only_with("workload.group_tasks"),
          row::integer("workload.node_tasks", "tasks", 0, {0, 1 << 24},
                       "tasks of a node, in a row, for algorithms that know nodes (hierarchical); 0 = one."),
          row::integer("workload.switch_tasks", "tasks", 0, {0, 1 << 24},
                       "tasks of a switch of the first level, in a row, for algorithms that know switches (bridge); 0 "
                       "= as many as the first one has places for."),
          row_of::collectives().only_with("workload.algorithm", {"auto"}),
          row::boolean("workload.commutative", true, "whether what combines data commutes, for the rules of a library.")
              .only_with("workload.collectives"),
          row::real("workload.combine_ns_per_byte", "ns", 0, {0, 1e6},
                    "computing time of a task for each byte that it receives and combines with its own."),
          row::choice("workload.counts_law", "equal", {"equal", "uniform", "zipf"},
                      "lengths of pieces that may differ (allgatherv, all-to-allv, all-to-allw...): message_bytes "
                      "each, or drawn with "
                      "that mean: from 0 to twice as much, or by Zipf's law."),
          row::real("workload.counts_exponent", "", 1, {0, 8},
                    "the k-th longest piece is 1 / k^exponent of the longest.")
              .only_with("workload.counts_law", {"zipf"}),
          row::integers("workload.counts", "bytes", {0, 1'000'000'000'000},
                        "lengths of such pieces in place of message_bytes: of each task, or, in all-to-allv and "
                        "all-to-allw, of what all "
                        "have for that task."),
          row::path("workload.counts_file",
                    "a text with the same numbers, or, for all-to-allv and all-to-allw, with one for each pair, sender "
                    "after sender."),
          row::boolean("workload.empty_messages", false,
                       "pieces of no bytes are sent as well, as empty messages, where libraries send them (allgatherv, "
                       "all-to-allv)."),
          row::boolean("workload.self_messages", false,
                       "what a task has for itself is a message to itself, where it is one in libraries (MPICH's "
                       "scattered all-to-allv and all-to-allw)."),
          row::integers(
              "workload.shape", "tasks", {1, 1 << 24},
              "tasks in each dimension of the grid of neighbour-allgather and neighbour-alltoall, [32, 16]; not "
              "given: a nearly square one."),
          row::boolean("workload.wrap", false, "that grid is a torus."),
          row_of::repetitions("how often it runs through; 0 = once.")},
     .check =
         [](const Parameters& keys) {
           if (auto complaint = unless_given(keys, "name", "the name of an operation",
                                             "name = \"reduce\"; weft describe collectives lists them"))
             return complaint;
           return unless_rules(keys.text("collectives"));
         },
     .unused =
         [](const Parameters& keys, const std::string& name) {
           const auto complaint = unused_by_collective(collective_spec(keys, 0), name);
           return complaint ? complaint : unused_beside_counts(keys, name);
         },
     .time_key = "workload.combine_ns_per_byte",
     .make = collective_of});

}  // namespace
}  // namespace weft::workloads
