// Nodes as a program under weft sees them: those of the simulated network.
#include "tools/cosim/process/library/preloaded/nodes.hpp"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tools/cosim/process/library/hooks.hpp"
#include "tools/cosim/process/library/preloaded/caller.hpp"

namespace weft::tools::cosim {
namespace {

/// "node12"; false: it is to be the name of this machine.
bool node_name(char* to, std::size_t room) {
  if (weft_cosim_hooks == nullptr) return false;
  std::snprintf(to, room, "node%u", weft_cosim_hooks->node());
  return true;
}

}  // namespace

/// What is finer than a node is the whole of it (processes are not bound to parts), what is coarser the whole network.
int split_by_node(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  const bool is_known = type == MPI_UNDEFINED || (type >= MPI_COMM_TYPE_SHARED && type <= OMPI_COMM_TYPE_CLUSTER);
  if (weft_cosim_hooks == nullptr || !is_known)
    return real<decltype(MPI_Comm_split_type)>("PMPI_Comm_split_type")(comm, type, key, info, made);
  int colour = MPI_UNDEFINED;
  if (type != MPI_UNDEFINED) colour = type >= OMPI_COMM_TYPE_CU ? 0 : static_cast<int>(weft_cosim_hooks->node());
  const int result = real<decltype(MPI_Comm_split)>("PMPI_Comm_split")(comm, colour, key, made);
  // Other programs have this library, too, so that it may refer to no symbol of MPI's; the program may have a copy.
  const bool has_info = info != static_cast<MPI_Info>(::dlsym(RTLD_DEFAULT, "ompi_mpi_info_null"));
  if (result != MPI_SUCCESS || colour == MPI_UNDEFINED || !has_info) return result;
  return real<decltype(MPI_Comm_set_info)>("PMPI_Comm_set_info")(*made, info);
}

}  // namespace weft::tools::cosim

using namespace weft::tools::cosim;

extern "C" int MPI_Get_processor_name(char* name, int* length) {
  if (!node_name(name, MPI_MAX_PROCESSOR_NAME))
    return real<decltype(MPI_Get_processor_name)>("PMPI_Get_processor_name")(name, length);
  *length = static_cast<int>(std::strlen(name));
  return MPI_SUCCESS;
}
extern "C" decltype(MPI_Get_processor_name) PMPI_Get_processor_name __attribute__((alias("MPI_Get_processor_name")));

extern "C" int gethostname(char* name, size_t room) {
  if (is_of_the_program(__builtin_return_address(0)) && node_name(name, room)) return 0;
  utsname machine;
  if (::uname(&machine) != 0) return -1;
  std::snprintf(name, room, "%s", machine.nodename);
  return 0;
}
