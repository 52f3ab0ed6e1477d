// All-to-all "rank-order": like "linear", but all begin at task 0, which is what to avoid.
#include "workloads/generator/collective/collective_plan.hpp"

namespace weft::workloads {
namespace {

/// Every task sends to 0, 1, 2 ... without waiting, so that all send to the same; then it waits for 0, 1, 2 ...
struct AllToAllRankOrder : CollectivePlan {
  u64 slots() const { return u64{2} * tasks; }
  Op op(u32 task, u32, u64 slot) const {
    const auto peer = static_cast<u32>(slot % tasks);
    if (peer == task) return {};
    return slot < tasks ? send_op(peer, bytes) : receive_op(peer, bytes);
  }
};

const bool all_to_all_rank_order_registered = add_collective(
    {.operation = "all-to-all",
     .algorithm = "rank-order",
     .help = "send to 0, 1, 2 ... without waiting, then receive from all: all senders at the same task; any number of "
             "tasks",
     .make = collective_program<AllToAllRankOrder>});

}  // namespace
}  // namespace weft::workloads
