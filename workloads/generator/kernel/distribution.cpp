// Kernel "distribution": all-to-all, every task sends a message of its own to every other.
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// Task i sends to i+1, i+2 ... i-1 (mod N), so that at any moment all destinations differ; then it waits for i-1, i-2
/// ...
struct DistributionPlan {
  u32 tasks;
  u64 bytes;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots() const { return u64{2} * (tasks - 1); }
  Op op(u32 task, u32, u64 slot) const {
    const u64 others = tasks - 1;
    if (slot < others) return send_op(static_cast<u32>((task + slot + 1) % tasks), bytes);
    const u64 back = slot - others + 1;
    return receive_op(static_cast<u32>((task + u64{tasks} - back) % tasks), bytes);
  }
};

std::unique_ptr<Program> make_distribution(const KernelSpec& spec) {
  return planned_program("distribution among " + std::to_string(spec.tasks), spec.tasks,
                         DistributionPlan{spec.tasks, spec.message_bytes, spec.repetitions});
}

const bool distribution_registered = KernelRegistry::instance().add(
    "distribution",
    {.help = "all-to-all: send to i+1, i+2 ... then wait for all; any number of tasks", .make = make_distribution});

}  // namespace
}  // namespace weft::workloads
