// Kind "cosim": tasks that live outside of the simulation, as `weft cosim` runs them.
#include "engine/base/error.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/program/external/external_tasks.hpp"

namespace weft::workloads {
namespace {

std::unique_ptr<Program> program_of_outside(const WorkloadSpec& from) {
  if (from.outside == nullptr) {
    throw ConfigError(
        "workload.kind = \"cosim\" has tasks outside of the simulation; start it with `weft cosim MACHINE.toml`");
  }
  return from.outside->program(from.tasks, from.limits);
}

[[maybe_unused]] const bool cosim_registered = WorkloadRegistry::instance().add(
    "cosim", {.help = "guests, processes or other simulators outside of weft, as `weft cosim` runs them",
              .place = 90,
              .settings = {row_of::tasks()},
              .make = program_of_outside});

}  // namespace
}  // namespace weft::workloads
