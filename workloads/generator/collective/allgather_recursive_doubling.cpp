// Allgather "recursive-doubling": pairs exchange all they have, over doubling distances.
#include "engine/base/error.hpp"
#include "engine/base/sizes.hpp"
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Step k: task r and r xor 2^k exchange the 2^k parts that each has by then; tag k. MPICH's and Open MPI's "recursive
/// doubling".
struct AllgatherRecursiveDoubling : CollectivePlan {
  u64 slots() const { return u64{2} * tree_rounds(tasks); }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2);
    const u32 peer = task ^ (u32{1} << step);
    return slot % 2 == 0 ? send_op(peer, bytes << step, step) : receive_op(peer, bytes << step, step);
  }
};

std::unique_ptr<Program> make_recursive_doubling(const CollectiveSpec& spec) {
  if (!std::has_single_bit(spec.tasks)) {
    throw ConfigError(
        fmt::format("workload.tasks = {} does not fit allgather \"recursive-doubling\" (it pairs tasks by the bits of "
                    "their number, so the count must be a power of two); use {} tasks, or algorithm = \"bruck\"",
                    spec.tasks, nearest_powers_of(2, spec.tasks, 1)));
  }
  return collective_program<AllgatherRecursiveDoubling>(spec);
}

const bool allgather_recursive_doubling_registered = add_collective(
    {.operation = "allgather",
     .algorithm = "recursive-doubling",
     .help = "step k: exchange 2^k parts with r xor 2^k (MPICH, Open MPI: recursive doubling); tasks: a power of two",
     .make = make_recursive_doubling,
     .longest = [](u32 tasks) { return u64{tasks / 2}; }});

}  // namespace
}  // namespace weft::workloads
