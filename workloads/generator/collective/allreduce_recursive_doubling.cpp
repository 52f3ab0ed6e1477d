// Allreduce "recursive-doubling": pairs exchange the sums that they have, over doubling distances; for short data.
#include "workloads/generator/collective/folding.hpp"

namespace weft::workloads {
namespace {

/// Tag 0: the first 2 r tasks fold (folding.hpp); tag 1 + k: numbers that differ in bit k exchange; then the way back.
/// Thakur et al. 2005, section 4.5; MPICH's and Open MPI's "recursive doubling".
struct AllreduceRecursiveDoubling : CollectivePlan {
  u64 slots() const { return 2 + u64{2} * Folding{tasks}.levels(); }
  Op op(u32 task, u32, u64 slot) const {
    const Folding among{tasks};
    if (slot == 0) return among.fold(task, bytes, 0);
    if (slot + 1 == slots()) return among.unfold(task, bytes, among.levels() + 1);
    if (!among.works(task)) return {};
    const auto k = static_cast<u32>((slot - 1) / 2);
    const u32 peer = among.task(among.number(task) ^ (u32{1} << k));
    return slot % 2 == 1 ? send_op(peer, bytes, 1 + k) : receive_op(peer, bytes, 1 + k);
  }
};

const bool allreduce_recursive_doubling_registered = add_collective(
    {.operation = "allreduce",
     .algorithm = "recursive-doubling",
     .help = "step k: exchange all with r xor 2^k; of the first 2 (P - 2^b) tasks, every other one lets its neighbour "
             "work for it (MPICH, Open MPI: recursive doubling); any number of tasks",
     .make = collective_program<AllreduceRecursiveDoubling>,
     .usual = true,
     .combines = [](const CollectiveSpec& spec, const Op& receive) {
       return receive.tag <= Folding{spec.tasks}.levels();
     }});

}  // namespace
}  // namespace weft::workloads
