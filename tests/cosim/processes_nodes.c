// Who shares a node with whom, as MPI and the system say.
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, shared_rank, shared_size, length;
  char processor[MPI_MAX_PROCESSOR_NAME], host[256];
  MPI_Comm shared, none;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &shared);
  MPI_Comm_rank(shared, &shared_rank);
  MPI_Comm_size(shared, &shared_size);
  MPI_Get_processor_name(processor, &length);
  gethostname(host, sizeof host);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &none);
  const int sound = length == (int)strlen(processor) && strcmp(processor, host) == 0 && none == MPI_COMM_NULL;
  printf("task %d: %d of %d on %s%s\n", rank, shared_rank, shared_size, processor, sound ? "" : ", not sound");
  MPI_Finalize();
  return 0;
}
