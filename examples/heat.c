/* Heat in a rod: each rank has a part, exchanges its ends with its neighbours, and all see every ten steps how much has changed. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  enum { cells = 20000, steps = 50 };
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double *now = calloc(cells + 2, sizeof *now), *next = calloc(cells + 2, sizeof *next), most = 0;
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  if (rank == 0) now[0] = 100;
  for (int step = 1; step <= steps; ++step) {
    MPI_Request requests[4];
    double changed = 0;
    MPI_Irecv(&now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&now[cells + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&now[cells], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&now[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int k = 1; k <= cells; ++k) {
      next[k] = now[k] + 0.25 * (now[k - 1] - 2 * now[k] + now[k + 1]);
      changed = fmax(changed, fabs(next[k] - now[k]));
    }
    double *old = now;
    now = next, next = old;
    if (rank == 0) now[0] = 100;
    if (step % 10 == 0) MPI_Allreduce(&changed, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("changed by %g in the last step\n", most);
  MPI_Finalize();
  return 0;
}
