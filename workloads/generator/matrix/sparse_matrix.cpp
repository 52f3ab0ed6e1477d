// The operations of an iteration; see the header.
#include "workloads/generator/matrix/sparse_matrix.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

constexpr u64 ps_of_a_ns = 1000;

/// Rounds are iterations: send to all who need something, receive from all who have something, compute.
struct SparseMatrixPlan {
  std::shared_ptr<const MatrixHalo> halo;
  u64 entry_bytes, nonzero_ps;
  u32 repetitions;

  u32 rounds() const { return repetitions; }
  u64 slots(u32 task) const { return halo->sends(task).size() + halo->receives(task).size() + 1; }
  Op op(u32 task, u32, u64 slot) const {
    const auto sends = halo->sends(task), receives = halo->receives(task);
    if (slot < sends.size()) return send_op(sends[slot].task, sends[slot].entries * entry_bytes);
    slot -= sends.size();
    if (slot < receives.size()) return receive_op(receives[slot].task, receives[slot].entries * entry_bytes);
    return compute_op(halo->nonzeros(task) * nonzero_ps / ps_of_a_ns);
  }
};

}  // namespace

std::unique_ptr<Program> sparse_matrix_program(std::shared_ptr<const MatrixHalo> halo, const SparseMatrixSpec& spec,
                                               const std::string& name) {
  const u64 longest = halo->most_entries() * spec.entry_bytes;
  if (longest > spec.limits.message_bytes)
    throw ConfigError("workload.entry_bytes: " + too_many_packets(longest, spec.limits));
  for (u32 task = 0; task < spec.tasks; ++task) {
    const u128 ns = u128{halo->nonzeros(task)} * spec.nonzero_ps / ps_of_a_ns;
    if (ns <= spec.limits.compute_ns && ns < u128{1} << 50) continue;
    throw ConfigError(fmt::format(
        "workload.nonzero_ps = {} takes too long for the {} non-zeros of task {} (more than 2^50 ns, or than a run "
        "has); use a smaller one",
        spec.nonzero_ps, halo->nonzeros(task), task));
  }
  return planned_program(name, spec.tasks, SparseMatrixPlan{halo, spec.entry_bytes, spec.nonzero_ps, spec.repetitions});
}

}  // namespace weft::workloads
