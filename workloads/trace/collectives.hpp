// Collective operations as traces record them: the one table of what MPI calls each and what sort it is.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Collective operations of MPI, in the order of OTF2.
enum class Collective : u8 {
  barrier,
  broadcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  all_to_all,
  all_to_allv,
  all_to_allw,
  allreduce,
  reduce,
  reduce_scatter,
  scan,
  exscan,
  reduce_scatter_block
};
inline constexpr std::size_t collective_operations_known = 17;

struct KnownCollective {
  Collective operation;
  std::string_view name;  ///< that of operations of workloads ("all-to-all")
  std::string_view mpi;   ///< MPI's, without "MPI_"
  bool rooted = false;    ///< one task is its root
  bool listed = false;    ///< pieces may differ from task to task: calls have lists of counts ("v", "w")
};
/// By Collective.
inline constexpr std::array<KnownCollective, collective_operations_known> known_collectives = {
    {{Collective::barrier, "barrier", "Barrier"},
     {Collective::broadcast, "broadcast", "Bcast", true},
     {Collective::gather, "gather", "Gather", true},
     {Collective::gatherv, "gatherv", "Gatherv", true, true},
     {Collective::scatter, "scatter", "Scatter", true},
     {Collective::scatterv, "scatterv", "Scatterv", true, true},
     {Collective::allgather, "allgather", "Allgather"},
     {Collective::allgatherv, "allgatherv", "Allgatherv", false, true},
     {Collective::all_to_all, "all-to-all", "Alltoall"},
     {Collective::all_to_allv, "all-to-allv", "Alltoallv", false, true},
     {Collective::all_to_allw, "all-to-allw", "Alltoallw", false, true},
     {Collective::allreduce, "allreduce", "Allreduce"},
     {Collective::reduce, "reduce", "Reduce", true},
     {Collective::reduce_scatter, "reduce-scatter", "Reduce_scatter"},
     {Collective::scan, "scan", "Scan"},
     {Collective::exscan, "exscan", "Exscan"},
     {Collective::reduce_scatter_block, "reduce-scatter-block", "Reduce_scatter_block"}}};
static_assert(std::ranges::all_of(known_collectives, [](const KnownCollective& known) {
  return &known == &known_collectives[static_cast<std::size_t>(known.operation)];
}));

[[nodiscard]] constexpr const KnownCollective& known(Collective operation) {
  return known_collectives[static_cast<std::size_t>(operation)];
}
/// "all-to-all".
[[nodiscard]] constexpr std::string_view name_of(Collective operation) { return known(operation).name; }
[[nodiscard]] constexpr bool has_root(Collective operation) { return known(operation).rooted; }
/// The form with lists of counts, where there is one: Gather -> Gatherv; else the operation itself.
[[nodiscard]] Collective listed_form(Collective operation);
/// "MPI_Bcast", or "MPI_Ibcast" of a call that starts a request.
[[nodiscard]] std::string mpi_name(Collective operation, bool starts = false);
/// The operation of a call with a name as `mpi_name` makes them.
[[nodiscard]] std::optional<Collective> mpi_collective(std::string_view name);

}  // namespace weft::workloads
