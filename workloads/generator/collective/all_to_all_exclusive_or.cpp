// All-to-all "exclusive-or": the partners of "pairwise" in the same order, but without waiting for each other.
#include "engine/base/error.hpp"
#include "engine/base/sizes.hpp"
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Every task sends to r xor 1, r xor 2 ... without waiting; then it waits for all in that order.
struct AllToAllExclusiveOr : CollectivePlan {
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 others = tasks - 1;
    if (slot < others) return send_op(task ^ static_cast<u32>(slot + 1), bytes);
    return receive_op(task ^ static_cast<u32>(slot - others + 1), bytes);
  }
};

std::unique_ptr<Program> make_exclusive_or(const CollectiveSpec& spec) {
  if (!std::has_single_bit(spec.tasks)) {
    throw ConfigError(
        fmt::format("workload.tasks = {} does not fit all-to-all \"exclusive-or\" (it pairs tasks by the bits of their "
                    "number, so the count must be a power of two); use {} tasks, or algorithm = \"linear\"",
                    spec.tasks, nearest_powers_of(2, spec.tasks, 1)));
  }
  return collective_program<AllToAllExclusiveOr>(spec);
}

const bool all_to_all_exclusive_or_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "exclusive-or",
     .help = "send to r xor 1, r xor 2 ... without waiting, then receive from all; tasks: a power of two",
     .make = make_exclusive_or});

}  // namespace
}  // namespace weft::workloads
