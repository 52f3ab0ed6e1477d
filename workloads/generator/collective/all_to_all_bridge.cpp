// All-to-all in the order of bridges: in each step the tasks of a switch all exchange with those of one other switch.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// "bridge" (Geoffray and Hoefler, Hot Interconnects 2008, section 5.4: "all nodes connected to the same first crossbar
/// of the Clos network ... communicate with all nodes connected to a different crossbar", which a library that knows
/// "which nodes belong to the same first-level crossbars" could use "to schedule point-to-point communications"). In
/// each phase switches are paired as teams in a tournament; in step j of it, task i of a switch exchanges with task
/// (j - i) mod g of the other. Of an odd number of switches one is left over in each phase, in which its tasks exchange
/// among each other, in step j with those j places up and down; of an even number all do so in a phase of their own,
/// and nobody is ever idle.
struct AllToAllBridge : CollectivePlan {
  u32 switch_tasks;

  u32 switches() const { return (tasks - 1) / switch_tasks + 1; }
  u64 slots() const { return u64{2} * switches() * switch_tasks; }
  /// Whom a switch meets in a phase, perhaps itself: the circle method; of an even number the last stands still.
  u32 met(u32 own, u32 phase) const {
    const u32 all = switches(), circle = all % 2 == 0 ? all - 1 : all;
    if (phase >= circle) return own;
    const u64 halved = (u64{circle} + 1) / 2;  // 1/2 modulo the odd number
    if (own == circle) return static_cast<u32>(phase * halved % circle);
    const auto other = static_cast<u32>((u64{phase} + circle - own) % circle);
    return other == own && all % 2 == 0 ? circle : other;
  }
  Op op(u32 task, u32, u64 slot) const {
    const auto step = static_cast<u32>(slot / 2 % switch_tasks);
    const u32 own = task / switch_tasks, place = task % switch_tasks;
    const u32 other = met(own, static_cast<u32>(slot / 2 / switch_tasks));
    if (other == own) {
      const u32 here = std::min(switch_tasks, tasks - own * switch_tasks);
      if (step == 0 || step >= here) return {};
      const u32 partner = slot % 2 == 0 ? task_after(place, step, here) : task_before(place, step, here);
      return exchange(slot, own * switch_tasks + partner, bytes);
    }
    const u64 peer = u64{other} * switch_tasks + task_before(step, place, switch_tasks);
    return peer < tasks ? exchange(slot, static_cast<u32>(peer), bytes) : Op{};
  }
};

const bool all_to_all_bridge_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "bridge",
     .help = "all tasks of a switch of workload.switch_tasks exchange with those of one other, switch after switch; "
             "any number of tasks",
     .make =
         [](const CollectiveSpec& spec) {
           auto plan = collective_plan<AllToAllBridge>(spec);
           plan.switch_tasks = std::min(std::max(1U, spec.switch_tasks), spec.tasks);
           return planned_program(collective_name(spec), spec.tasks, plan);
         },
     .by_switches = true});

}  // namespace
}  // namespace weft::workloads
