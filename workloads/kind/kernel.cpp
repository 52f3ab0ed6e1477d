// Kind "kernel": the communication skeletons of workloads/kernel.
#include "workloads/kernel/kernel.hpp"

#include "workloads/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

std::unique_ptr<Program> kernel_of(const WorkloadSpec& from) {
  KernelSpec spec;
  spec.name = from.keys.text("name");
  spec.tasks = from.tasks;
  spec.message_bytes = static_cast<u64>(from.keys.integer("message_bytes"));
  spec.dimensions = static_cast<u32>(from.keys.integer("dimensions"));
  spec.return_sweep = from.keys.flag("return_sweep");
  spec.wrap = from.keys.flag("wrap");
  spec.diagonals = from.keys.flag("diagonals");
  spec.repetitions = count_or(from.keys, "repetitions", usual_repetitions(spec.name));
  spec.seed = from.seed;
  check_longest_message(spec.message_bytes, from.limits);
  return make_kernel(spec);
}

[[maybe_unused]] const bool kernel_registered = WorkloadRegistry::instance().add(
    "kernel",
    {.help = "the messages of an application kernel",
     .place = 2,
     .settings = {row_of::name(), row_of::tasks(), row_of::message_bytes("size of a message."),
                  row::integer("workload.dimensions", "dimensions", 0, {0, 8},
                               "dimensions of the virtual mesh of tasks; 0 = the kernel's own, mostly 2."),
                  row::boolean("workload.return_sweep", false, "sweep back after the sweep forth, in wavefront."),
                  row::boolean("workload.wrap", false, "the virtual mesh is a torus, in kernels on a mesh."),
                  row::boolean("workload.diagonals", false, "exchange with diagonal neighbours too, in mesh."),
                  row_of::repetitions("how often it runs through; for waterfall the wave-fronts in a row, for "
                                      "direction-distribution the messages in each direction. 0 = the kernel's own: "
                                      "40 for waterfall, 1 for all others.")},
     .check =
         [](const Parameters& keys) {
           return unless_given(keys, "name", "the name of a kernel",
                               "name = \"wavefront\"; weft describe kernels lists them");
         },
     .make = kernel_of});

}  // namespace
}  // namespace weft::workloads
