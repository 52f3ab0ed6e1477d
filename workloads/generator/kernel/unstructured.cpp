// Kernel "unstructured": exchanges with the neighbours of a random graph, as codes on unstructured grids that were
// divided without regard to the machine.
#include <fmt/format.h>

#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"
#include "workloads/generator/kernel/random_order.hpp"

namespace weft::workloads {
namespace {

/// The graph is made of `degree` random perfect matchings, the same in all rounds: a task has a neighbour in each (with
/// an odd number of tasks one of them has none); two may be the same. Rounds: send to all neighbours, receive from all,
/// compute. Tag: the number of the matching.
struct UnstructuredPlan {
  u32 tasks, degree;
  u64 bytes, computing, seed;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return u64{2} * degree + 1; }
  Op op(u32 task, u32, u64 slot) const {
    if (slot == u64{2} * degree) return compute_op(computing);
    const auto matching = static_cast<u32>(slot % degree);
    const RandomOrder order(tasks, engine::random_bits(seed, 2, matching, engine::Use::kernel));
    const auto peer = order.partner_of(task);
    if (!peer) return {};
    return slot < degree ? send_op(*peer, bytes, matching) : receive_op(*peer, bytes, matching);
  }
};

std::unique_ptr<Program> make_unstructured(const KernelSpec& spec) {
  return planned_program(fmt::format("unstructured of {}", spec.tasks), spec.tasks,
                         UnstructuredPlan{spec.tasks, static_cast<u32>(spec.keys.integer("degree")), spec.message_bytes,
                                          compute_ns(spec), spec.seed, spec.repetitions});
}

const bool unstructured_registered = KernelRegistry::instance().add(
    "unstructured",
    {.help = "exchanges with the neighbours of a random graph; any number of tasks",
     .make = make_unstructured,
     .settings = {kernel_row::compute_ns("computing in each round."),
                  row::integer("workload.degree", "neighbours", 6, {1, 1024}, "neighbours of a task in the graph.")}});

}  // namespace
}  // namespace weft::workloads
