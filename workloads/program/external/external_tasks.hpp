// Who takes part in a run from outside of the simulation (virtual machines, processes, other simulators): the tasks of
// workload.kind = "cosim" do what they say.
#pragma once

#include <memory>
#include <span>

#include "engine/base/types.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

class ExternalTasks {
 public:
  virtual ~ExternalTasks() = default;
  /// The program of `tasks` tasks, which are theirs: each process opens those that are simulated there. Must not
  /// outlive this. What it sends keeps to the limits.
  [[nodiscard]] virtual std::unique_ptr<Program> program(u32 tasks, const TaskLimits& limits) = 0;
  /// [task] Where they are, once that is known: tasks of one node have the same. Comes on every process, before any of
  /// them is opened.
  virtual void place(std::span<const NodeId> /*nodes*/) {}
  /// The tick up to which the network may run before `exchange` is called; `never`: it need not be any more.
  [[nodiscard]] virtual Tick due() const { return never; }
  /// All before tick `now`, which is due, has been simulated. Collective.
  virtual void exchange(Tick /*now*/) {}
};

}  // namespace weft::workloads
