// Kernel "master-worker": task 0 deals out pieces of work that take random times, and collects the results in turn.
// The task farm of textbooks (Wilkinson, Allen: Parallel Programming, 2nd edition 2005, chapter 3), with a master that
// serves its workers in turn.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/meaning.hpp"
#include "engine/random.hpp"
#include "workloads/generator/kernel/kernel_keys.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

enum class ServiceLaw : u8 { exponential, uniform, fixed };

/// Piece j of a worker: the master sends it, the worker computes and sends its result. The master deals `ahead` pieces
/// to each worker, then takes a result of each worker in turn and sends the worker its next piece. Tag: j. So a slow
/// worker holds up those behind it, as in any farm whose master waits for a certain worker.
struct FarmPlan {
  u32 tasks;
  u64 work_bytes, result_bytes;
  u32 pieces, ahead;  ///< of each worker; at most `pieces` ahead
  ServiceLaw law;
  u64 mean_ns, seed;

  u32 rounds() const { return 1; }
  u64 workers() const { return tasks - u64{1}; }
  u64 slots(u32 task) const { return task == 0 ? workers() * (ahead + u64{2} * pieces) : u64{3} * pieces; }
  u64 service_ns(u32 worker, u32 piece) const {
    if (law == ServiceLaw::fixed) return mean_ns;
    const double unit = engine::to_unit(engine::random_bits(seed, worker, piece, engine::Use::kernel));
    const double times = law == ServiceLaw::uniform ? 2 * unit : -std::log(unit);
    return static_cast<u64>(std::llround(times * static_cast<double>(mean_ns)));
  }
  Op of_master(u64 slot) const {
    const u64 first = workers() * ahead;
    if (slot < first) return send_op(worker_of(slot), work_bytes, static_cast<u32>(slot / workers()));
    const u64 turn = (slot - first) / 2;
    const auto piece = static_cast<u32>(turn / workers());
    if ((slot - first) % 2 == 0) return receive_op(worker_of(turn), result_bytes, piece);
    return piece + u64{ahead} < pieces ? send_op(worker_of(turn), work_bytes, piece + ahead) : Op{};
  }
  u32 worker_of(u64 turn) const { return static_cast<u32>(turn % workers()) + 1; }
  Op op(u32 task, u32, u64 slot) const {
    if (task == 0) return of_master(slot);
    const auto piece = static_cast<u32>(slot / 3);
    switch (slot % 3) {
      case 0:
        return receive_op(0, work_bytes, piece);
      case 1:
        return compute_op(service_ns(task, piece));
      default:
        return send_op(0, result_bytes, piece);
    }
  }
};

std::unique_ptr<Program> make_master_worker(const KernelSpec& spec) {
  FarmPlan plan{};
  plan.tasks = spec.tasks;
  plan.work_bytes = spec.message_bytes;
  plan.result_bytes = product_bytes(spec, {spec.keys.integer("result_bytes")}, "workload.result_bytes");
  plan.pieces = spec.repetitions;
  plan.ahead = std::min(plan.pieces, static_cast<u32>(spec.keys.integer("ahead")));
  plan.law = meaning_of<ServiceLaw>(
      spec.keys.text("service"),
      {{"exponential", ServiceLaw::exponential}, {"uniform", ServiceLaw::uniform}, {"fixed", ServiceLaw::fixed}});
  plan.mean_ns = compute_ns(spec);
  plan.seed = spec.seed;
  return planned_program(fmt::format("master-worker of {}", spec.tasks), spec.tasks, plan);
}

const bool master_worker_registered = KernelRegistry::instance().add(
    "master-worker",
    {.help =
         "task 0 deals `repetitions` pieces of work to each of the others, and waits for their results in turn; any "
         "number of tasks",
     .make = make_master_worker,
     .settings = {kernel_row::compute_ns("mean time that a piece of work takes."),
                  row::choice("workload.service", "exponential", {"exponential", "uniform", "fixed"},
                              "law of those times, drawn from simulation.seed: exponential; uniform: up to twice the "
                              "mean; fixed: all the same.")
                      .only_with("workload.compute_ns"),
                  row::integer("workload.result_bytes", "bytes", 1024, {1, 1'000'000'000'000}, "size of a result."),
                  row::integer("workload.ahead", "pieces", 1, {1, 1 << 30},
                               "pieces of work that a worker has before its first result.")}});

}  // namespace
}  // namespace weft::workloads
