// One linear program on a small torus, a node at each router, for tests of ProgramHost on networks that they make up.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "models/core/layout.hpp"
#include "models/topology/topology.hpp"
#include "workloads/program/host/program_host.hpp"
#include "workloads/program/matching/matching.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

/// The layout of a ring of nodes, all of this process.
class RingLayout {
 public:
  explicit RingLayout(u32 nodes)
      : topology_(models::make_topology({"torus", {{"dims", std::vector<i64>{std::max(2, static_cast<int>(nodes))}}}})),
        layout_(*topology_, models::part_of_table(std::vector<u32>(topology_->routers(), 0)), 0, 1) {}
  [[nodiscard]] const models::Layout& layout() const { return layout_; }

 private:
  std::unique_ptr<models::Topology> topology_;
  models::Layout layout_;
};

/// The host of a program whose messages are matched as those of kernels are. A cycle is a tick.
inline ProgramHost lone_job(const TaskSpec& spec, const Program& program, Placement placement) {
  ProgramSpec shared;
  shared.packet_bytes = spec.packet_bytes;
  shared.phit_bytes = spec.phit_bytes;
  shared.header_phits = spec.header_phits;
  shared.seed = spec.seed;
  ProgramJob job;
  job.program = &program;
  job.tasks = program.tasks();
  job.matching = default_matching(false);
  job.causal = spec.causal;
  job.ticks_per_ns = spec.ticks_per_ns;
  job.local_latency = spec.local_latency_cycles;
  job.turnaround_cycles = spec.turnaround_cycles;
  job.send_gap_cycles = spec.send_gap_cycles;
  job.own_at_once = true;
  return {shared, {job}, std::move(placement)};
}

}  // namespace weft::workloads
