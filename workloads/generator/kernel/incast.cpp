// Kernel "incast": all tasks send to task 0 at the same time, which tells them when it has everything.
// The many-to-one phase of partition-aggregate services and of striped reads (Phanishayee et al.: Measurement and
// analysis of TCP throughput collapse in cluster-based storage systems, FAST 2008), and the incast motif of SWM.
#include <fmt/format.h>

#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// Rounds: tasks 1, 2 ... compute and send to task 0, which receives in that order; then, with `request_bytes`, it
/// sends to all of them, who wait for it. Tag: 0, then 1.
struct IncastPlan {
  u32 tasks;
  u64 bytes, request_bytes, computing;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots(u32 task) const { return task == 0 ? 2 * (tasks - u64{1}) : 3; }
  Op op(u32 task, u32, u64 slot) const {
    const u64 senders = tasks - u64{1};
    if (task == 0) {
      const auto peer = static_cast<u32>(slot % senders + 1);
      if (slot < senders) return receive_op(peer, bytes);
      return request_bytes > 0 ? send_op(peer, request_bytes, 1) : Op{};
    }
    if (slot == 0) return compute_op(computing);
    if (slot == 1) return send_op(0, bytes);
    return request_bytes > 0 ? receive_op(0, request_bytes, 1) : Op{};
  }
};

std::unique_ptr<Program> make_incast(const KernelSpec& spec) {
  const i64 request = spec.keys.integer("request_bytes");
  const u64 checked = request == 0 ? 0 : product_bytes(spec, {request}, "workload.request_bytes");
  return planned_program(fmt::format("incast to 1 of {}", spec.tasks), spec.tasks,
                         IncastPlan{spec.tasks, spec.message_bytes, checked, compute_ns(spec), spec.repetitions});
}

const bool incast_registered = KernelRegistry::instance().add(
    "incast",
    {.help = "all others send to task 0 at the same time; any number of tasks",
     .make = make_incast,
     .settings = {kernel_row::compute_ns("computing of the senders before each message."),
                  row::integer("workload.request_bytes", "bytes", 0, {0, 1'000'000'000'000},
                               "size of a message by which task 0 lets each of the others go on; 0 = they do not "
                               "wait.")}});

}  // namespace
}  // namespace weft::workloads
