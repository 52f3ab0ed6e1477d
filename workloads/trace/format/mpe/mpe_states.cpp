// Names of MPE's states (mpe2-1.3, src/wrappers/src/log_mpi_core.c) and what they mean.
#include "workloads/trace/format/mpe/mpe_states.hpp"

#include <algorithm>

namespace weft::workloads {
namespace {

struct ReservedState {
  u32 number;
  std::string_view name;
};
constexpr ReservedState reserved_states[] = {
    {0, "MPI_Allgather"},
    {1, "MPI_Allgatherv"},
    {2, "MPI_Allreduce"},
    {3, "MPI_Alltoall"},
    {4, "MPI_Alltoallv"},
    {5, "MPI_Barrier"},
    {6, "MPI_Bcast"},
    {7, "MPI_Gather"},
    {8, "MPI_Gatherv"},
    {9, "MPI_Op_create"},
    {10, "MPI_Op_free"},
    {11, "MPI_Reduce_scatter"},
    {12, "MPI_Reduce"},
    {13, "MPI_Scan"},
    {14, "MPI_Scatter"},
    {15, "MPI_Scatterv"},
    {16, "MPI_Attr_delete"},
    {17, "MPI_Attr_get"},
    {18, "MPI_Attr_put"},
    {19, "MPI_Comm_compare"},
    {20, "MPI_Comm_create"},
    {21, "MPI_Comm_dup"},
    {22, "MPI_Comm_free"},
    {23, "MPI_Comm_group"},
    {24, "MPI_Comm_rank"},
    {25, "MPI_Comm_remote_group"},
    {26, "MPI_Comm_remote_size"},
    {27, "MPI_Comm_size"},
    {28, "MPI_Comm_split"},
    {29, "MPI_Comm_test_inter"},
    {42, "MPI_Intercomm_create"},
    {43, "MPI_Intercomm_merge"},
    {46, "MPI_Abort"},
    {58, "MPI_Bsend"},
    {59, "MPI_Bsend_init"},
    {60, "MPI_Buffer_attach"},
    {61, "MPI_Buffer_detach"},
    {62, "MPI_Cancel"},
    {63, "MPI_Request_free"},
    {64, "MPI_Recv_init"},
    {65, "MPI_Send_init"},
    {66, "MPI_Get_elements"},
    {67, "MPI_Get_count"},
    {68, "MPI_Ibsend"},
    {69, "MPI_Iprobe"},
    {70, "MPI_Irecv"},
    {71, "MPI_Irsend"},
    {72, "MPI_Isend"},
    {73, "MPI_Issend"},
    {74, "MPI_Pack"},
    {75, "MPI_Pack_size"},
    {76, "MPI_Probe"},
    {77, "MPI_Recv"},
    {78, "MPI_Rsend"},
    {79, "MPI_Rsend_init"},
    {80, "MPI_Send"},
    {81, "MPI_Sendrecv"},
    {82, "MPI_Sendrecv_replace"},
    {83, "MPI_Ssend"},
    {84, "MPI_Ssend_init"},
    {85, "MPI_Start"},
    {86, "MPI_Startall"},
    {87, "MPI_Test"},
    {88, "MPI_Testall"},
    {89, "MPI_Testany"},
    {90, "MPI_Test_cancelled"},
    {91, "MPI_Testsome"},
    {104, "MPI_Unpack"},
    {105, "MPI_Wait"},
    {106, "MPI_Waitall"},
    {107, "MPI_Waitany"},
    {108, "MPI_Waitsome"},
    {109, "MPI_Cart_coords"},
    {110, "MPI_Cart_create"},
    {111, "MPI_Cart_get"},
    {112, "MPI_Cart_map"},
    {113, "MPI_Cart_shift"},
    {123, "MPI_Recv_idle"},
    {124, "MPI_Cart_rank"},
    {125, "MPI_Cart_sub"},
    {250, "MPE_Isend_waited"},
    {251, "MPE_Irecv_waited"},
    {280, "CLOG_Buffer_write2disk"},
};

constexpr std::string_view blocking_calls[] = {
    "Send",    "Bsend",   "Rsend",    "Recv", "Sendrecv", "Sendrecv_replace", "Irecv",   "Wait",
    "Waitall", "Waitany", "Waitsome", "Test", "Testall",  "Testany",          "Testsome"};
constexpr std::string_view starting_calls[] = {"Isend", "Ibsend", "Irsend", "Start", "Startall"};

bool is_in(std::string_view name, const auto& names) { return std::ranges::find(names, name) != std::end(names); }

}  // namespace

MpeStateKind mpe_state_kind(std::string_view name) {
  if (name.starts_with("PMPI_")) name.remove_prefix(1);
  if (name.starts_with("MPE_") || name.starts_with("CLOG_")) return {.role = MpeRole::call};
  if (!name.starts_with("MPI_")) return {};
  // A call that starts a request has no event at its end.
  if (const auto operation = mpi_collective(name); operation && name == mpi_name(*operation))
    return {.role = MpeRole::collective, .operation = *operation};
  name.remove_prefix(4);
  if (name == "Ssend") return {.role = MpeRole::messages, .synchronous = true};
  if (name == "Issend") return {.role = MpeRole::messages, .starts_sends = true, .synchronous = true};
  if (is_in(name, blocking_calls)) return {.role = MpeRole::messages};
  if (is_in(name, starting_calls)) return {.role = MpeRole::messages, .starts_sends = true};
  return {.role = MpeRole::call};
}

std::string_view mpe_state_name(u32 number) {
  const auto* const found = std::ranges::find(reserved_states, number, &ReservedState::number);
  return found == std::end(reserved_states) ? std::string_view() : found->name;
}

std::optional<u32> mpe_state_number(std::string_view name) {
  const auto* const found = std::ranges::find(reserved_states, name, &ReservedState::name);
  return found == std::end(reserved_states) ? std::nullopt : std::optional(found->number);
}

}  // namespace weft::workloads
