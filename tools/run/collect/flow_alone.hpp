// How long a flow takes that has the network for itself: what its slow-down is measured by.
#pragma once

#include <vector>

#include "models/routing/router_kind.hpp"
#include "tools/run/context.hpp"
#include "workloads/program/job.hpp"
#include "workloads/program/placement/placement.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::tools {

/// Times of flows alone, by the rules of the machine that carries them: no flow takes less, so slow-downs are at least
/// 1. A flow that is alone takes as long, except where packets rest though nothing is in their way: at links of
/// different rates one behind the other, in buffers shorter than the round trip, on detours.
class FlowAlone {
 public:
  /// What it is given must outlive it. `placement`: of the tasks of all jobs.
  FlowAlone(const Context& context, const workloads::Placement& placement);

  /// Ticks from `start` on of a flow between two tasks, numbered through all jobs.
  [[nodiscard]] double ticks(const workloads::ProgramJob& job, Tick start, u32 from, u32 to, u64 bytes);

 private:
  struct Packets {
    u64 before = 0, last = 0;  ///< phits of the last packet, and of those before it
  };
  [[nodiscard]] Packets packets_of(u64 bytes, u64 first, u64 count) const;
  [[nodiscard]] std::vector<u32> nics_of(const workloads::ProgramJob& job, u32 from, u32 to, u64 bytes) const;
  [[nodiscard]] Tick through_network(NodeId from, NodeId to, const Packets& packets);
  [[nodiscard]] Tick head_latency(NodeId from, NodeId to, u64 last_phits);
  [[nodiscard]] Tick least_path(NodeId from, NodeId to, Tick router_ticks);

  const Context& context_;
  const workloads::Placement& placement_;
  std::vector<u8> slot_of_task_;
  workloads::TaskSpec spec_;
  const models::RouterKind& kind_;
  bool has_crossbar_ = false;  ///< of its own rate, that packets may be held up for
  u32 nics_ = 1;
  Tick nic_latency_ = 0;
  // In machines whose links differ: ticks from a router to all others.
  u32 source_ = ~u32{0};
  std::vector<Tick> path_ticks_;
};

}  // namespace weft::tools
