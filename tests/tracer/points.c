/* Collective operations on MPI_COMM_WORLD as lines "OPERATION BYTES" of the file argv[1] say, after MPI_Pcontrol(100 + number of the
   line): what a library sends for each is compared with tests/data/collectives. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, ranks, bytes, number = 0;
  char operation[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  FILE* points = fopen(argv[1], "r");
  while (points != NULL && fscanf(points, "%63s %d", operation, &bytes) == 2) {
    const size_t all = (size_t)bytes * (size_t)ranks + 1;
    char *from = calloc(all, 1), *to = calloc(all, 1);
    int counts[64], places[64];
    const MPI_Comm world = MPI_COMM_WORLD;
    for (int k = 0; k < ranks; ++k) counts[k] = bytes, places[k] = k * bytes;
    MPI_Barrier(world);
    MPI_Pcontrol(100 + number++);
#define IS(name) else if (strcmp(operation, name) == 0)
    if (strcmp(operation, "barrier") == 0) MPI_Barrier(world);
    IS("broadcast") MPI_Bcast(from, bytes, MPI_BYTE, 0, world);
    IS("reduce") MPI_Reduce(from, to, bytes, MPI_BYTE, MPI_BOR, 0, world);
    IS("allreduce") MPI_Allreduce(from, to, bytes, MPI_BYTE, MPI_BOR, world);
    IS("gather") MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, world);
    IS("scatter") MPI_Scatter(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, world);
    IS("allgather") MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, world);
    IS("all-to-all") MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, world);
    IS("gatherv") MPI_Gatherv(from, bytes, MPI_BYTE, to, counts, places, MPI_BYTE, 0, world);
    IS("scatterv") MPI_Scatterv(from, counts, places, MPI_BYTE, to, bytes, MPI_BYTE, 0, world);
    IS("allgatherv") MPI_Allgatherv(from, bytes, MPI_BYTE, to, counts, places, MPI_BYTE, world);
    IS("all-to-allv") MPI_Alltoallv(from, counts, places, MPI_BYTE, to, counts, places, MPI_BYTE, world);
    IS("reduce-scatter") MPI_Reduce_scatter(from, to, counts, MPI_BYTE, MPI_BOR, world);
    IS("reduce-scatter-block") MPI_Reduce_scatter_block(from, to, bytes, MPI_BYTE, MPI_BOR, world);
    IS("scan") MPI_Scan(from, to, bytes, MPI_BYTE, MPI_BOR, world);
    IS("exscan") MPI_Exscan(from, to, bytes, MPI_BYTE, MPI_BOR, world);
    else MPI_Abort(world, 3);
    free(from);
    free(to);
  }
  MPI_Finalize();
  return 0;
}
