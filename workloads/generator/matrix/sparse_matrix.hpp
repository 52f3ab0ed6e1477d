// Iterations of a sparse matrix-vector product as a program of tasks: exchange of entries of x, then computing.
#pragma once

#include <memory>
#include <string>

#include "workloads/generator/matrix/matrix_halo.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {

struct SparseMatrixSpec {
  u32 tasks = 1;
  u64 entry_bytes = 8;  ///< of an entry of x
  u64 nonzero_ps = 0;   ///< computing with a non-zero
  u32 repetitions = 1;
  TaskLimits limits = {};
};

/// The program of a halo. Throws ConfigError for messages or computations beyond the limits.
[[nodiscard]] std::unique_ptr<Program> sparse_matrix_program(std::shared_ptr<const MatrixHalo> halo,
                                                             const SparseMatrixSpec& spec, const std::string& name);

}  // namespace weft::workloads
