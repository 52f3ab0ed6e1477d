/* A master hands out tasks to whoever asks first: which worker does what follows from time. Rank 0 prints who did which, the sum of
   what they found, and how long it took by MPI's clock. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  enum { ask = 1, work = 2, stop = 3 };
  const int tasks = argc > 1 ? atoi(argv[1]) : 40;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double begin = MPI_Wtime();
  if (rank == 0) {
    double sum = 0;
    for (int done = 0, sent = 0, stopped = 0; stopped < ranks - 1;) {
      double found[2];
      MPI_Status status;
      MPI_Recv(found, 2, MPI_DOUBLE, MPI_ANY_SOURCE, ask, MPI_COMM_WORLD, &status);
      if (found[0] >= 0) sum += found[1], ++done;
      if (sent < tasks) {
        printf("%d", status.MPI_SOURCE);
        MPI_Send(&sent, 1, MPI_INT, status.MPI_SOURCE, work, MPI_COMM_WORLD);
        ++sent;
      } else {
        MPI_Send(&sent, 1, MPI_INT, status.MPI_SOURCE, stop, MPI_COMM_WORLD);
        ++stopped;
      }
    }
    printf("\nsum %a in %.3f us\n", sum, (MPI_Wtime() - begin) * 1e6);
  } else {
    double found[2] = {-1, 0};
    for (;;) {
      int task, there;
      MPI_Status status;
      MPI_Request request;
      MPI_Irecv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
      MPI_Send(found, 2, MPI_DOUBLE, 0, ask, MPI_COMM_WORLD);
      for (there = 0; !there;) MPI_Test(&request, &there, &status);
      if (status.MPI_TAG == stop) break;
      found[0] = task, found[1] = 1.0 / (1 + task);
      /* some are slower: they look at the clock until it is time */
      const double until = MPI_Wtime() + 1e-6 * (1 + (rank * 7 + task) % 5);
      while (MPI_Wtime() < until) {
      }
    }
  }
  MPI_Finalize();
  return 0;
}
