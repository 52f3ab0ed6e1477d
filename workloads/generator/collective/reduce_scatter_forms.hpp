// MPI_Reduce_scatter with equal pieces and MPI_Reduce_scatter_block are operations of their own, for which libraries
// have rules of their own; their algorithms are the same.
#pragma once

#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {

/// Registers an algorithm for both.
inline bool add_reduce_scatter(CollectiveKind kind) {
  kind.operation = "reduce-scatter-block";
  add_collective(kind);
  kind.operation = "reduce-scatter";
  return add_collective(std::move(kind));
}

}  // namespace weft::workloads
