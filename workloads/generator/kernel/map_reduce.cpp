// Kernel "map-reduce": the shuffle: every mapper sends a part of what it has to every reducer.
// Dean and Ghemawat: MapReduce, simplified data processing on large clusters, OSDI 2004.
#include <fmt/format.h>

#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// The first tasks map: compute, then send to all reducers, mapper i to reducer i first. The others reduce: receive
/// from all mappers, in the order of their numbers, then compute.
struct MapReducePlan {
  u32 mappers, reducers;
  u64 bytes, computing;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots(u32 task) const { return 1 + (task < mappers ? reducers : mappers); }
  Op op(u32 task, u32, u64 slot) const {
    if (task < mappers) {
      if (slot == 0) return compute_op(computing);
      return send_op(mappers + static_cast<u32>((task + slot - 1) % reducers), bytes);
    }
    return slot == mappers ? compute_op(computing) : receive_op(static_cast<u32>(slot), bytes);
  }
};

std::unique_ptr<Program> make_map_reduce(const KernelSpec& spec) {
  const i64 given = spec.keys.integer("mappers");
  if (given >= spec.tasks && spec.tasks > 1) {
    throw ConfigError(fmt::format("workload.mappers = {} leaves no reducer among {} tasks; use {} or less", given,
                                  spec.tasks, spec.tasks - 1));
  }
  const u32 mappers = spec.tasks == 1 ? 1 : given == 0 ? spec.tasks / 2 : static_cast<u32>(given);
  return planned_program(
      fmt::format("map-reduce {} to {}", mappers, spec.tasks - mappers), spec.tasks,
      MapReducePlan{mappers, spec.tasks - mappers, spec.message_bytes, compute_ns(spec), spec.repetitions});
}

const bool map_reduce_registered = KernelRegistry::instance().add(
    "map-reduce", {.help = "a shuffle: each mapper sends to each reducer; any number of tasks",
                   .make = make_map_reduce,
                   .settings = {kernel_row::compute_ns("computing of mappers before, of reducers after the messages."),
                                row::integer("workload.mappers", "tasks", 0, {0, 1 << 24},
                                             "tasks that map, the first ones; the others reduce. 0 = half of them.")}});

}  // namespace
}  // namespace weft::workloads
