// The states of MPE, the MPI calls that its logs show: numbers, names, and what the records inside of one mean.
#pragma once

#include <optional>
#include <string_view>

#include "engine/base/types.hpp"
#include "workloads/trace/event.hpp"

namespace weft::workloads {

/// What a state is, by its name.
struct MpeStateKind {
  enum class Role : u8 {
    region,      ///< of the user
    call,        ///< of MPI or of MPE: nothing is computed in it, other calls may be
    messages,    ///< of MPI, and the messages in it are those of the call: MPI_Send, MPI_Sendrecv, MPI_Waitall ...
    collective,  ///< of MPI
  };
  Role role = Role::region;
  bool starts_sends = false;  ///< messages: MPI_Isend, MPI_Start ...
  bool synchronous = false;   ///< messages: MPI_Ssend, MPI_Issend
  Collective operation = Collective::barrier;
};
using MpeRole = MpeStateKind::Role;
/// Kind of the state with a name like "MPI_Send" or "PMPI_Send".
[[nodiscard]] MpeStateKind mpe_state_kind(std::string_view name);

/// Numbers of states that MPE reserves for MPI and itself: below this.
inline constexpr u32 mpe_reserved_states = 300;
/// The name of a reserved state; empty if MPE gives that number to none (mpe2-1.3).
[[nodiscard]] std::string_view mpe_state_name(u32 number);
/// The number of a reserved state.
[[nodiscard]] std::optional<u32> mpe_state_number(std::string_view name);

}  // namespace weft::workloads
