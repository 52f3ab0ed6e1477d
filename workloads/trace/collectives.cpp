// Names of MPI's collective calls; see the header.
#include "workloads/trace/collectives.hpp"

#include <fmt/format.h>

namespace weft::workloads {
namespace {

constexpr char lower_letter(char c) { return static_cast<char>(c - 'A' + 'a'); }

}  // namespace

Collective listed_form(Collective operation) {
  const std::string listed = fmt::format("MPI_{}v", known(operation).mpi);
  return mpi_collective(listed).value_or(operation);
}

std::string mpi_name(Collective operation, bool starts) {
  const std::string_view name = known(operation).mpi;
  return starts ? fmt::format("MPI_I{}{}", lower_letter(name[0]), name.substr(1)) : fmt::format("MPI_{}", name);
}

std::optional<Collective> mpi_collective(std::string_view name) {
  constexpr std::string_view prefix = "MPI_";
  if (!name.starts_with(prefix)) return {};
  name.remove_prefix(prefix.size());
  for (const KnownCollective& known : known_collectives) {
    const bool starts = name.size() == known.mpi.size() + 1 && name[0] == 'I' && name[1] == lower_letter(known.mpi[0]);
    if (name == known.mpi || (starts && name.substr(2) == known.mpi.substr(1))) return known.operation;
  }
  return {};
}

}  // namespace weft::workloads
