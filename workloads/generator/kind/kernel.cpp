// Kind "kernel": the communication skeletons of workloads/generator/kernel.
#include "workloads/generator/kernel/kernel.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

/// Throws ConfigError for times of computing that are too long.
void check_computing(const WorkloadSpec& from) {
  constexpr u64 random_times_most = 64;  // no random time is as many times its mean
  const auto ns = static_cast<u64>(from.keys.integer("compute_ns"));
  const u64 most = from.limits.compute_ns / random_times_most;
  if (ns <= most) return;
  throw ConfigError(fmt::format(
      "workload.compute_ns = {} may take more than the 2^62 ticks that a run has; use {} or less, or a longer "
      "simulation.tick_ps",
      ns, most));
}

/// workload.tasks, or as many as the shape has.
u32 tasks_of(const WorkloadSpec& from) {
  const std::vector<i64> shape = from.keys.integers("shape");
  if (shape.empty() || from.keys.integer("tasks") != 0) return from.tasks;
  constexpr u64 most = 1 << 24;
  const u64 tasks = product_up_to(shape, most);
  if (tasks > most) {
    throw ConfigError(fmt::format("workload.shape = {} has more than 2^24 tasks; use for example shape = {}",
                                  list_text(shape), list_text(nearest_factors(shape, most))));
  }
  return static_cast<u32>(tasks);
}

std::unique_ptr<Program> kernel_of(const WorkloadSpec& from) {
  KernelSpec spec;
  spec.name = from.keys.text("name");
  spec.tasks = tasks_of(from);
  spec.message_bytes = static_cast<u64>(from.keys.integer("message_bytes"));
  spec.dimensions = static_cast<u32>(from.keys.integer("dimensions"));
  spec.shape = from.keys.integers("shape");
  spec.return_sweep = from.keys.flag("return_sweep");
  spec.wrap = from.keys.flag("wrap");
  spec.diagonals = from.keys.flag("diagonals");
  spec.repetitions = count_or(from.keys, "repetitions", default_repetitions(spec.name));
  spec.seed = from.seed;
  spec.keys = from.keys;
  spec.limits = from.limits;
  if (!has_own_sizes(spec.name, spec.keys)) check_longest_message(spec.message_bytes, from.limits);
  check_computing(from);
  return make_kernel(spec);
}

/// The size of messages in kernels that have sizes of their own.
std::optional<Complaint> unused_by_kernel(const Parameters& keys, const std::string& name) {
  if (name != "message_bytes" || !has_own_sizes(keys.text("name"), keys)) return {};
  return Complaint{
      "workload." + name,
      fmt::format("with workload.name = \"{}\" (sizes of messages follow from its other keys)", keys.text("name")),
      "remove it"};
}

[[maybe_unused]] const bool kernel_registered = WorkloadRegistry::instance().add(
    "kernel",
    {.help = "the messages of an application kernel",
     .place = 2,
     .settings = {row_of::name(), row_of::tasks(), row_of::message_bytes("size of a message."),
                  row::integer("workload.dimensions", "dimensions", 0, {0, 8},
                               "dimensions of the virtual mesh of tasks; 0 = those of workload.shape, else the "
                               "kernel's own, mostly 2."),
                  row::integers(
                      "workload.shape", "tasks", {1, 1 << 24},
                      "tasks in each dimension of that mesh, [32, 16]: task x + 32 y is at (x, y). Not given: "
                      "the most nearly square ones."),
                  row::boolean("workload.return_sweep", false, "sweep back after the sweep forth, in wavefront."),
                  row::boolean("workload.wrap", false, "the virtual mesh is a torus, in kernels on a mesh."),
                  row::boolean("workload.diagonals", false,
                               "exchange with diagonal neighbours too, in mesh and direction-distribution."),
                  row_of::repetitions("how often it runs through; for waterfall the wave-fronts in a row, for "
                                      "direction-distribution the messages in each direction. 0 = the kernel's own: "
                                      "40 for waterfall, 1 for all others.")},
     .check =
         [](const Parameters& keys) {
           return unless_given(keys, "name", "the name of a kernel",
                               "name = \"wavefront\"; weft describe kernels lists them");
         },
     .unused = unused_by_kernel,
     .time_key = "workload.compute_ns",
     .make = kernel_of});

}  // namespace
}  // namespace weft::workloads
