// Kind "nccl": a collective operation as libraries of accelerators do it, by an algorithm of
// workloads/generator/accelerator.
#include "workloads/generator/accelerator/nccl.hpp"

#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

NcclSpec nccl_spec(const Parameters& keys, u32 tasks) {
  NcclSpec spec;
  spec.operation = keys.text("name");
  spec.algorithm = keys.text("algorithm");
  spec.tasks = tasks;
  spec.node_tasks = count_or(keys, "node_tasks", 1);
  spec.message_bytes = static_cast<u64>(keys.integer("message_bytes"));
  spec.repetitions = count_or(keys, "repetitions", 1);
  spec.channels = static_cast<u32>(keys.integer("channels"));
  spec.pxn = keys.flag("pxn");
  spec.transport.chunk_bytes = static_cast<u64>(keys.integer("chunk_bytes"));
  spec.transport.hop_ns = static_cast<u64>(keys.integer("hop_ns"));
  spec.reductions_in_flight = static_cast<u32>(keys.integer("reductions_in_flight"));
  spec.switch_latency_ns = static_cast<u64>(keys.integer("switch_latency_ns"));
  set_protocol(spec.transport, keys.text("protocol"));
  return spec;
}

std::unique_ptr<Program> nccl_of(const WorkloadSpec& from) {
  const NcclSpec spec = nccl_spec(from.keys, from.tasks);
  check_longest_message(spec.transport.on_wire(spec.message_bytes), from.limits);
  return make_nccl(spec);
}

BusMeasure bus_of(const Parameters& keys, u32 tasks) {
  const NcclSpec spec = nccl_spec(keys, tasks);
  return {spec.message_bytes * spec.repetitions, nccl_kind(spec.operation, spec.algorithm).bus_factor(tasks)};
}

[[maybe_unused]] const bool nccl_registered = WorkloadRegistry::instance().add(
    "nccl",
    {.help = "those of a collective operation as libraries of accelerators do it",
     .place = 4,
     .settings =
         {row_of::name(),
          row::text(
              "workload.algorithm", "auto",
              "by which messages; `weft describe collectives` or `accelerators` lists them, auto = its usual one."),
          row_of::tasks(),
          row_of::message_bytes("of the largest buffer of a task, as \"size\" of nccl-tests: of the data that "
                                "is reduced or broadcast; of all blocks together (allgather, reduce-scatter, "
                                "all-to-all)."),
          row::integer("workload.node_tasks", "tasks", 0, {0, 1 << 24},
                       "tasks of a node, numbered in a row: rings and trees go through nodes one by one, and "
                       "enter and leave them by another place in each channel."),
          row::integer("workload.channels", "channels", 1, {1, most_lanes},
                       "the data is divided among them; each goes its own way at the same time."),
          row::integer("workload.chunk_bytes", "bytes", 524'288, {1, 1 << 30},
                       "most data of a message of a ring or a tree."),
          row::choice("workload.protocol", "simple", nccl_protocols(),
                      "bytes on the wire for those of data: simple 1; ll 2 (a flag beside each 4 bytes); "
                      "ll128 16/15 (one beside each 120)."),
          row::integer("workload.hop_ns", "ns", 0, {0, 1'000'000'000},
                       "time of a task before each message, for synchronisation; it depends on protocol and "
                       "hardware."),
          row::boolean("workload.pxn", false,
                       "messages to other nodes go by the task of the receiver's place in the own node, which "
                       "sends those of all once to each node (all-to-all)."),
          row::integer("workload.reductions_in_flight", "chunks", 0, {0, 1 << 20},
                       "most chunks of a channel that switches hold at a time (in-network): a task gives the next "
                       "one when it has got so manieth before back; 0 = any number."),
          row::integer("workload.switch_latency_ns", "ns", 0, {0, 100'000'000},
                       "from a node to the switch that combines, and back (in-network on the ideal network); 0 = "
                       "ideal.latency_ns."),
          row_of::repetitions("how often it runs through; 0 = once.")},
     .check =
         [](const Parameters& keys) {
           return unless_given(keys, "name", "the name of an operation",
                               "name = \"allreduce\"; weft describe accelerators lists them");
         },
     .unused = [](const Parameters& keys, const std::string& name) { return unused_by_nccl(nccl_spec(keys, 0), name); },
     .time_key = "workload.hop_ns",
     .make = nccl_of,
     .has_lanes = true,
     .bus = bus_of});

}  // namespace
}  // namespace weft::workloads
