// Kind "msccl": a collective operation by an algorithm of MSCCL.
#include "workloads/generator/accelerator/msccl.hpp"

#include "workloads/generator/accelerator/nccl.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

std::unique_ptr<Program> msccl_of(const WorkloadSpec& from) {
  MscclAlgorithm algorithm = read_msccl_file(from.keys.text("path"));
  MscclSpec spec;
  spec.bytes = static_cast<u64>(from.keys.integer("message_bytes"));
  spec.repetitions = count_or(from.keys, "repetitions", 1);
  spec.transport.chunk_bytes = static_cast<u64>(from.keys.integer("chunk_bytes"));
  spec.transport.hop_ns = static_cast<u64>(from.keys.integer("hop_ns"));
  constexpr u64 most_wire_bytes = 2;  // for one of data
  check_longest_message(std::min(spec.bytes, spec.transport.chunk_bytes) * algorithm.most_chunks() * most_wire_bytes,
                        from.limits);
  return make_msccl(std::move(algorithm), spec);
}

/// As nccl-tests has it for the operation that the file names; 0 for one of its own ("custom").
double msccl_bus_factor(const std::string& collective, u32 tasks) {
  const std::string names[][2] = {{"allreduce", "allreduce"},
                                  {"allgather", "allgather"},
                                  {"reduce_scatter", "reduce-scatter"},
                                  {"reducescatter", "reduce-scatter"},
                                  {"alltoall", "all-to-all"},
                                  {"broadcast", "broadcast"},
                                  {"reduce", "broadcast"}};  // NCCL's factor of both is 1
  for (const auto& [of_msccl, of_nccl] : names) {
    if (collective == of_msccl) return nccl_kind(of_nccl, "auto").bus_factor(tasks);
  }
  return 0;
}

BusMeasure msccl_bus(const Parameters& keys, u32 tasks) {
  return {static_cast<u64>(keys.integer("message_bytes")) * count_or(keys, "repetitions", 1),
          msccl_bus_factor(read_msccl_file(keys.text("path")).collective, tasks)};
}

[[maybe_unused]] const bool msccl_registered =
    WorkloadRegistry::instance().add(
        "msccl", {.help = "those of a collective operation by an algorithm of MSCCL",
                  .place = 6,
                  .settings = {row::path("workload.path", "the file, relative to the config file or absolute."),
                               row_of::message_bytes("of all chunks of the algorithm together (nchunksperloop): for an "
                                                     "allreduce of the data that is reduced."),
                               row::integer("workload.chunk_bytes", "bytes", 524'288, {1, 1 << 30},
                                            "most data of a chunk in a turn; chunks of more go in several turns."),
                               row::integer("workload.hop_ns", "ns", 0, {0, 1'000'000'000},
                                            "time of a task before each message, for synchronisation; it depends on "
                                            "protocol and hardware."),
                               row_of::repetitions("how often it runs through; 0 = once.")},
                  .check =
                      [](const Parameters& keys) {
                        return unless_given(keys, "path", "an algorithm",
                                            "path = \"traces/msccl/ring-allreduce-4.xml\"");
                      },
                  .time_key = "workload.hop_ns",
                  .make = msccl_of,
                  .has_lanes = true,
                  .bus = msccl_bus});

}  // namespace
}  // namespace weft::workloads
